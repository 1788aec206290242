/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_JSON_VALUE_H
#define CUMSUM_TOOLS_JSON_VALUE_H

/*
 * A value of a document, with its path from the root, so that an error can name its place both as a
 * path (dispatchables.a.desc.Sizes[2]) and as a line and column.
 *
 * Invariant: every json_value points to the object or array that holds it, which must stay where it
 * is while the value is in use.
 */

#include <json-c/json.h>
#include <stdbool.h>

#include "json_parse.h"

typedef struct json_value {
    const json_document *document;
    const struct json_value *parent; /* NULL: the root */
    const char *name;                /* the member's name; NULL: an element of an array */
    size_t index;                    /* the element's index */
    size_t offset;                   /* in the text; of a missing member: its object's */
    struct json_object *object;      /* NULL: null, or a missing member */
} json_value;

json_value json_root(const json_document *document);

/* False, and *member is null and has the object's place, where object has no such member. */
bool json_member(const json_value *object, const char *name, json_value *member);

/* The element of an array at index, which must be below its length. */
json_value json_element(const json_value *array, size_t index);

json_type json_type_of(const json_value *value);

/* The members of an object in the order of the text. */
typedef struct json_members {
    const json_value *object;
    struct json_object_iterator next;
    struct json_object_iterator end;
} json_members;
json_members json_members_of(const json_value *object);
bool json_next_member(json_members *members, json_value *member);

/* Leaves a pointer with an object or an array that has been read, where its offset was: an error
 * message can no longer name it. json_attached finds it again as a member of its object, in
 * constant time; false if there is no such member. */
void json_attach(const json_value *value, void *attached);
bool json_attached(const json_value *object, const char *name, void **attached);

/* The exact text of a number. Not terminated. */
const char *json_number_text(const json_value *number, size_t *length);

/* Fails with "name:line:column: path: message". */
tool_status json_fail(const json_value *value, tool_error *error, tool_status status,
                      const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 4, 5)))
#endif
    ;

/* Fails with "out of memory", TOOL_ENVIRONMENT. */
tool_status json_fail_memory(const json_value *value, tool_error *error);

/* Fails with "expected <expected>, found <what the text has>". */
tool_status json_fail_type(const json_value *value, tool_error *error, const char *expected);

/* The following return a value of the expected type, or an error that says what was expected and
 * what is there. */

/* The member, or an error that it is required. null counts as missing. */
tool_status json_need(const json_value *object, const char *name, json_value *member,
                      tool_error *error);

tool_status json_need_type(const json_value *object, const char *name, json_type type,
                           json_value *member, tool_error *error);

/* *text belongs to the document. */
tool_status json_to_string(const json_value *value, const char **text, tool_error *error);
tool_status json_to_bool(const json_value *value, bool *flag, tool_error *error);

/* An integer between minimum and maximum, both included. type names the type in errors. */
tool_status json_to_integer(const json_value *value, const char *type, int64_t minimum,
                            uint64_t maximum, uint64_t *number, tool_error *error);

/* An optional member, absent or null: *number stays as it is. */
tool_status json_optional_uint64(const json_value *object, const char *name, uint64_t *number,
                                 tool_error *error);
tool_status json_optional_uint32(const json_value *object, const char *name, uint32_t *number,
                                 tool_error *error);

#endif
