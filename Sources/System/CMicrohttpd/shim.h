#pragma once
#include <microhttpd.h>
#include <netinet/in.h>

/* MHD_start_daemon and MHD_get_daemon_info are variadic, which Swift does not import. */
/* certificate and key are PEM texts, read before this returns; both NULL serves plain http. */
static inline struct MHD_Daemon *ob_mhd_start(
    const struct sockaddr_in *address, unsigned int threads, unsigned int idle_seconds, const char *certificate, const char *key,
    MHD_AccessHandlerCallback handler, MHD_RequestCompletedCallback completed, void *context) {
    struct MHD_OptionItem tls[] = {
        {MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)certificate}, {MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)key},
        {MHD_OPTION_END, 0, NULL}};
    struct MHD_OptionItem plain[] = {{MHD_OPTION_END, 0, NULL}};
    unsigned int flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | (key ? MHD_USE_TLS : 0);
    return MHD_start_daemon(
        flags, 0, NULL, NULL, handler, context,
        MHD_OPTION_SOCK_ADDR, (const struct sockaddr *)address, MHD_OPTION_THREAD_POOL_SIZE, threads,
        MHD_OPTION_CONNECTION_TIMEOUT, idle_seconds, MHD_OPTION_CONNECTION_LIMIT, 2048u,
        MHD_OPTION_LISTENING_ADDRESS_REUSE, 1u, MHD_OPTION_NOTIFY_COMPLETED, completed, context,
        MHD_OPTION_ARRAY, key ? tls : plain, MHD_OPTION_END);
}

/* The port that the system chose when the address said 0. */
static inline unsigned int ob_mhd_port(struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
    return info ? info->port : 0;
}

/* Closed C enumerations come into Swift with names cut at a prefix that differs from version to version; these do not. */
static const enum MHD_Result ob_mhd_yes = MHD_YES;
static const enum MHD_Result ob_mhd_no = MHD_NO;
static const enum MHD_ValueKind ob_mhd_headers = MHD_HEADER_KIND;
static const enum MHD_ValueKind ob_mhd_arguments = MHD_GET_ARGUMENT_KIND;
static const enum MHD_ResponseMemoryMode ob_mhd_must_copy = MHD_RESPMEM_MUST_COPY;
