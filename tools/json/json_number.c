/* SPDX-License-Identifier: MIT */
#include "json_number.h"

#include <json-c/json.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "number_integer.h"

json_object *json_number_value(const char *text) {
    uint64_t bits;
    if (number_to_integer(text, strlen(text), INT64_MIN, UINT64_MAX, &bits) != NUMBER_OK)
        return json_object_new_double_s(strtod(text, NULL), text);
    return text[0] == '-' || bits <= INT64_MAX ? json_object_new_int64((int64_t)bits)
                                               : json_object_new_uint64(bits);
}
