/* SPDX-License-Identifier: MIT */
#include "report_fields.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "describe.h"
#include "element.h"
#include "json_make.h"
#include "text.h"

void fields_text(json_object *object, const char *key, const char *text) {
    char *clean = text_utf8(text, 0);
    json_put_member(object, key, json_make_string(clean));
    free(clean);
}

void fields_count(json_object *object, const char *key, uint64_t count) {
    json_put_member(object, key, json_make_count(count));
}

void fields_flag(json_object *object, const char *key, bool flag) {
    json_put_member(object, key, json_make_flag(flag));
}

static json_object *number_or_word(const char *text, double value) {
    return isfinite(value) ? json_make_number(value, text) : json_make_string(text);
}

void fields_double(json_object *object, const char *key, double value) {
    char text[ELEMENT_TEXT];
    snprintf(text, sizeof text, "%.6g", value);
    if (isnan(value))
        snprintf(text, sizeof text, "nan"); /* printf may write "-nan" */
    json_put_member(object, key, number_or_word(text, value));
}

void fields_numbers(json_object *object, const char *key, uint32_t count, const uint32_t *numbers) {
    json_object *array = json_make_array();
    for (uint32_t i = 0; i < count; i++)
        json_put_element(array, json_make_count(numbers[i]));
    json_put_member(object, key, array);
}

json_object *fields_element(cumsum_data_type type, uint64_t bits) {
    char text[ELEMENT_TEXT];
    element_decimal(text, type, bits);
    /* The text is what is printed; the number only says whether JSON can hold it. */
    return number_or_word(text, element_is_finite(type, bits) ? 0.0 : NAN);
}

void fields_value(json_object *object, const char *key, cumsum_data_type type, uint64_t bits) {
    char hex_key[64];
    char text[ELEMENT_TEXT];
    snprintf(hex_key, sizeof hex_key, "%sHex", key);
    element_hex(text, type, bits);
    json_put_member(object, key, fields_element(type, bits));
    fields_text(object, hex_key, text);
}

void fields_ulps(json_object *object, cumsum_data_type type, uint64_t ulps) {
    bool floating = type == CUMSUM_DATA_TYPE_FLOAT32 || type == CUMSUM_DATA_TYPE_FLOAT16 ||
                    type == CUMSUM_DATA_TYPE_FLOAT64;
    bool defined = !floating || ulps != UINT64_MAX;
    json_put_member(object, "ulps", defined ? json_make_count(ulps) : NULL);
}

void fields_numerics(json_object *object, cumsum_data_type type, const cumsum_numerics *numerics) {
    fields_text(object, "order", order_name(numerics->order));
    if (type == CUMSUM_DATA_TYPE_FLOAT16) {
        fields_text(object, "halfAccumulator", half_accumulator_name(numerics->half_accumulator));
        fields_text(object, "halfStore", half_store_name(numerics->half_store));
    }
    if (type == CUMSUM_DATA_TYPE_FLOAT32)
        fields_text(object, "denormals", denormals_name(numerics->denormals));
}

void fields_operator(json_object *object, const cumsum_operator_desc *desc) {
    const cumsum_buffer_tensor_desc *output = desc->output_tensor->desc;
    fields_text(object, "type", cumsum_data_type_name(output->data_type));
    fields_numbers(object, "sizes", output->dimension_count, output->sizes);
    fields_count(object, "axis", desc->axis);
    fields_text(object, "direction",
                desc->axis_direction == CUMSUM_AXIS_DIRECTION_DECREASING ? "decreasing"
                                                                         : "increasing");
    fields_flag(object, "exclusive", desc->has_exclusive_sum != 0);
}
