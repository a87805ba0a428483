#pragma once
#include <stddef.h>
#include <stdint.h>

/* A JSON text as a flat list of events in document order; simdjson does the parsing, Swift builds the tree. */
#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    OB_JSON_NULL = 0,
    OB_JSON_BOOL = 1,    /* integer: 0 or 1 */
    OB_JSON_INTEGER = 2, /* integer */
    OB_JSON_DOUBLE = 3,  /* number */
    OB_JSON_STRING = 4,  /* bytes, length */
    OB_JSON_ARRAY = 5,   /* integer: element count; the elements follow */
    OB_JSON_OBJECT = 6,  /* integer: member count; key (string) and value follow, for each member, duplicates included */
} ob_json_kind;

typedef struct {
    ob_json_kind kind;
    int64_t integer;
    double number;
    const char *bytes;
    size_t length;
} ob_json_event;

typedef struct ob_json_document ob_json_document;

/* Parses `length` bytes; more than `most` events are an error. Returns NULL only when memory is short; ask ob_json_error first. */
ob_json_document *ob_json_parse(const char *text, size_t length, size_t most);
/* NULL when the text was JSON, else words for what is wrong, of simdjson where it said them. */
const char *ob_json_error(const ob_json_document *document);
size_t ob_json_event_count(const ob_json_document *document);
const ob_json_event *ob_json_events(const ob_json_document *document);
void ob_json_free(ob_json_document *document);
/* "3.1.0" */
const char *ob_json_library_version(void);

#ifdef __cplusplus
}
#endif
