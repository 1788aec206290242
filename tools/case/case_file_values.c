/* SPDX-License-Identifier: MIT */
/* Reads initial values in the five forms of DxDispatch, and arrays from .npy files. */

#include <string.h>

#include "case_file_reader.h"
#include "element.h"
#include "number.h"

static void need_type(const case_file_values *values, const json_value *resource) {
    json_value type;
    if (cumsum_data_type_size(values->type) > 0)
        return;
    if (json_member(resource, "initialValuesDataType", &type))
        json_fail(&type, TOOL_MALFORMED,
                  "values of this type cannot be given here: it has no size in bytes");
    else
        json_fail(resource, TOOL_MALFORMED,
                  "the member \"initialValuesDataType\" is required for these values");
}

static cumsum_data_type read_type(json_value value) {
    return (cumsum_data_type)case_file_to_enum(value, &case_file_data_types);
}

/* [{"type", "value"}, ...]: each element has a type of its own. */
static void open_list(case_file_values *values) {
    values->kind = CASE_FILE_VALUES_LIST;
    for (size_t i = 0; i < values->count && json_ok(&values->source); i++) {
        json_value element = json_element(&values->source, i);
        if (json_type_of(&element) != json_type_object) {
            json_fail_type(&element, "an object with a type and a value, since there is no "
                                     "initialValuesDataType");
            return;
        }
        const json_value type = json_need(&element, "type");
        const uint32_t size = cumsum_data_type_size(read_type(type));
        if (size == 0)
            json_fail(&type, TOOL_MALFORMED, "a type with a size in bytes is needed");
        values->size += size; /* at most 8 times the length of the text */
    }
}

static void open_array(const json_value *resource, case_file_values *values) {
    values->kind = CASE_FILE_VALUES_ARRAY;
    values->count = json_length(&values->source);
    if (values->type == CUMSUM_DATA_TYPE_UNKNOWN) {
        open_list(values);
        return;
    }
    values->size = values->count * cumsum_data_type_size(values->type);
    need_type(values, resource);
}

static void open_object(const case_reader *reader, const json_value *resource,
                        case_file_values *values) {
    json_value unused;
    bool constant = json_member(&values->source, "value", &unused);
    bool sequence = json_member(&values->source, "valueStart", &unused);
    bool file = json_member(&values->source, "sourcePath", &unused);
    if (constant + sequence + file != 1)
        json_fail(&values->source, TOOL_MALFORMED,
                  "exactly one of \"value\", \"valueStart\" and \"sourcePath\" is needed");
    values->kind = file       ? CASE_FILE_VALUES_FILE
                   : constant ? CASE_FILE_VALUES_CONSTANT
                              : CASE_FILE_VALUES_SEQUENCE;
    if (file && json_ok(resource))
        case_file_read_data(reader, values);
    need_type(values, resource);
    if (file || !json_ok(resource))
        return;
    values->count = json_integer(json_need(&values->source, "valueCount"), "UINT32", 0, UINT32_MAX);
    values->size = values->count * cumsum_data_type_size(values->type);
}

static void fail_kind(const json_value *source) {
    if (json_type_of(source) == json_type_string && strcmp(json_string(*source), "deferred") == 0)
        json_fail(source, TOOL_MALFORMED,
                  "\"deferred\" buffers are for ONNX models: a buffer here needs values");
    json_fail_type(source, "an array or an object");
}

void case_file_read_values(const case_reader *reader, const json_value *resource,
                           case_file_values *out) {
    json_value type;
    *out = (case_file_values){.type = CUMSUM_DATA_TYPE_UNKNOWN};
    if (json_member(resource, "initialValuesDataType", &type))
        out->type = read_type(type);
    out->source = json_need(resource, "initialValues");
    if (!json_ok(resource))
        return;
    if (json_type_of(&out->source) == json_type_array)
        open_array(resource, out);
    else if (json_type_of(&out->source) == json_type_object)
        open_object(reader, resource, out);
    else
        fail_kind(&out->source);
    if (out->size == 0)
        json_fail(&out->source, TOOL_MALFORMED, "there must be at least one value");
}

void case_file_free_values(case_file_values *values) {
    npy_free(&values->file);
}

/* One number as the bytes of its type, or an error that names type and range. */
static void store_number(const json_value *value, cumsum_data_type type, void *out) {
    int64_t minimum;
    uint64_t maximum;
    size_t length;
    bool stored = false;
    if (element_integer_range(type, &minimum, &maximum)) {
        element_store(out, type,
                      json_integer(*value, cumsum_data_type_name(type), minimum, maximum));
        return;
    }
    if (json_type_of(value) == json_type_int) { /* every number of a document, of any value */
        const char *text = json_number_text(value, &length);
        stored = number_store(type, text, length, out);
    } else if (json_type_of(value) == json_type_string) {
        stored = number_store_word(type, json_object_get_string(value->object), out);
    }
    if (!stored && json_ok(value))
        json_fail_type(value, "a number, \"nan\", \"inf\" or \"-inf\"");
}

static void fill_array(const case_file_values *values, unsigned char *out) {
    uint32_t size = cumsum_data_type_size(values->type);
    for (uint64_t i = 0; i < values->count && json_ok(&values->source); i++) {
        json_value element = json_element(&values->source, (size_t)i);
        store_number(&element, values->type, out + i * size);
    }
}

static void fill_list(const case_file_values *values, unsigned char *out) {
    for (uint64_t i = 0; i < values->count && json_ok(&values->source); i++) {
        json_value element = json_element(&values->source, (size_t)i);
        const cumsum_data_type type = read_type(json_need(&element, "type"));
        const json_value value = json_need(&element, "value");
        store_number(&value, type, out);
        out += cumsum_data_type_size(type);
    }
}

static void read_number(const case_file_values *values, const char *name, void *out) {
    const json_value member = json_need(&values->source, name);
    store_number(&member, values->type, out);
}

/* Repeated addition in the type itself, as in DxDispatch: a FLOAT16 sequence stops growing where
 * the delta is less than half a step. */
static void fill_sequence(const case_file_values *values, unsigned char *out) {
    unsigned char value[8];
    unsigned char delta[8];
    uint32_t size = cumsum_data_type_size(values->type);
    read_number(values, "valueStart", value);
    read_number(values, "valueDelta", delta);
    for (uint64_t i = 0; i < values->count && json_ok(&values->source); i++) {
        memcpy(out + i * size, value, size);
        number_add(values->type, value, delta);
    }
}

static void fill_constant(const case_file_values *values, unsigned char *out) {
    unsigned char value[8];
    uint32_t size = cumsum_data_type_size(values->type);
    read_number(values, "value", value);
    for (uint64_t i = 0; i < values->count && json_ok(&values->source); i++)
        memcpy(out + i * size, value, size);
}

/* Copies the elements of a file in Fortran order in row-major order. */
static void fill_row_major(const npy_array *file, unsigned char *out) {
    uint32_t size = cumsum_data_type_size(file->type);
    uint32_t index[CUMSUM_MAX_DIMENSIONS] = {0};
    uint64_t offset = 0;
    for (uint64_t done = 0; done < file->size; done += size) {
        memcpy(out + done, file->bytes + offset * size, size);
        for (uint32_t d = file->rank; d-- > 0;) {
            offset += file->strides[d];
            if (++index[d] < file->sizes[d])
                break;
            offset -= (uint64_t)file->sizes[d] * file->strides[d];
            index[d] = 0;
        }
    }
}

void case_file_fill_values(const case_file_values *values, unsigned char *out) {
    switch (values->kind) {
    case CASE_FILE_VALUES_ARRAY:
        fill_array(values, out);
        return;
    case CASE_FILE_VALUES_LIST:
        fill_list(values, out);
        return;
    case CASE_FILE_VALUES_CONSTANT:
        fill_constant(values, out);
        return;
    case CASE_FILE_VALUES_SEQUENCE:
        fill_sequence(values, out);
        return;
    case CASE_FILE_VALUES_FILE:
        break;
    }
    if (values->file.fortran_order)
        fill_row_major(&values->file, out);
    else
        memcpy(out, values->file.bytes, (size_t)values->file.size);
}
