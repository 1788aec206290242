/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_JSON_VALUE_H
#define CUMSUM_TOOLS_JSON_VALUE_H

/*
 * Reads JSON texts, by the letter of RFC 8259 but for what RapidJSON accepts too, with which
 * DxDispatch reads its models: comments in the two forms of C, and a comma after the last element
 * of an array or the last member of an object. A name may occur only once in an object, since
 * readers would keep one of the members silently, and not all of them the same one.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"
#include "json_tree.h"
#include "word_table.h"

/* The deepest nesting of objects and arrays. */
#define JSON_MAX_DEPTH 100

/* A text and its tree. */
typedef struct json_document {
    const char *text; /* the caller's; must outlive the document */
    size_t length;
    const char *name;    /* in error messages */
    uint64_t first_line; /* the number of the text's first line */
    json_object *root;
    tool_status status; /* of the first error, whose message is in *error */
    tool_error *error;
} json_document;

/* TOOL_MALFORMED if the text is not JSON; json_free may be called then too. Later errors go to
 * *error, too. Ends the program where memory is out. */
tool_status json_parse(json_document *document, const char *text, size_t length, const char *name,
                       uint64_t first_line, tool_error *error);
void json_free(json_document *document);

/* Records "name:line:column: message" for the byte at offset, and returns status. */
tool_status json_fail_at(json_document *document, size_t offset, tool_status status,
                         const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 4, 5)))
#endif
    ;

/*
 * The values of a document know their places in it, so that an error can name its place both as a
 * path (dispatchables.a.desc.Sizes[2]) and as a line and column.
 *
 * The functions below that check something record the first error in the document, and the later
 * ones have no effect: after an error they return what "0" says of them, and so they do for NULL,
 * the member that is missing. So a reader takes all members one after the other, and asks json_ok
 * in the end, or before it does what an error forbids.
 */

/* Has no error been recorded in the value's document? False for NULL. */
bool json_ok(const json_object *value);

/* Records "name:line:column: path: message" unless an error has been recorded, and returns the
 * status of the document. */
tool_status json_fail(const json_object *value, tool_status status, const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 3, 4)))
#endif
    ;

/* The same with "expected <expected>, found <what the text has>". */
tool_status json_fail_type(const json_object *value, const char *expected);

/* The member; NULL where there is none or it is null. */
json_object *json_optional(const json_object *object, const char *name);

/* The same, and that is an error. 0: NULL. */
json_object *json_need(const json_object *object, const char *name);

/* Values of an expected type. Another one is an error, which says what was expected and what is
 * there. */

/* An object, an array or a string. 0: false. */
bool json_expect(const json_object *value, json_type type);

/* The text belongs to the document. 0: "". */
const char *json_string(const json_object *value);

/* 0: false. */
bool json_flag(const json_object *value);

/* An integer between minimum and maximum, both included. type names the type in errors. 0: 0. */
uint64_t json_integer(const json_object *value, const char *type, int64_t minimum,
                      uint64_t maximum);

/* The value of a word of the table, as word_find takes it. 0: 0. */
int json_choice(const json_object *value, const word_row *words);

/* Of an optional member, absent or null: `otherwise`. */
uint64_t json_uint64(const json_object *object, const char *name, uint64_t otherwise);
uint32_t json_uint32(const json_object *object, const char *name, uint32_t otherwise);

#endif
