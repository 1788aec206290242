/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_JSON_PRINT_H
#define CUMSUM_TOOLS_JSON_PRINT_H

/*
 * Values of json-c's without places in a text: makes them, puts them together, finds members and
 * prints them. Where memory is out these end the program as tool_malloc does: json-c takes a value
 * that could not be made for null, and where its buffer cannot grow it leaves out text.
 */

#include <json-c/json.h>
#include <stdbool.h>
#include <stdint.h>

json_object *json_make_object(void);
json_object *json_make_array(void);
json_object *json_make_string(const char *text);
json_object *json_make_count(uint64_t count);
json_object *json_make_flag(bool flag);

/* Prints as `text`, or, where that is NULL, in json-c's own format. */
json_object *json_make_number(double value, const char *text);

/* Take ownership of the value, which may be NULL: null. */
void json_put_member(json_object *object, const char *name, json_object *value);
void json_put_element(json_object *array, json_object *value);

/* The value as JSON. The text belongs to the value. flags: JSON_C_TO_STRING_... */
const char *json_print(json_object *value, int flags);

/* The member, NULL if the value is no object or has none of this type. */
json_object *json_find(json_object *object, const char *name, json_type type);

/* The number of a member, or `otherwise` where it is not an integer. */
uint64_t json_find_number(json_object *object, const char *name, uint64_t otherwise);

/* The text of a member or an element, as json_word has it; "" where there is none. */
const char *json_find_text(json_object *object, const char *name);
const char *json_item_text(json_object *array, size_t index);

/* A string as it is, another value as JSON. The text belongs to the value. */
const char *json_word(json_object *value);

#endif
