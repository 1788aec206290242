/* SPDX-License-Identifier: MIT */
/* The elements of a tensor: as bytes, or in the field that the specification has for the type. */
#include <inttypes.h>
#include <string.h>

#include "memory_limit.h"
#include "onnx_message.h"

/* A field with the elements of a type, each in `width` bytes there. */
typedef struct typed_field {
    const char *name;
    const void *values;
    size_t count;
    size_t width;
    uint64_t largest; /* what an element may hold, where the field is wider */
} typed_field;

static typed_field field_of(const Onnx__TensorProto *m, cumsum_data_type type) {
    switch (type) {
    case CUMSUM_DATA_TYPE_FLOAT32:
        return (typed_field){"float_data", m->float_data, m->n_float_data, 4, UINT32_MAX};
    case CUMSUM_DATA_TYPE_FLOAT64:
        return (typed_field){"double_data", m->double_data, m->n_double_data, 8, UINT64_MAX};
    case CUMSUM_DATA_TYPE_FLOAT16: /* the bits, as a number */
        return (typed_field){"int32_data", m->int32_data, m->n_int32_data, 4, UINT16_MAX};
    case CUMSUM_DATA_TYPE_INT32:
        return (typed_field){"int32_data", m->int32_data, m->n_int32_data, 4, UINT32_MAX};
    case CUMSUM_DATA_TYPE_INT64:
        return (typed_field){"int64_data", m->int64_data, m->n_int64_data, 8, UINT64_MAX};
    case CUMSUM_DATA_TYPE_UINT32:
        return (typed_field){"uint64_data", m->uint64_data, m->n_uint64_data, 8, UINT32_MAX};
    default:
        return (typed_field){"uint64_data", m->uint64_data, m->n_uint64_data, 8, UINT64_MAX};
    }
}

static size_t typed_count(const Onnx__TensorProto *m) {
    return m->n_float_data + m->n_double_data + m->n_int32_data + m->n_int64_data +
           m->n_uint64_data;
}

static tool_status check_raw(const Onnx__TensorProto *m, const char *name, const onnx_tensor *t,
                             tool_error *error) {
    const uint64_t needed = t->count * cumsum_data_type_size(t->type);
    if (typed_count(m)) {
        return tool_fail(error, TOOL_MALFORMED,
                         "%s: there is raw_data and another field with data: only one may be there",
                         name);
    }
    if (m->raw_data.len != needed) {
        return tool_fail(error, TOOL_MALFORMED,
                         "%s: raw_data has %zu bytes; dims and data_type take %" PRIu64, name,
                         m->raw_data.len, needed);
    }
    return TOOL_OK;
}

static tool_status check_field(const Onnx__TensorProto *m, const char *name, const onnx_tensor *t,
                               tool_error *error) {
    const typed_field field = field_of(m, t->type);
    if (field.count != t->count) {
        return tool_fail(error, TOOL_MALFORMED,
                         "%s: %s has %zu elements; dims take %" PRIu64 ", there or in raw_data",
                         name, field.name, field.count, t->count);
    }
    if (typed_count(m) != field.count) {
        return tool_fail(error, TOOL_MALFORMED,
                         "%s: besides %s there is another field with data: only one may be there",
                         name, field.name);
    }
    return TOOL_OK;
}

/* Zeros up to a multiple of 4 bytes. False where there is no memory. */
static bool take_memory(onnx_tensor *t) {
    t->size = (t->count * cumsum_data_type_size(t->type) + 3) / 4 * 4;
    t->bytes = t->size <= memory_limit() ? memory_allocate(t->size) : NULL;
    if (t->bytes)
        memset(t->bytes + t->size - 4, 0, 4);
    return t->bytes != NULL;
}

static uint64_t load(const typed_field *field, uint64_t index) {
    uint64_t wide = 0;
    uint32_t narrow;
    const unsigned char *at = (const unsigned char *)field->values + index * field->width;
    if (field->width == 8) {
        memcpy(&wide, at, 8);
        return wide;
    }
    memcpy(&narrow, at, 4);
    return narrow;
}

static void store(unsigned char *at, uint32_t element, uint64_t bits) {
    const uint16_t bits16 = (uint16_t)bits;
    const uint32_t bits32 = (uint32_t)bits;
    if (element == 2)
        memcpy(at, &bits16, 2);
    else if (element == 4)
        memcpy(at, &bits32, 4);
    else
        memcpy(at, &bits, 8);
}

static tool_status copy_field(const Onnx__TensorProto *m, const char *name, onnx_tensor *t,
                              tool_error *error) {
    const typed_field field = field_of(m, t->type);
    const uint32_t element = cumsum_data_type_size(t->type);
    for (uint64_t i = 0; i < t->count; i++) {
        const uint64_t bits = load(&field, i);
        if (bits > field.largest) {
            return tool_fail(
                error, TOOL_MALFORMED,
                "%s: %s[%" PRIu64 "] is %" PRIu64 ", and an element of type %s holds at "
                "most %" PRIu64,
                name, field.name, i, bits, cumsum_data_type_name(t->type), field.largest);
        }
        store(t->bytes + i * element, element, bits);
    }
    return TOOL_OK;
}

tool_status onnx_tensor_fill(const Onnx__TensorProto *message, const char *name, onnx_tensor *out,
                             tool_error *error) {
    const bool raw = message->has_raw_data;
    tool_status status =
        raw ? check_raw(message, name, out, error) : check_field(message, name, out, error);
    if (status != TOOL_OK)
        return status;
    if (!take_memory(out)) {
        return tool_fail(error, TOOL_ENVIRONMENT, "%s: no memory for %" PRIu64 " bytes", name,
                         out->size);
    }
    if (raw) {
        memcpy(out->bytes, message->raw_data.data, message->raw_data.len);
        return TOOL_OK;
    }
    status = copy_field(message, name, out, error);
    if (status != TOOL_OK)
        onnx_tensor_free(out);
    return status;
}
