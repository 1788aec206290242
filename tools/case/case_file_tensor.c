/* SPDX-License-Identifier: MIT */
/* Reads tensors, enumerations and flags with the names and defaults of DxDispatch. */
#include "case_file_reader.h"
#include "text.h"

#include <cumsum/cumsum.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const case_file_enum case_file_data_types = {"DML_TENSOR_DATA_TYPE",
                                             "DML_TENSOR_DATA_TYPE_",
                                             {{"UNKNOWN", CUMSUM_DATA_TYPE_UNKNOWN},
                                              {"FLOAT32", CUMSUM_DATA_TYPE_FLOAT32},
                                              {"FLOAT16", CUMSUM_DATA_TYPE_FLOAT16},
                                              {"UINT32", CUMSUM_DATA_TYPE_UINT32},
                                              {"UINT16", CUMSUM_DATA_TYPE_UINT16},
                                              {"UINT8", CUMSUM_DATA_TYPE_UINT8},
                                              {"INT32", CUMSUM_DATA_TYPE_INT32},
                                              {"INT16", CUMSUM_DATA_TYPE_INT16},
                                              {"INT8", CUMSUM_DATA_TYPE_INT8},
                                              {"FLOAT64", CUMSUM_DATA_TYPE_FLOAT64},
                                              {"UINT64", CUMSUM_DATA_TYPE_UINT64},
                                              {"INT64", CUMSUM_DATA_TYPE_INT64},
                                              {"UINT4", CUMSUM_DATA_TYPE_UINT4},
                                              {"INT4", CUMSUM_DATA_TYPE_INT4}}};

const case_file_enum case_file_tensor_types = {
    "DML_TENSOR_TYPE",
    "DML_TENSOR_TYPE_",
    {{"INVALID", CUMSUM_TENSOR_TYPE_INVALID}, {"BUFFER", CUMSUM_TENSOR_TYPE_BUFFER}}};

const case_file_enum case_file_tensor_flags = {
    "DML_TENSOR_FLAGS",
    "DML_TENSOR_FLAG_",
    {{"NONE", CUMSUM_TENSOR_FLAG_NONE}, {"OWNED_BY_DML", CUMSUM_TENSOR_FLAG_OWNED_BY_DML}}};

const case_file_enum case_file_execution_flags = {"DML_EXECUTION_FLAGS",
                                                  "DML_EXECUTION_FLAG_",
                                                  {{"NONE", 0},
                                                   {"ALLOW_HALF_PRECISION_COMPUTATION", 1},
                                                   {"DISABLE_META_COMMANDS", 2},
                                                   {"DESCRIPTORS_VOLATILE", 4}}};

const case_file_enum case_file_axis_directions = {
    "DML_AXIS_DIRECTION",
    "DML_AXIS_DIRECTION_",
    {{"INCREASING", CUMSUM_AXIS_DIRECTION_INCREASING},
     {"DECREASING", CUMSUM_AXIS_DIRECTION_DECREASING}}};

const case_file_enum case_file_orders = {"order",
                                         "",
                                         {{"SEQUENTIAL", CUMSUM_ORDER_SEQUENTIAL},
                                          {"BLOCKED", CUMSUM_ORDER_BLOCKED},
                                          {"EXACT", CUMSUM_ORDER_EXACT}}};

const case_file_enum case_file_half_accumulators = {
    "halfAccumulator",
    "",
    {{"FLOAT32", CUMSUM_HALF_ACCUMULATOR_FLOAT32}, {"FLOAT16", CUMSUM_HALF_ACCUMULATOR_FLOAT16}}};

const case_file_enum case_file_half_stores = {"halfStore",
                                              "",
                                              {{"NEAREST_EVEN", CUMSUM_HALF_STORE_NEAREST_EVEN},
                                               {"TOWARD_ZERO", CUMSUM_HALF_STORE_TOWARD_ZERO},
                                               {"IEEE", CUMSUM_HALF_STORE_IEEE}}};

const case_file_enum case_file_denormals = {
    "denormals", "", {{"PRESERVE", CUMSUM_DENORMALS_PRESERVE}, {"FLUSH", CUMSUM_DENORMALS_FLUSH}}};

tool_status case_file_to_name(const json_value *value, const case_file_enum *names, uint32_t *out,
                              tool_error *error) {
    const char *text;
    tool_status status = json_to_string(value, &text, error);
    if (status != TOOL_OK)
        return status;
    size_t prefix = strlen(names->prefix);
    const char *name = strncmp(text, names->prefix, prefix) == 0 ? text + prefix : text;
    int found;
    if (word_find(names->words, name, &found)) {
        *out = (uint32_t)found;
        return TOOL_OK;
    }
    char shown[64];
    return json_fail(value, error, TOOL_MALFORMED, "\"%s\" is not a value of %s",
                     text_printable(shown, sizeof shown, text, strlen(text)), names->type);
}

tool_status case_file_to_enum(const json_value *value, const case_file_enum *names, uint32_t *out,
                              tool_error *error) {
    uint64_t number = 0;
    if (json_type_of(value) == json_type_string)
        return case_file_to_name(value, names, out, error);
    char expected[96];
    snprintf(expected, sizeof expected, "a name of %s, or in its place", names->type);
    tool_status status = json_to_integer(value, expected, INT32_MIN, UINT32_MAX, &number, error);
    *out = (uint32_t)number; /* -1 is 0xFFFFFFFF, as in C */
    return status;
}

tool_status case_file_to_flags(const json_value *value, const case_file_enum *names, uint32_t *out,
                               tool_error *error) {
    if (json_type_of(value) != json_type_array)
        return case_file_to_enum(value, names, out, error);
    *out = 0;
    for (size_t i = 0; i < json_object_array_length(value->object); i++) {
        json_value element = json_element(value, i);
        uint32_t flag = 0;
        tool_status status = case_file_to_enum(&element, names, &flag, error);
        if (status != TOOL_OK)
            return status;
        *out |= flag;
    }
    return TOOL_OK;
}

/* An array of UINT32, or NULL with a count of 0 where the member is missing or null. */
static tool_status read_array(const json_value *object, const char *name, uint32_t **out,
                              size_t *count, tool_error *error) {
    json_value array;
    *count = 0;
    if (!json_member(object, name, &array) || !array.object)
        return TOOL_OK;
    if (json_type_of(&array) != json_type_array)
        return json_fail_type(&array, error, "an array of UINT32");
    *count = json_object_array_length(array.object);
    *out = calloc(*count + 1, sizeof **out); /* not NULL if the array is empty */
    if (!*out)
        return json_fail_memory(&array, error);
    for (size_t i = 0; i < *count; i++) {
        json_value element = json_element(&array, i);
        uint64_t number;
        tool_status status = json_to_integer(&element, "UINT32", 0, UINT32_MAX, &number, error);
        if (status != TOOL_OK)
            return status;
        (*out)[i] = (uint32_t)number;
    }
    return TOOL_OK;
}

/* DimensionCount must not exceed the length of either array. */
static tool_status check_count(const json_value *object, const case_file_tensor *tensor,
                               size_t sizes, size_t strides, tool_error *error) {
    uint32_t count = tensor->buffer.dimension_count;
    json_value member;
    if (tensor->sizes && tensor->strides && sizes != strides) {
        json_member(object, "Strides", &member);
        return json_fail(&member, error, TOOL_MALFORMED,
                         "Strides has %zu elements and Sizes %zu: they must have as many", strides,
                         sizes);
    }
    if ((tensor->sizes && count > sizes) || (tensor->strides && count > strides)) {
        json_member(object, "DimensionCount", &member);
        return json_fail(&member, error, TOOL_MALFORMED,
                         "DimensionCount is %" PRIu32 ", but there are only %zu elements in %s",
                         count, tensor->sizes ? sizes : strides,
                         tensor->sizes ? "Sizes" : "Strides");
    }
    return TOOL_OK;
}

static tool_status read_shape(const json_value *object, case_file_tensor *out, tool_error *error) {
    size_t sizes;
    size_t strides;
    tool_status status = read_array(object, "Sizes", &out->sizes, &sizes, error);
    if (status == TOOL_OK)
        status = read_array(object, "Strides", &out->strides, &strides, error);
    if (status != TOOL_OK)
        return status;
    if (out->strides && strides == 0) { /* an empty array means packed */
        free(out->strides);
        out->strides = NULL;
    }
    out->buffer.dimension_count = (uint32_t)sizes;
    status = json_optional_uint32(object, "DimensionCount", &out->buffer.dimension_count, error);
    return status == TOOL_OK ? check_count(object, out, sizes, strides, error) : status;
}

static tool_status read_type_and_flags(const json_value *object, cumsum_buffer_tensor_desc *buffer,
                                       tool_error *error) {
    json_value member;
    uint32_t type = 0;
    uint32_t flags = 0;
    tool_status status = json_need(object, "DataType", &member, error);
    if (status == TOOL_OK)
        status = case_file_to_enum(&member, &case_file_data_types, &type, error);
    if (status == TOOL_OK && json_member(object, "Flags", &member) && member.object)
        status = case_file_to_flags(&member, &case_file_tensor_flags, &flags, error);
    buffer->data_type = (cumsum_data_type)type;
    buffer->flags = (cumsum_tensor_flags)flags;
    return status;
}

/* The size without padding is the default. An invalid layout has no size and keeps 0, and
 * validation reports it. */
static tool_status read_total_size(const json_value *object, case_file_zero_size zero_size,
                                   cumsum_buffer_tensor_desc *buffer, tool_error *error) {
    json_value member;
    uint64_t *size = &buffer->total_tensor_size_in_bytes;
    bool written = json_member(object, "TotalTensorSizeInBytes", &member) && member.object;
    tool_status status = json_optional_uint64(object, "TotalTensorSizeInBytes", size, error);
    if (status == TOOL_OK && *size == 0 && !(written && zero_size == CASE_FILE_ZERO_SIZE_KEPT)) {
        cumsum_tensor_size(buffer->data_type, buffer->dimension_count, buffer->sizes,
                           buffer->strides, size);
    }
    return status;
}

static tool_status read_buffer(const json_value *object, case_file_zero_size zero_size,
                               case_file_tensor *out, tool_error *error) {
    cumsum_buffer_tensor_desc *buffer = &out->buffer;
    if (json_type_of(object) != json_type_object)
        return json_fail_type(object, error, "an object");
    tool_status status = read_type_and_flags(object, buffer, error);
    if (status == TOOL_OK)
        status = read_shape(object, out, error);
    buffer->sizes = out->sizes;
    buffer->strides = out->strides;
    if (status == TOOL_OK)
        status = read_total_size(object, zero_size, buffer, error);
    if (status == TOOL_OK) {
        status = json_optional_uint32(object, "GuaranteedBaseOffsetAlignment",
                                      &buffer->guaranteed_base_offset_alignment, error);
    }
    return status;
}

tool_status case_file_read_tensor(const json_value *operator_desc, const char *name,
                                  case_file_zero_size zero_size, case_file_tensor *out,
                                  tool_error *error) {
    json_value tensor;
    json_value member;
    uint32_t type = CUMSUM_TENSOR_TYPE_BUFFER;
    tool_status status = TOOL_OK;
    if (!json_member(operator_desc, name, &tensor) || !tensor.object)
        return TOOL_OK;
    if (json_type_of(&tensor) != json_type_object)
        return json_fail_type(&tensor, error, "an object");
    if (json_member(&tensor, "Type", &member) && member.object)
        status = case_file_to_enum(&member, &case_file_tensor_types, &type, error);
    out->present = true;
    out->desc.type = (cumsum_tensor_type)type;
    out->desc.desc = &out->buffer;
    if (status != TOOL_OK)
        return status;
    bool nested = json_member(&tensor, "Desc", &member);
    return read_buffer(nested ? &member : &tensor, zero_size, out, error);
}
