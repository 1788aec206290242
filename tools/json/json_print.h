/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_JSON_PRINT_H
#define CUMSUM_TOOLS_JSON_PRINT_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * Values of json-c that are made, put together and printed. Where memory is out these end the
 * program as tool_malloc does: a value that is NULL would be null to json-c, and what it has no
 * room for while it prints it leaves out.
 */

json_object *json_make_object(void);
json_object *json_make_array(void);
json_object *json_make_string(const char *text);
json_object *json_make_count(uint64_t count);
json_object *json_make_flag(bool flag);

/* Prints as `text`, or, where that is NULL, as json-c prints it. */
json_object *json_make_number(double value, const char *text);

/* Take the value over, which may be NULL: null. */
void json_put_member(json_object *object, const char *name, json_object *value);
void json_put_element(json_object *array, json_object *value);

/* The value as JSON, in memory of its own; flags are JSON_C_TO_STRING_... */
const char *json_print(json_object *value, int flags);

/* A string as it is, another value as JSON; in memory of its own. */
const char *json_word(json_object *value);

#endif
