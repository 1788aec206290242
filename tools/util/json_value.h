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

/* A text and its tree: each value holds its place in the text, so that errors can name it. */
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
 * A value of a document, with its path from the root, so that an error can name its place both as a
 * path (dispatchables.a.desc.Sizes[2]) and as a line and column.
 *
 * The functions below that check something record the first error in the document, and the later
 * ones have no effect: after an error they return what "0" says of them. So a reader takes all
 * members one after the other, and asks json_ok in the end, or before it does what an error
 * forbids.
 *
 * Invariant: every json_value points to the object or array that holds it, which must stay where it
 * is while the value is in use.
 */

typedef struct json_value {
    json_document *document;
    const struct json_value *parent; /* NULL: the root */
    const char *name;                /* the member's name; NULL: an element of an array */
    size_t index;                    /* the element's index */
    size_t offset;                   /* in the text; of a missing member: its object's */
    json_object *object;             /* NULL: null, or a missing member */
} json_value;

json_value json_root(json_document *document);

json_type json_type_of(const json_value *value);

/* The element of an array at index, which must be below its length. */
json_value json_element(const json_value *array, size_t index);

/* The number of elements of an array; 0 of another value. */
size_t json_length(const json_value *array);

/* Has no error been recorded in the value's document? */
bool json_ok(const json_value *value);

/* Records "name:line:column: path: message" unless an error has been recorded, and returns the
 * status of the document. */
tool_status json_fail(const json_value *value, tool_status status, const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 3, 4)))
#endif
    ;

/* The same with "expected <expected>, found <what the text has>". */
tool_status json_fail_type(const json_value *value, const char *expected);

/* Members. */

/* False, and *member is null and has the object's place, where object has no such member. */
bool json_member(const json_value *object, const char *name, json_value *member);

/* The same, and null counts as missing. */
bool json_optional(const json_value *object, const char *name, json_value *member);

/* The member, or an error that it is required. null counts as missing. 0: null. */
json_value json_need(const json_value *object, const char *name);

/* The member of this number, in the order of the text. */
bool json_member_at(const json_value *object, size_t index, json_value *member);

/* Values of an expected type. Another one is an error, which says what was expected and what is
 * there. */

/* An object, an array or a string. 0: false. */
bool json_expect(const json_value *value, json_type type);

/* The text belongs to the document. 0: "". */
const char *json_string(json_value value);

/* 0: false. */
bool json_flag(json_value value);

/* An integer between minimum and maximum, both included. type names the type in errors. 0: 0. */
uint64_t json_integer(json_value value, const char *type, int64_t minimum, uint64_t maximum);

/* The value of a word of the table, as word_find takes it. 0: 0. */
int json_choice(json_value value, const word_row *words);

/* Of an optional member, absent or null: `otherwise`. */
uint64_t json_uint64(const json_value *object, const char *name, uint64_t otherwise);
uint32_t json_uint32(const json_value *object, const char *name, uint32_t otherwise);

#endif
