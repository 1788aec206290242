/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_JSON_TREE_H
#define CUMSUM_TOOLS_JSON_TREE_H

/*
 * Trees of JSON values: made, put together, searched and printed. A value has owners, whom
 * json_object_get and json_object_put count; a container owns what is put into it. NULL is null.
 * Where memory is out the program ends, as in tool_malloc.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum json_type {
    json_type_null, /* NULL; or in a text that was read, where null has a place */
    json_type_boolean,
    json_type_number, /* as it is written: no number is rounded before its type is known */
    json_type_string,
    json_type_array,
    json_type_object
} json_type;

typedef struct json_object json_object;

json_object *json_make_object(void);
json_object *json_make_array(void);
json_object *json_make_string(const char *text); /* bytes that are no UTF-8 become U+FFFD */
json_object *json_make_flag(bool flag);
json_object *json_make_count(uint64_t count);
json_object *json_make_number(const char *digits); /* prints as these */

/* A value of any type. text: what a string holds; a number, true, false or null as it is written;
 * of an object or an array empty. */
json_object *json_make_value(json_type type, const char *text, size_t length);

/* One owner more, and one less: the last one frees the value. NULL is left alone. */
json_object *json_object_get(json_object *value);
void json_object_put(json_object *value);

/* Take ownership of the value. A member of that name is replaced, in its place. */
void json_put_member(json_object *object, const char *name, json_object *value);
void json_put_element(json_object *array, json_object *value);

/* Appends a string, and frees the text. */
void json_put_text(json_object *array, char *text);

json_type json_type_of(const json_object *value);

/* A number, true, false or null as it is written, or what a string holds; "" of another value. */
const char *json_text(const json_object *value);
bool json_is_true(const json_object *value);

/* The members of an object or the elements of an array, in their order; 0 of another value. */
size_t json_length(const json_object *container);
json_object *json_element(const json_object *container, size_t index);

/* The member, in constant time; NULL where there is none. */
json_object *json_member(const json_object *object, const char *name);

/* False where the object has fewer members. */
bool json_member_at(const json_object *object, size_t index, const char **name,
                    json_object **value);

/* for each member, whose name and value are declared; a declaration has no parentheses:
 * NOLINTBEGIN(bugprone-macro-parentheses) */
#define json_object_object_foreach(object, name, value)                                            \
    const char *name;                                                                              \
    json_object *value;                                                                            \
    for (size_t name##_at = 0; json_member_at(object, name##_at, &(name), &(value)); name##_at++)
/* NOLINTEND(bugprone-macro-parentheses) */

/* Where a value of a text stands (json_value.h). */
typedef struct json_place {
    struct json_document *document;
    const json_object *parent; /* NULL: it is the root */
    const char *name;          /* the member's name; NULL: an element of an array */
    size_t index;              /* among the members or elements of the parent */
    const char *text;          /* its first character */
} json_place;

void json_set_place(json_object *value, const json_place *place);
const json_place *json_place_of(const json_object *value);

/* The value as JSON in one line without blanks. The text belongs to the value. */
const char *json_print(json_object *value);

/* A string as it is, another value as JSON. The text belongs to the value. */
const char *json_word(json_object *value);

/* The member, NULL if the value is no object or has none of this type. */
json_object *json_find(json_object *object, const char *name, json_type type);

/* The number of a member, or `otherwise` where it is no integer of 64 bits without a sign. */
uint64_t json_find_number(json_object *object, const char *name, uint64_t otherwise);

/* The text of a member or an element, as json_word has it; "" where there is none, or null. */
const char *json_find_text(json_object *object, const char *name);
const char *json_item_text(json_object *array, size_t index);

/* Writes the texts of all elements, `between` them and `before` the first. */
void json_show_list(FILE *out, json_object *array, const char *before, const char *between);
char *json_list_text(json_object *array, const char *between); /* the caller frees it */

/* The tree of a text; NULL where it is malformed. The places in it are not to be used. */
json_object *json_read(const char *text, size_t length);

#ifdef __cplusplus
}
#endif

#endif
