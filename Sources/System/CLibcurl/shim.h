#pragma once
#include <curl/curl.h>

/* curl_easy_setopt, curl_easy_getinfo and curl_multi_setopt are variadic, which Swift cannot call: one setter a type. */
static inline CURLcode ob_curl_set_long(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode ob_curl_set_offset(CURL *handle, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode ob_curl_set_string(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode ob_curl_set_pointer(CURL *handle, CURLoption option, void *value) {
    return curl_easy_setopt(handle, option, value);
}
typedef size_t (*ob_curl_data_callback)(char *data, size_t size, size_t count, void *context);
static inline CURLcode ob_curl_set_data_callback(CURL *handle, CURLoption option, ob_curl_data_callback callback) {
    return curl_easy_setopt(handle, option, callback);
}
static inline CURLcode ob_curl_set_list(CURL *handle, CURLoption option, struct curl_slist *list) {
    return curl_easy_setopt(handle, option, list);
}
static inline CURLcode ob_curl_get_long(CURL *handle, CURLINFO info, long *value) {
    return curl_easy_getinfo(handle, info, value);
}
static inline CURLcode ob_curl_get_offset(CURL *handle, CURLINFO info, curl_off_t *value) {
    return curl_easy_getinfo(handle, info, value);
}
static inline CURLcode ob_curl_get_string(CURL *handle, CURLINFO info, char **value) {
    return curl_easy_getinfo(handle, info, value);
}
static inline CURLcode ob_curl_get_private(CURL *handle, void **value) {
    return curl_easy_getinfo(handle, CURLINFO_PRIVATE, (char **)value);
}
static inline CURLMcode ob_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}
static inline CURLSHcode ob_curl_share_set_long(CURLSH *share, CURLSHoption option, long value) {
    return curl_share_setopt(share, option, value);
}
/* Done messages carry a union. */
static inline CURLcode ob_curl_message_result(const CURLMsg *message) { return message->data.result; }
/* Macros with casts do not come into Swift. */
static const long ob_curl_auth_negotiate = (long)CURLAUTH_NEGOTIATE;
static const long ob_curl_auth_any = (long)CURLAUTH_ANY;
static const long ob_curl_auth_ntlm = (long)CURLAUTH_NTLM;
