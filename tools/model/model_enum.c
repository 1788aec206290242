/* SPDX-License-Identifier: MIT */
#include "model_enum.h"

#include <cumsum/cumsum.h>
#include <stdio.h>
#include <string.h>

#include "json_field.h"

const model_enum model_data_types = {
    "DML_TENSOR_DATA_TYPE",
    "DML_TENSOR_DATA_TYPE_",
    14,
    {"UNKNOWN", "FLOAT32", "FLOAT16", "UINT32", "UINT16", "UINT8", "INT32", "INT16", "INT8",
     "FLOAT64", "UINT64", "INT64", "UINT4", "INT4"},
    {CUMSUM_DATA_TYPE_UNKNOWN, CUMSUM_DATA_TYPE_FLOAT32, CUMSUM_DATA_TYPE_FLOAT16,
     CUMSUM_DATA_TYPE_UINT32, CUMSUM_DATA_TYPE_UINT16, CUMSUM_DATA_TYPE_UINT8,
     CUMSUM_DATA_TYPE_INT32, CUMSUM_DATA_TYPE_INT16, CUMSUM_DATA_TYPE_INT8,
     CUMSUM_DATA_TYPE_FLOAT64, CUMSUM_DATA_TYPE_UINT64, CUMSUM_DATA_TYPE_INT64,
     CUMSUM_DATA_TYPE_UINT4, CUMSUM_DATA_TYPE_INT4}};

const model_enum model_tensor_types = {"DML_TENSOR_TYPE",
                                       "DML_TENSOR_TYPE_",
                                       2,
                                       {"INVALID", "BUFFER"},
                                       {CUMSUM_TENSOR_TYPE_INVALID, CUMSUM_TENSOR_TYPE_BUFFER}};

const model_enum model_tensor_flags = {"DML_TENSOR_FLAGS",
                                       "DML_TENSOR_FLAG_",
                                       2,
                                       {"NONE", "OWNED_BY_DML"},
                                       {CUMSUM_TENSOR_FLAG_NONE, CUMSUM_TENSOR_FLAG_OWNED_BY_DML}};

const model_enum model_execution_flags = {
    "DML_EXECUTION_FLAGS",
    "DML_EXECUTION_FLAG_",
    4,
    {"NONE", "ALLOW_HALF_PRECISION_COMPUTATION", "DISABLE_META_COMMANDS", "DESCRIPTORS_VOLATILE"},
    {0, 1, 2, 4}};

const model_enum model_axis_directions = {
    "DML_AXIS_DIRECTION",
    "DML_AXIS_DIRECTION_",
    2,
    {"INCREASING", "DECREASING"},
    {CUMSUM_AXIS_DIRECTION_INCREASING, CUMSUM_AXIS_DIRECTION_DECREASING}};

const model_enum model_orders = {
    "order",
    "",
    3,
    {"SEQUENTIAL", "BLOCKED", "EXACT"},
    {CUMSUM_ORDER_SEQUENTIAL, CUMSUM_ORDER_BLOCKED, CUMSUM_ORDER_EXACT}};

const model_enum model_half_accumulators = {
    "halfAccumulator",
    "",
    2,
    {"FLOAT32", "FLOAT16"},
    {CUMSUM_HALF_ACCUMULATOR_FLOAT32, CUMSUM_HALF_ACCUMULATOR_FLOAT16}};

const model_enum model_half_stores = {
    "halfStore",
    "",
    3,
    {"NEAREST_EVEN", "TOWARD_ZERO", "IEEE"},
    {CUMSUM_HALF_STORE_NEAREST_EVEN, CUMSUM_HALF_STORE_TOWARD_ZERO, CUMSUM_HALF_STORE_IEEE}};

const model_enum model_denormals = {
    "denormals", "", 2, {"PRESERVE", "FLUSH"}, {CUMSUM_DENORMALS_PRESERVE, CUMSUM_DENORMALS_FLUSH}};

tool_status model_to_name(const json_value *value, const model_enum *names, uint32_t *out,
                          tool_error *error) {
    const char *text;
    tool_status status = json_to_string(value, &text, error);
    if (status != TOOL_OK)
        return status;
    size_t prefix = strlen(names->prefix);
    const char *name = strncmp(text, names->prefix, prefix) == 0 ? text + prefix : text;
    for (size_t i = 0; i < names->count; i++) {
        if (strcmp(name, names->names[i]) == 0) {
            *out = names->values[i];
            return TOOL_OK;
        }
    }
    char shown[64];
    return json_fail(value, error, TOOL_MALFORMED, "\"%s\" is not a value of %s",
                     json_printable(shown, sizeof shown, text, strlen(text)), names->type);
}

tool_status model_to_enum(const json_value *value, const model_enum *names, uint32_t *out,
                          tool_error *error) {
    uint64_t number = 0;
    if (json_type_of(value) == json_type_string)
        return model_to_name(value, names, out, error);
    char expected[96];
    snprintf(expected, sizeof expected, "a name of %s, or in its place", names->type);
    tool_status status = json_to_integer(value, expected, INT32_MIN, UINT32_MAX, &number, error);
    *out = (uint32_t)number; /* -1 is 0xFFFFFFFF, as in C */
    return status;
}

tool_status model_to_flags(const json_value *value, const model_enum *names, uint32_t *out,
                           tool_error *error) {
    if (json_type_of(value) != json_type_array)
        return model_to_enum(value, names, out, error);
    *out = 0;
    for (size_t i = 0; i < json_object_array_length(value->object); i++) {
        json_value element = json_element(value, i);
        uint32_t flag = 0;
        tool_status status = model_to_enum(&element, names, &flag, error);
        if (status != TOOL_OK)
            return status;
        *out |= flag;
    }
    return TOOL_OK;
}
