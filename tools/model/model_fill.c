/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "json_field.h"
#include "model_enum.h"
#include "model_values.h"
#include "number_store.h"

tool_status model_store_number(const json_value *value, cumsum_data_type type, void *out,
                               tool_error *error) {
    number_status status = NUMBER_NOT_INTEGER;
    if (json_type_of(value) == json_type_int) { /* what json_open makes of every number */
        size_t length;
        const char *text = json_number_text(value, &length);
        status = number_store(type, text, length, out);
    } else if (json_type_of(value) == json_type_string &&
               number_store_word(type, json_object_get_string(value->object), out)) {
        status = NUMBER_OK;
    }
    return status == NUMBER_OK ? TOOL_OK : json_fail_type(value, error, number_words(type));
}

static tool_status fill_array(const model_values *values, unsigned char *out, tool_error *error) {
    uint32_t size = cumsum_data_type_size(values->type);
    tool_status status = TOOL_OK;
    for (uint64_t i = 0; i < values->count && status == TOOL_OK; i++) {
        json_value element = json_element(&values->source, (size_t)i);
        status = model_store_number(&element, values->type, out + i * size, error);
    }
    return status;
}

static tool_status fill_list(const model_values *values, unsigned char *out, tool_error *error) {
    tool_status status = TOOL_OK;
    for (uint64_t i = 0; i < values->count && status == TOOL_OK; i++) {
        json_value element = json_element(&values->source, (size_t)i);
        json_value type;
        json_value value;
        uint32_t number = 0;
        json_member(&element, "type", &type);
        status = model_to_enum(&type, &model_data_types, &number, error);
        if (status == TOOL_OK)
            status = json_need(&element, "value", &value, error);
        if (status == TOOL_OK)
            status = model_store_number(&value, (cumsum_data_type)number, out, error);
        out += cumsum_data_type_size((cumsum_data_type)number);
    }
    return status;
}

static tool_status read_number(const model_values *values, const char *name, void *out,
                               tool_error *error) {
    json_value member;
    tool_status status = json_need(&values->source, name, &member, error);
    return status == TOOL_OK ? model_store_number(&member, values->type, out, error) : status;
}

/* valueStart, then by repeated addition in the type itself: a FLOAT16 sequence stands still where
 * the delta is too small to matter. */
static tool_status fill_sequence(const model_values *values, unsigned char *out,
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

static tool_status fill_constant(const model_values *values, unsigned char *out,
                                 tool_error *error) {
    unsigned char value[8];
    uint32_t size = cumsum_data_type_size(values->type);
    tool_status status = read_number(values, "value", value, error);
    for (uint64_t i = 0; i < values->count && status == TOOL_OK; i++)
        memcpy(out + i * size, value, size);
    return status;
}

/* Row-major order, whatever the order of the file: as many steps as elements, the last index
 * fastest. */
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

tool_status model_fill_values(const model_values *values, unsigned char *out, tool_error *error) {
    switch (values->kind) {
    case MODEL_VALUES_ARRAY:
        return fill_array(values, out, error);
    case MODEL_VALUES_LIST:
        return fill_list(values, out, error);
    case MODEL_VALUES_CONSTANT:
        return fill_constant(values, out, error);
    case MODEL_VALUES_SEQUENCE:
        return fill_sequence(values, out, error);
    case MODEL_VALUES_FILE:
        break;
    }
    if (values->file.fortran_order)
        fill_row_major(&values->file, out);
    else
        memcpy(out, values->file.bytes, (size_t)values->file.size);
    return TOOL_OK;
}
