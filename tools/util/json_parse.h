/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_JSON_PARSE_H
#define CUMSUM_TOOLS_JSON_PARSE_H

/*
 * Reads JSON texts, by the letter of RFC 8259 but for what RapidJSON accepts too, with which
 * DxDispatch reads its models: comments in the two forms of C, and a comma after the last element
 * of an array or the last member of an object. A name may occur only once in an object, since
 * RapidJSON and json-c would each keep one of the members silently, and not the same one.
 */

#include <stddef.h>
#include <stdint.h>

#include "error.h"

/* The deepest nesting of objects and arrays. */
#define JSON_MAX_DEPTH 100

struct json_object;

/*
 * A text and its tree, which only json_value.h reads: the tree consists of json-c's objects, but
 * each holds its place in the text, so that errors can name it, and a number is the length of its
 * digits there. So no number is rounded before its type is known.
 */
typedef struct json_document {
    const char *text; /* the caller's; must outlive the document */
    size_t length;
    const char *name;    /* in error messages */
    uint64_t first_line; /* the number of the text's first line */
    struct json_object *root;
    tool_status status; /* of the first error, whose message is in *error */
    tool_error *error;
} json_document;

/* TOOL_MALFORMED if the text is not JSON; json_free may be called then too. Later errors go to
 * *error, too. Ends the program where memory is out. */
tool_status json_parse(json_document *document, const char *text, size_t length, const char *name,
                       uint64_t first_line, tool_error *error);
void json_free(json_document *document);

/* The value of a text whose places do not matter: json-c's own objects, to be freed with
 * json_object_put. A number is an integer where 64 bits hold it, else a double that prints as the
 * text has it. NULL for null, and where the text is malformed. Ends the program where memory is
 * out. */
struct json_object *json_read(const char *text, size_t length);

/* Records "name:line:column: message" for the byte at offset, and returns status. */
tool_status json_fail_at(json_document *document, size_t offset, tool_status status,
                         const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 4, 5)))
#endif
    ;

/* The length of the value at offset, where it is a string (with its quotes), a number, true, false
 * or null. The document must have been opened. */
size_t json_scalar_length(const json_document *document, size_t offset);

#endif
