/* SPDX-License-Identifier: MIT */
/* Reads tensors, enumerations and flags with the names and defaults of DxDispatch. */
#include "case_file_reader.h"
#include "memory.h"
#include "text.h"

#include <cumsum/cumsum.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const word_row data_type_words[] = {{"UNKNOWN", CUMSUM_DATA_TYPE_UNKNOWN},
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
                                           {"INT4", CUMSUM_DATA_TYPE_INT4},
                                           {NULL, 0}};
static const word_row tensor_type_words[] = {
    {"INVALID", CUMSUM_TENSOR_TYPE_INVALID}, {"BUFFER", CUMSUM_TENSOR_TYPE_BUFFER}, {NULL, 0}};
static const word_row tensor_flag_words[] = {{"NONE", CUMSUM_TENSOR_FLAG_NONE},
                                             {"OWNED_BY_DML", CUMSUM_TENSOR_FLAG_OWNED_BY_DML},
                                             {NULL, 0}};
static const word_row execution_flag_words[] = {{"NONE", 0},
                                                {"ALLOW_HALF_PRECISION_COMPUTATION", 1},
                                                {"DISABLE_META_COMMANDS", 2},
                                                {"DESCRIPTORS_VOLATILE", 4},
                                                {NULL, 0}};
static const word_row direction_words[] = {{"INCREASING", CUMSUM_AXIS_DIRECTION_INCREASING},
                                           {"DECREASING", CUMSUM_AXIS_DIRECTION_DECREASING},
                                           {NULL, 0}};

static const case_file_enum tensor_types = {"DML_TENSOR_TYPE", "DML_TENSOR_TYPE_",
                                            tensor_type_words};
static const case_file_enum tensor_flags = {"DML_TENSOR_FLAGS", "DML_TENSOR_FLAG_",
                                            tensor_flag_words};
const case_file_enum case_file_data_types = {"DML_TENSOR_DATA_TYPE", "DML_TENSOR_DATA_TYPE_",
                                             data_type_words};
const case_file_enum case_file_execution_flags = {"DML_EXECUTION_FLAGS", "DML_EXECUTION_FLAG_",
                                                  execution_flag_words};
const case_file_enum case_file_axis_directions = {"DML_AXIS_DIRECTION", "DML_AXIS_DIRECTION_",
                                                  direction_words};
const case_file_enum case_file_orders = {"order", "", order_words};
const case_file_enum case_file_half_accumulators = {"halfAccumulator", "", half_accumulator_words};
const case_file_enum case_file_half_stores = {"halfStore", "", half_store_words};
const case_file_enum case_file_denormals = {"denormals", "", denormals_words};

/* The words of a case file are in capitals, those of the command line are not. */
static bool find_word(const word_row *words, const char *name, int *found) {
    return !strpbrk(name, "abcdefghijklmnopqrstuvwxyz-") && word_find_like(words, name, found);
}

uint32_t case_file_to_name(const json_value *value, const case_file_enum *names) {
    const char *text = json_string(*value);
    size_t prefix = strlen(names->prefix);
    const char *name = strncmp(text, names->prefix, prefix) == 0 ? text + prefix : text;
    int found = 0;
    char shown[64];
    if (!find_word(names->words, name, &found))
        json_fail(value, TOOL_MALFORMED, "\"%s\" is not a value of %s",
                  text_printable(shown, sizeof shown, text, strlen(text)), names->type);
    return (uint32_t)found;
}

uint32_t case_file_to_enum(json_value value, const case_file_enum *names) {
    if (json_type_of(&value) == json_type_string)
        return case_file_to_name(&value, names);
    char expected[96];
    snprintf(expected, sizeof expected, "a name of %s, or in its place", names->type);
    /* -1 is 0xFFFFFFFF, as in C */
    return (uint32_t)json_integer(value, expected, INT32_MIN, UINT32_MAX);
}

uint32_t case_file_to_flags(const json_value *value, const case_file_enum *names) {
    uint32_t flags = 0;
    if (json_type_of(value) != json_type_array)
        return case_file_to_enum(*value, names);
    for (size_t i = 0; i < json_length(value) && json_ok(value); i++)
        flags |= case_file_to_enum(json_element(value, i), names);
    return flags;
}

uint32_t *case_file_read_array(const json_value *object, const char *name, size_t *count) {
    json_value array;
    *count = 0;
    if (!json_optional(object, name, &array))
        return NULL;
    if (json_type_of(&array) != json_type_array) {
        json_fail_type(&array, "an array of UINT32");
        return NULL;
    }
    *count = json_length(&array);
    uint32_t *numbers = tool_calloc(*count, sizeof *numbers); /* not NULL if the array is empty */
    for (size_t i = 0; i < *count && json_ok(&array); i++)
        numbers[i] = (uint32_t)json_integer(json_element(&array, i), "UINT32", 0, UINT32_MAX);
    return numbers;
}

/* DimensionCount must not exceed the length of either array. */
static void check_count(const json_value *object, const case_file_tensor *tensor, size_t sizes,
                        size_t strides) {
    uint32_t count = tensor->buffer.dimension_count;
    json_value member;
    if (tensor->sizes && tensor->strides && sizes != strides) {
        json_member(object, "Strides", &member);
        json_fail(&member, TOOL_MALFORMED,
                  "Strides has %zu elements and Sizes %zu: they must have as many", strides, sizes);
    }
    if ((tensor->sizes && count > sizes) || (tensor->strides && count > strides)) {
        json_member(object, "DimensionCount", &member);
        json_fail(&member, TOOL_MALFORMED,
                  "DimensionCount is %" PRIu32 ", but there are only %zu elements in %s", count,
                  tensor->sizes ? sizes : strides, tensor->sizes ? "Sizes" : "Strides");
    }
}

static void read_shape(const json_value *object, case_file_tensor *out) {
    size_t sizes;
    size_t strides;
    out->sizes = case_file_read_array(object, "Sizes", &sizes);
    out->strides = case_file_read_array(object, "Strides", &strides);
    if (strides == 0) { /* an empty array means packed */
        free(out->strides);
        out->strides = NULL;
    }
    out->buffer.sizes = out->sizes;
    out->buffer.strides = out->strides;
    out->buffer.dimension_count = json_uint32(object, "DimensionCount", (uint32_t)sizes);
    check_count(object, out, sizes, strides);
}

/* The size without padding is the default. An invalid layout has no size and keeps 0, and
 * validation reports it. */
static void read_total_size(const json_value *object, case_file_zero_size zero_size,
                            cumsum_buffer_tensor_desc *buffer) {
    json_value member;
    uint64_t *size = &buffer->total_tensor_size_in_bytes;
    bool kept = json_optional(object, "TotalTensorSizeInBytes", &member) &&
                zero_size == CASE_FILE_ZERO_SIZE_KEPT;
    *size = json_uint64(object, "TotalTensorSizeInBytes", 0);
    if (json_ok(object) && *size == 0 && !kept)
        cumsum_tensor_size(buffer->data_type, buffer->dimension_count, buffer->sizes,
                           buffer->strides, size);
}

static void read_buffer(const json_value *object, case_file_zero_size zero_size,
                        case_file_tensor *out) {
    cumsum_buffer_tensor_desc *buffer = &out->buffer;
    json_value flags;
    if (!json_expect(object, json_type_object))
        return;
    buffer->data_type =
        (cumsum_data_type)case_file_to_enum(json_need(object, "DataType"), &case_file_data_types);
    if (json_optional(object, "Flags", &flags))
        buffer->flags = (cumsum_tensor_flags)case_file_to_flags(&flags, &tensor_flags);
    read_shape(object, out);
    read_total_size(object, zero_size, buffer);
    buffer->guaranteed_base_offset_alignment =
        json_uint32(object, "GuaranteedBaseOffsetAlignment", 0);
}

void case_file_read_tensor(const json_value *operator_desc, const char *name,
                           case_file_zero_size zero_size, case_file_tensor *out) {
    json_value tensor;
    json_value member;
    if (!json_optional(operator_desc, name, &tensor) || !json_expect(&tensor, json_type_object))
        return;
    out->present = true;
    out->desc.type = CUMSUM_TENSOR_TYPE_BUFFER;
    if (json_optional(&tensor, "Type", &member))
        out->desc.type = (cumsum_tensor_type)case_file_to_enum(member, &tensor_types);
    out->desc.desc = &out->buffer;
    bool nested = json_member(&tensor, "Desc", &member);
    read_buffer(nested ? &member : &tensor, zero_size, out);
}
