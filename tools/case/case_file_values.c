/* SPDX-License-Identifier: MIT */
/* Reads initial values in the five forms of DxDispatch, and arrays from .npy files. */

#include <string.h>

#include "case_file_reader.h"
#include "number.h"

static tool_status need_type(const case_file_values *values, const json_value *resource,
                             tool_error *error) {
    if (cumsum_data_type_size(values->type) > 0)
        return TOOL_OK;
    json_value type;
    if (!json_member(resource, "initialValuesDataType", &type)) {
        return json_fail(resource, error, TOOL_MALFORMED,
                         "the member \"initialValuesDataType\" is required for these values");
    }
    return json_fail(&type, error, TOOL_MALFORMED,
                     "values of this type cannot be given here: it has no size in bytes");
}

/* [{"type", "value"}, ...]: each element has a type of its own. */
static tool_status open_list(case_file_values *values, tool_error *error) {
    values->kind = CASE_FILE_VALUES_LIST;
    for (size_t i = 0; i < values->count; i++) {
        json_value element = json_element(&values->source, i);
        json_value type;
        uint32_t number;
        if (json_type_of(&element) != json_type_object) {
            return json_fail_type(&element, error,
                                  "an object with a type and a value, since there is no "
                                  "initialValuesDataType");
        }
        tool_status status = json_need(&element, "type", &type, error);
        if (status == TOOL_OK)
            status = case_file_to_enum(&type, &case_file_data_types, &number, error);
        if (status != TOOL_OK)
            return status;
        uint32_t size = cumsum_data_type_size((cumsum_data_type)number);
        if (size == 0)
            return json_fail(&type, error, TOOL_MALFORMED, "a type with a size in bytes is needed");
        values->size += size; /* at most 8 times the length of the text */
    }
    return TOOL_OK;
}

static tool_status open_array(const case_reader *reader, const json_value *resource,
                              case_file_values *values) {
    values->kind = CASE_FILE_VALUES_ARRAY;
    values->count = json_object_array_length(values->source.object);
    if (values->type == CUMSUM_DATA_TYPE_UNKNOWN)
        return open_list(values, reader->error);
    values->size = values->count * cumsum_data_type_size(values->type);
    return need_type(values, resource, reader->error);
}

static tool_status open_count(const case_reader *reader, const json_value *resource,
                              case_file_values_kind kind, case_file_values *values) {
    json_value count;
    values->kind = kind;
    tool_status status = need_type(values, resource, reader->error);
    if (status == TOOL_OK)
        status = json_need(&values->source, "valueCount", &count, reader->error);
    if (status == TOOL_OK)
        status = json_to_integer(&count, "UINT32", 0, UINT32_MAX, &values->count, reader->error);
    values->size = values->count * cumsum_data_type_size(values->type);
    return status;
}

static tool_status open_object(const case_reader *reader, const json_value *resource,
                               case_file_values *values) {
    json_value unused;
    bool constant = json_member(&values->source, "value", &unused);
    bool sequence = json_member(&values->source, "valueStart", &unused);
    bool file = json_member(&values->source, "sourcePath", &unused);
    if (constant + sequence + file != 1) {
        return json_fail(&values->source, reader->error, TOOL_MALFORMED,
                         "exactly one of \"value\", \"valueStart\" and \"sourcePath\" is needed");
    }
    if (!file) {
        return open_count(reader, resource,
                          constant ? CASE_FILE_VALUES_CONSTANT : CASE_FILE_VALUES_SEQUENCE, values);
    }
    values->kind = CASE_FILE_VALUES_FILE;
    tool_status status = case_file_open_file(reader, values);
    return status == TOOL_OK ? need_type(values, resource, reader->error) : status;
}

static tool_status read_type(const json_value *resource, cumsum_data_type *type,
                             tool_error *error) {
    json_value member;
    uint32_t number = CUMSUM_DATA_TYPE_UNKNOWN;
    tool_status status = TOOL_OK;
    if (json_member(resource, "initialValuesDataType", &member))
        status = case_file_to_enum(&member, &case_file_data_types, &number, error);
    *type = (cumsum_data_type)number;
    return status;
}

static tool_status fail_kind(const json_value *source, tool_error *error) {
    if (json_type_of(source) == json_type_string &&
        strcmp(json_object_get_string(source->object), "deferred") == 0) {
        return json_fail(source, error, TOOL_MALFORMED,
                         "\"deferred\" buffers are for ONNX models: a buffer here needs values");
    }
    return json_fail_type(source, error, "an array or an object");
}

tool_status case_file_open_values(const case_reader *reader, const json_value *resource,
                                  case_file_values *out) {
    *out = (case_file_values){0};
    tool_status status = read_type(resource, &out->type, reader->error);
    if (status == TOOL_OK)
        status = json_need(resource, "initialValues", &out->source, reader->error);
    if (status != TOOL_OK)
        return status;
    if (json_type_of(&out->source) == json_type_array)
        status = open_array(reader, resource, out);
    else if (json_type_of(&out->source) == json_type_object)
        status = open_object(reader, resource, out);
    else
        status = fail_kind(&out->source, reader->error);
    if (status == TOOL_OK && out->size == 0) {
        status = json_fail(&out->source, reader->error, TOOL_MALFORMED,
                           "there must be at least one value");
    }
    return status;
}

void case_file_close_values(case_file_values *values) {
    npy_free(&values->file);
}

tool_status case_file_store_number(const json_value *value, cumsum_data_type type, void *out,
                                   tool_error *error) {
    bool stored = false;
    if (json_type_of(value) == json_type_int) { /* every number of a document, of any value */
        size_t length;
        const char *text = json_number_text(value, &length);
        stored = number_store(type, text, length, out);
    } else if (json_type_of(value) == json_type_string) {
        stored = number_store_word(type, json_object_get_string(value->object), out);
    }
    return stored ? TOOL_OK : json_fail_type(value, error, number_words(type));
}

static tool_status fill_array(const case_file_values *values, unsigned char *out,
                              tool_error *error) {
    uint32_t size = cumsum_data_type_size(values->type);
    tool_status status = TOOL_OK;
    for (uint64_t i = 0; i < values->count && status == TOOL_OK; i++) {
        json_value element = json_element(&values->source, (size_t)i);
        status = case_file_store_number(&element, values->type, out + i * size, error);
    }
    return status;
}

static tool_status fill_list(const case_file_values *values, unsigned char *out,
                             tool_error *error) {
    tool_status status = TOOL_OK;
    for (uint64_t i = 0; i < values->count && status == TOOL_OK; i++) {
        json_value element = json_element(&values->source, (size_t)i);
        json_value type;
        json_value value;
        uint32_t number = 0;
        json_member(&element, "type", &type);
        status = case_file_to_enum(&type, &case_file_data_types, &number, error);
        if (status == TOOL_OK)
            status = json_need(&element, "value", &value, error);
        if (status == TOOL_OK)
            status = case_file_store_number(&value, (cumsum_data_type)number, out, error);
        out += cumsum_data_type_size((cumsum_data_type)number);
    }
    return status;
}

static tool_status read_number(const case_file_values *values, const char *name, void *out,
                               tool_error *error) {
    json_value member;
    tool_status status = json_need(&values->source, name, &member, error);
    return status == TOOL_OK ? case_file_store_number(&member, values->type, out, error) : status;
}

/* Repeated addition in the type itself, as in DxDispatch: a FLOAT16 sequence stops growing where
 * the delta is less than half a step. */
static tool_status fill_sequence(const case_file_values *values, unsigned char *out,
                                 tool_error *error) {
    unsigned char value[8];
    unsigned char delta[8];
    uint32_t size = cumsum_data_type_size(values->type);
    tool_status status = read_number(values, "valueStart", value, error);
    if (status == TOOL_OK)
        status = read_number(values, "valueDelta", delta, error);
    for (uint64_t i = 0; i < values->count && status == TOOL_OK; i++) {
        memcpy(out + i * size, value, size);
        number_add(values->type, value, delta);
    }
    return status;
}

static tool_status fill_constant(const case_file_values *values, unsigned char *out,
                                 tool_error *error) {
    unsigned char value[8];
    uint32_t size = cumsum_data_type_size(values->type);
    tool_status status = read_number(values, "value", value, error);
    for (uint64_t i = 0; i < values->count && status == TOOL_OK; i++)
        memcpy(out + i * size, value, size);
    return status;
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

tool_status case_file_fill_values(const case_file_values *values, unsigned char *out,
                                  tool_error *error) {
    switch (values->kind) {
    case CASE_FILE_VALUES_ARRAY:
        return fill_array(values, out, error);
    case CASE_FILE_VALUES_LIST:
        return fill_list(values, out, error);
    case CASE_FILE_VALUES_CONSTANT:
        return fill_constant(values, out, error);
    case CASE_FILE_VALUES_SEQUENCE:
        return fill_sequence(values, out, error);
    case CASE_FILE_VALUES_FILE:
        break;
    }
    if (values->file.fortran_order)
        fill_row_major(&values->file, out);
    else
        memcpy(out, values->file.bytes, (size_t)values->file.size);
    return TOOL_OK;
}
