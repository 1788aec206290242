/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_JSON_NUMBER_H
#define CUMSUM_TOOLS_JSON_NUMBER_H

struct json_object;

/* A number of json-c for a number as JSON writes it: an integer where 64 bits hold it, else a
 * double that prints as it is written here. NULL where memory is out. */
struct json_object *json_number_value(const char *text);

#endif
