/* SPDX-License-Identifier: MIT */
/*
 * Reads operators with the names and defaults of DxDispatch: tensors, enumerations and flags, a
 * dispatchable of a case file, and a line of descriptors.jsonl, which holds a descriptor, valid or
 * not, and DirectML's verdict on it.
 */
#include <cumsum/cumsum.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "case_file_reader.h"
#include "memory.h"
#include "word_table.h"

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

/* An enumeration as case files write it: of DirectML or of this project. */
typedef struct enumeration {
    const char *type;
    const char *prefix;    /* that the names may have or not */
    const word_row *words; /* NULL: the data types */
} enumeration;

static const enumeration tensor_types = {"DML_TENSOR_TYPE", "DML_TENSOR_TYPE_", tensor_type_words};
static const enumeration tensor_flags = {"DML_TENSOR_FLAGS", "DML_TENSOR_FLAG_", tensor_flag_words};
static const enumeration data_types = {"DML_TENSOR_DATA_TYPE", "DML_TENSOR_DATA_TYPE_", NULL};
static const enumeration execution_flags = {"DML_EXECUTION_FLAGS", "DML_EXECUTION_FLAG_",
                                            execution_flag_words};
static const enumeration directions = {"DML_AXIS_DIRECTION", "DML_AXIS_DIRECTION_",
                                       direction_words};
static const enumeration orders = {"order", "", order_words};
static const enumeration half_accumulators = {"halfAccumulator", "", half_accumulator_words};
static const enumeration half_stores = {"halfStore", "", half_store_words};
static const enumeration denormals = {"denormals", "", denormals_words};

/* The words of a case file are in capitals, those of the command line are not. */
static bool find_word(const word_row *words, const char *name, int *found) {
    if (words)
        return !strpbrk(name, "abcdefghijklmnopqrstuvwxyz-") && word_find(words, name, found);
    for (*found = CUMSUM_DATA_TYPE_UNKNOWN; *found <= CUMSUM_DATA_TYPE_INT4; ++*found)
        if (strcmp(name, cumsum_data_type_name((cumsum_data_type)*found)) == 0)
            return true;
    return false;
}

/* A name of the enumeration and nothing else. */
static uint32_t to_name(const json_object *value, const enumeration *names) {
    const char *text = json_string(value);
    size_t prefix = strlen(names->prefix);
    const char *name = strncmp(text, names->prefix, prefix) == 0 ? text + prefix : text;
    int found = 0;
    if (!find_word(names->words, name, &found))
        json_fail(value, TOOL_MALFORMED, "\"%.63s\" is not a value of %s", text, names->type);
    return (uint32_t)found;
}

/* A name of the enumeration, or any integer of 32 bits, which validation judges later. An unknown
 * name is an error. */
static uint32_t to_enum(const json_object *value, const enumeration *names) {
    if (json_type_of(value) == json_type_string)
        return to_name(value, names);
    char expected[96];
    snprintf(expected, sizeof expected, "a name of %s, or in its place", names->type);
    /* -1 is 0xFFFFFFFF, as in C */
    return (uint32_t)json_integer(value, expected, INT32_MIN, UINT32_MAX);
}

cumsum_data_type case_file_read_type(const json_object *value) {
    return (cumsum_data_type)to_enum(value, &data_types);
}

/* One flag, or an array of flags that are combined. */
static uint32_t to_flags(const json_object *value, const enumeration *names) {
    uint32_t flags = 0;
    if (json_type_of(value) != json_type_array)
        return to_enum(value, names);
    for (size_t i = 0; i < json_length(value) && json_ok(value); i++)
        flags |= to_enum(json_element(value, i), names);
    return flags;
}

uint32_t *case_file_read_array(const json_object *object, const char *name, size_t *count) {
    const json_object *array = json_optional(object, name);
    *count = 0;
    if (!array)
        return NULL;
    if (json_type_of(array) != json_type_array) {
        json_fail_type(array, "an array of UINT32");
        return NULL;
    }
    *count = json_length(array);
    uint32_t *numbers = tool_calloc(*count, sizeof *numbers); /* not NULL if the array is empty */
    for (size_t i = 0; i < *count && json_ok(array); i++)
        numbers[i] = (uint32_t)json_integer(json_element(array, i), "UINT32", 0, UINT32_MAX);
    return numbers;
}

/* DimensionCount must not exceed the length of either array. */
static void check_count(const json_object *object, const case_file_tensor *tensor, size_t sizes,
                        size_t strides) {
    uint32_t count = tensor->buffer.dimension_count;
    if (tensor->sizes && tensor->strides && sizes != strides)
        json_fail(json_member(object, "Strides"), TOOL_MALFORMED,
                  "Strides has %zu elements and Sizes %zu: they must have as many", strides, sizes);
    if ((tensor->sizes && count > sizes) || (tensor->strides && count > strides))
        json_fail(json_member(object, "DimensionCount"), TOOL_MALFORMED,
                  "DimensionCount is %" PRIu32 ", but there are only %zu elements in %s", count,
                  tensor->sizes ? sizes : strides, tensor->sizes ? "Sizes" : "Strides");
}

static void read_shape(const json_object *object, case_file_tensor *out) {
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

/* The size without padding. An invalid layout has no size and keeps 0, and validation reports it.
 */
static void compute_size(cumsum_buffer_tensor_desc *buffer) {
    (void)cumsum_tensor_size(buffer->data_type, buffer->dimension_count, buffer->sizes,
                             buffer->strides, &buffer->total_tensor_size_in_bytes);
}

static void read_buffer(const json_object *object, case_file_tensor *out) {
    cumsum_buffer_tensor_desc *buffer = &out->buffer;
    const json_object *flags = json_optional(object, "Flags");
    if (!json_expect(object, json_type_object))
        return;
    buffer->data_type = case_file_read_type(json_need(object, "DataType"));
    if (flags)
        buffer->flags = (cumsum_tensor_flags)to_flags(flags, &tensor_flags);
    read_shape(object, out);
    buffer->total_tensor_size_in_bytes = json_uint64(object, "TotalTensorSizeInBytes", 0);
    if (json_ok(object) && !json_optional(object, "TotalTensorSizeInBytes"))
        compute_size(buffer);
    buffer->guaranteed_base_offset_alignment =
        json_uint32(object, "GuaranteedBaseOffsetAlignment", 0);
}

static void read_tensor(const json_object *operator_desc, const char *name, case_file_tensor *out) {
    const json_object *tensor = json_optional(operator_desc, name);
    if (!tensor || !json_expect(tensor, json_type_object))
        return;
    const json_object *type = json_optional(tensor, "Type"), *desc = json_member(tensor, "Desc");
    out->present = true;
    out->desc.type = CUMSUM_TENSOR_TYPE_BUFFER;
    if (type)
        out->desc.type = (cumsum_tensor_type)to_enum(type, &tensor_types);
    out->desc.desc = &out->buffer;
    read_buffer(desc ? desc : tensor, out);
}

/* Only the cumulative summation is supported. */
static void check_type(const json_object *type) {
    static const char prefix[] = "DML_OPERATOR_";
    const char *text = json_string(type);
    bool prefixed = strncasecmp(text, prefix, sizeof prefix - 1) == 0;
    if (strcasecmp(prefixed ? text + sizeof prefix - 1 : text, "CUMULATIVE_SUMMATION") == 0)
        return;
    json_fail(type, TOOL_MALFORMED,
              "a dispatchable of type \"%.63s\" is not supported: only "
              "DML_OPERATOR_CUMULATIVE_SUMMATION is",
              text);
}

/* A BOOL: true, false, or an integer, where 0 is false. */
static int32_t read_bool(const json_object *value) {
    return json_type_of(value) == json_type_boolean
               ? json_flag(value)
               : (int32_t)json_integer(value, "true, false, or in their place INT32", INT32_MIN,
                                       UINT32_MAX);
}

static void read_desc(const json_object *desc, case_file_operator *out) {
    if (!json_expect(desc, json_type_object))
        return;
    read_tensor(desc, "InputTensor", &out->input);
    read_tensor(desc, "OutputTensor", &out->output);
    out->desc.axis = (uint32_t)json_integer(
        json_need(desc, "Axis"), "UINT32, which counts from the first dimension", 0, UINT32_MAX);
    out->desc.axis_direction =
        (cumsum_axis_direction)to_enum(json_need(desc, "AxisDirection"), &directions);
    out->desc.has_exclusive_sum = read_bool(json_need(desc, "HasExclusiveSum"));
    out->desc.input_tensor = out->input.present ? &out->input.desc : NULL;
    out->desc.output_tensor = out->output.present ? &out->output.desc : NULL;
}

static const json_object *either_member(const json_object *object, const char *one,
                                        const char *other) {
    const json_object *member = json_member(object, one);
    return member ? member : json_member(object, other);
}

/* The operator is the member "Desc" or "desc" of holder, or holder itself without them. If holder
 * has a type, it must be the cumulative summation's. */
static void read_operator(const json_object *holder, case_file_operator *out) {
    const json_object *type = either_member(holder, "Type", "type");
    const json_object *desc = either_member(holder, "Desc", "desc");
    if (type)
        check_type(type);
    read_desc(desc ? desc : holder, out);
}

void case_file_free_operator(case_file_operator *op) {
    free(op->input.sizes);
    free(op->input.strides);
    free(op->output.sizes);
    free(op->output.strides);
}

/* 0 where there are none. */
static uint32_t read_execution_flags(const json_object *holder) {
    const json_object *member = json_optional(holder, "executionFlags");
    return member ? to_flags(member, &execution_flags) : 0;
}

/* 0 is the default of each choice. */
static int read_choice(const json_object *numerics, const char *name, const enumeration *names) {
    const json_object *member = json_optional(numerics, name);
    return member ? (int)to_name(member, names) : 0;
}

static void read_numerics(const json_object *dispatchable, case_file_dispatchable *out) {
    const json_object *from = json_member(dispatchable, "numerics");
    if (!from || !json_expect(from, json_type_object))
        return;
    out->has_numerics = true;
    cumsum_numerics *to = &out->numerics;
    to->order = (cumsum_order)read_choice(from, "order", &orders);
    to->half_accumulator =
        (cumsum_half_accumulator)read_choice(from, "halfAccumulator", &half_accumulators);
    to->half_store = (cumsum_half_store)read_choice(from, "halfStore", &half_stores);
    to->denormals = (cumsum_denormals)read_choice(from, "denormals", &denormals);
}

/* In a case file, as in DxDispatch, a TotalTensorSizeInBytes of 0 means that the reader computes
 * the size; in descriptors.jsonl it is the value that DirectML received. */
static void compute_zero_sizes(case_file_operator *op) {
    if (!op->input.buffer.total_tensor_size_in_bytes)
        compute_size(&op->input.buffer);
    if (!op->output.buffer.total_tensor_size_in_bytes)
        compute_size(&op->output.buffer);
}

void case_file_read_dispatchable(const json_object *value, case_file_dispatchable *out) {
    if (!json_expect(value, json_type_object))
        return;
    out->name = tool_strdup(json_place_of(value)->name);
    if (!json_member(value, "Type"))
        json_need(value, "type");
    read_operator(value, &out->op);
    if (json_ok(value))
        compute_zero_sizes(&out->op);
    out->execution_flags = read_execution_flags(value);
    read_numerics(value, out);
}

#define E_INVALIDARG UINT32_C(0x80070057)

/* S_OK, or false for E_INVALIDARG. */
static bool read_hresult(const json_object *value) {
    const bool is_text = json_type_of(value) == json_type_string;
    const char *text = is_text ? json_string(value) : "";
    const uint32_t number =
        is_text ? 1 : (uint32_t)json_integer(value, "an HRESULT", INT32_MIN, UINT32_MAX);
    const bool ok = strcmp(text, "S_OK") == 0 || number == 0;
    if (!ok && strcmp(text, "E_INVALIDARG") != 0 && number != E_INVALIDARG)
        json_fail_type(value, "\"S_OK\", \"E_INVALIDARG\", or their numbers 0 and 2147942487 or "
                              "-2147024809");
    return ok;
}

static void read_line(const json_object *line, descriptor_line *out) {
    if (json_type_of(line) != json_type_object) {
        json_fail_type(line, "a descriptor, which is an object");
        return;
    }
    const json_object *name = json_optional(line, "name");
    const json_object *hresult = json_optional(line, "hresult");
    const json_object *level = json_optional(line, "featureLevel");
    out->name = tool_strdup(name ? json_string(name) : "");
    if (!json_member(line, "Desc"))
        json_need(line, "desc");
    read_operator(line, &out->op);
    out->has_hresult = hresult != NULL;
    out->hresult_ok = hresult && read_hresult(hresult);
    if (level)
        out->level = (cumsum_feature_level)json_choice(level, level_words);
    out->execution_flags = read_execution_flags(line);
}

tool_status descriptor_read_line(const char *text, size_t length, const char *path, uint64_t line,
                                 descriptor_line *out, tool_error *error) {
    json_document document;
    *out = (descriptor_line){0};
    if (json_parse(&document, text, length, path, line, error) == TOOL_OK)
        read_line(document.root, out);
    json_free(&document);
    if (document.status != TOOL_OK)
        descriptor_line_free(out);
    return document.status;
}

void descriptor_line_free(descriptor_line *c) {
    free(c->name);
    case_file_free_operator(&c->op);
    *c = (descriptor_line){0};
}
