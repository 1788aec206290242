/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_REPORT_FIELDS_H
#define CUMSUM_TOOLS_REPORT_FIELDS_H

/* Members of the JSON objects that the tool prints. 64-bit integers are exact; a floating-point
 * value that JSON has no number for is the string "nan", "inf" or "-inf", as in case files. */

#include <cumsum/cumsum.h>
#include <json-c/json.h>

/* Text from anywhere: what is not UTF-8 in it becomes U+FFFD. */
void fields_text(json_object *object, const char *key, const char *text);
void fields_count(json_object *object, const char *key, uint64_t count);
void fields_flag(json_object *object, const char *key, bool flag);
void fields_double(json_object *object, const char *key, double value);
void fields_numbers(json_object *object, const char *key, uint32_t count, const uint32_t *numbers);

/* An element as a number (or a string, see above). */
json_object *fields_element(cumsum_data_type type, uint64_t bits);

/* `key` with the value and `key`Hex with the bits. */
void fields_value(json_object *object, const char *key, cumsum_data_type type, uint64_t bits);

/* "ulps": null for a NaN against a number. */
void fields_ulps(json_object *object, cumsum_data_type type, uint64_t ulps);

/* order, halfAccumulator, halfStore, denormals, as far as they matter for the type. */
void fields_numerics(json_object *object, cumsum_data_type type, const cumsum_numerics *numerics);

/* type, sizes, axis, direction, exclusive of a valid operator. */
void fields_operator(json_object *object, const cumsum_operator_desc *desc);

#endif
