/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_JSON_PARSE_H
#define CUMSUM_TOOLS_JSON_PARSE_H

#include <stdint.h>

#include "error.h"
#include "json_scan.h"

/*
 * A JSON text read exactly. json-c holds the tree; but where it would round a number to 64 bits or
 * a double, the tree holds the place of the number in the text, so that every digit is there for
 * whoever knows the type. Names that occur twice in an object are errors; comments and a comma
 * after the last element are accepted, as RapidJSON reads them.
 */

/* Objects and arrays may be nested this deep. */
#define JSON_MAX_DEPTH 100

struct json_object;

typedef struct json_document {
    const char *text; /* the caller's; must outlive the document */
    size_t length;
    const char *name;    /* in error messages */
    uint64_t first_line; /* the number of the text's first line */
    struct json_object *root;
} json_document;

/* Reads text. On success json_close frees the tree. Everything that is wrong is TOOL_MALFORMED. */
tool_status json_open(json_document *document, const char *text, size_t length, const char *name,
                      uint64_t first_line, tool_error *error);
void json_close(json_document *document);

/* The value of a text in which places do not matter, with numbers as numbers, to be freed with
 * json_object_put; NULL for null and where the text is malformed. Ends the program where memory is
 * out. */
struct json_object *json_read(const char *text, size_t length);

/* Fails with "name:line:column: message" for the byte at offset. */
tool_status json_fail_at(const json_document *document, size_t offset, tool_error *error,
                         tool_status status, const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 5, 6)))
#endif
    ;

#endif
