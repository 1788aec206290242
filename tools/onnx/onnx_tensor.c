/* SPDX-License-Identifier: MIT */
/*
 * Tensors of ONNX files. The elements are in raw_data, or in the field that the specification
 * (onnx.proto, TensorProto) has for the type; never in both.
 */
#include "onnx_tensor.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "element.h"
#include "memory.h"
#include "memory_limit.h"
#include "onnx_graph.h"

static void *allocate(void *state, size_t size) {
    (void)state;
    return tool_malloc(size);
}

static void release(void *state, void *memory) {
    (void)state;
    free(memory);
}

ProtobufCAllocator onnx_memory = {.alloc = allocate, .free = release};

/* The names of TensorProto.DataType, by number. */
static const char *const type_names[] = {"UNDEFINED",  "FLOAT",   "UINT8",  "INT8",   "UINT16",
                                         "INT16",      "INT32",   "INT64",  "STRING", "BOOL",
                                         "FLOAT16",    "DOUBLE",  "UINT32", "UINT64", "COMPLEX64",
                                         "COMPLEX128", "BFLOAT16"};
#define TYPE_COUNT ((int32_t)(sizeof type_names / sizeof type_names[0]))

static cumsum_data_type type_of(int32_t number) {
    switch (number) {
    case 1:
        return CUMSUM_DATA_TYPE_FLOAT32;
    case 6:
        return CUMSUM_DATA_TYPE_INT32;
    case 7:
        return CUMSUM_DATA_TYPE_INT64;
    case 10:
        return CUMSUM_DATA_TYPE_FLOAT16;
    case 11:
        return CUMSUM_DATA_TYPE_FLOAT64;
    case 12:
        return CUMSUM_DATA_TYPE_UINT32;
    case 13:
        return CUMSUM_DATA_TYPE_UINT64;
    case 16:
        return CUMSUM_DATA_TYPE_BFLOAT16;
    default:
        return CUMSUM_DATA_TYPE_UNKNOWN;
    }
}

static tool_status read_type(const Onnx__TensorProto *m, const char *name, onnx_tensor *out,
                             tool_error *error) {
    out->type = type_of(m->data_type);
    if (out->type != CUMSUM_DATA_TYPE_UNKNOWN)
        return TOOL_OK;
    if (!m->has_data_type || m->data_type <= 0) {
        return tool_fail(error, TOOL_MALFORMED,
                         "%s: data_type is %" PRId32 ", and must be one of TensorProto.DataType",
                         name, m->data_type);
    }
    const char *word =
        m->data_type < TYPE_COUNT ? type_names[m->data_type] : "newer than ONNX 1.12";
    return tool_fail(error, TOOL_SKIPPED,
                     "%s: elements of type %s (%" PRId32
                     ") are not supported: only FLOAT, FLOAT16, DOUBLE, "
                     "BFLOAT16, INT32, UINT32, INT64 and UINT64",
                     name, word, m->data_type);
}

static tool_status check_dimension(const Onnx__TensorProto *m, size_t d, const char *name,
                                   uint64_t *count, tool_error *error) {
    const int64_t size = m->dims[d];
    if (size < 0) {
        return tool_fail(error, TOOL_MALFORMED,
                         "%s: dims[%zu] is %" PRId64 ", and may not be "
                         "negative",
                         name, d, size);
    }
    if (size > 0 && *count > UINT32_MAX / (uint64_t)size) {
        return tool_fail(error, TOOL_MALFORMED,
                         "%s: dims: the product is more than 2^32 - 1 elements", name);
    }
    *count *= (uint64_t)size;
    return TOOL_OK;
}

static tool_status read_sizes(const Onnx__TensorProto *m, const char *name, onnx_tensor *out,
                              tool_error *error) {
    out->count = 1;
    for (size_t d = 0; d < m->n_dims; d++) {
        tool_status status = check_dimension(m, d, name, &out->count, error);
        if (status != TOOL_OK)
            return status;
    }
    if (m->n_dims > CUMSUM_MAX_DIMENSIONS) {
        return tool_fail(error, TOOL_SKIPPED, "%s: %zu dimensions are not supported: at most %d",
                         name, m->n_dims, CUMSUM_MAX_DIMENSIONS);
    }
    out->rank = (uint32_t)m->n_dims;
    for (size_t d = 0; d < m->n_dims; d++)
        out->sizes[d] = (uint32_t)m->dims[d];
    return TOOL_OK;
}

static tool_status check_place(const Onnx__TensorProto *m, const char *name, tool_error *error) {
    if (m->has_data_location && m->data_location != 0) {
        return tool_fail(error, TOOL_MALFORMED,
                         "%s: data_location is %" PRId32 ": data in another file is not read", name,
                         m->data_location);
    }
    if (m->segment) {
        return tool_fail(error, TOOL_MALFORMED, "%s: segment: a part of a tensor is not read",
                         name);
    }
    return TOOL_OK;
}

/* The field of a type's elements, each of `width` bytes there. */
typedef struct typed_field {
    const char *name;
    const void *values;
    size_t count;
    size_t width;
    uint64_t largest; /* the largest bits of an element, where the field is wider */
} typed_field;

static typed_field field_of(const Onnx__TensorProto *m, cumsum_data_type type) {
    switch (type) {
    case CUMSUM_DATA_TYPE_FLOAT32:
        return (typed_field){"float_data", m->float_data, m->n_float_data, 4, UINT32_MAX};
    case CUMSUM_DATA_TYPE_FLOAT64:
        return (typed_field){"double_data", m->double_data, m->n_double_data, 8, UINT64_MAX};
    case CUMSUM_DATA_TYPE_FLOAT16:
    case CUMSUM_DATA_TYPE_BFLOAT16: /* the bits, as a number */
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

/* Pads the buffer with zeros to a multiple of 4 bytes. False if memory is out. */
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

/* Allocates out->bytes and copies the elements of a message whose type and sizes are known. */
static tool_status fill_elements(const Onnx__TensorProto *message, const char *name,
                                 onnx_tensor *out, tool_error *error) {
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
        element_swap_little_endian(out->bytes, message->raw_data.len, out->type);
        return TOOL_OK;
    }
    status = copy_field(message, name, out, error);
    if (status != TOOL_OK)
        onnx_tensor_free(out);
    return status;
}

tool_status onnx_tensor_convert(const Onnx__TensorProto *message, const char *name,
                                onnx_tensor *out, tool_error *error) {
    *out = (onnx_tensor){0};
    tool_status status = check_place(message, name, error);
    if (status == TOOL_OK)
        status = read_sizes(message, name, out, error);
    if (status == TOOL_OK)
        status = read_type(message, name, out, error);
    if (status == TOOL_OK && out->count == 0)
        status = tool_fail(error, TOOL_SKIPPED, "%s: a tensor without elements", name);
    return status == TOOL_OK ? fill_elements(message, name, out, error) : status;
}

tool_status onnx_tensor_read(const unsigned char *bytes, size_t size, const char *name,
                             onnx_tensor *out, tool_error *error) {
    *out = (onnx_tensor){0};
    Onnx__TensorProto *message = onnx__tensor_proto__unpack(&onnx_memory, size, bytes);
    if (!message) {
        return tool_fail(error, TOOL_MALFORMED,
                         "%s: is not an ONNX tensor (a TensorProto message), or is cut short",
                         name);
    }
    tool_status status = onnx_tensor_convert(message, name, out, error);
    onnx__tensor_proto__free_unpacked(message, &onnx_memory);
    return status;
}

void onnx_tensor_free(onnx_tensor *t) {
    memory_release(t->bytes);
    *t = (onnx_tensor){0};
}

tool_status onnx_tensor_axis(const onnx_tensor *t, const char *name, int64_t *axis,
                             tool_error *error) {
    if (t->count == 1 && t->rank <= 1 && t->type == CUMSUM_DATA_TYPE_INT32) {
        int32_t value;
        memcpy(&value, t->bytes, sizeof value);
        *axis = value;
        return TOOL_OK;
    }
    if (t->count == 1 && t->rank <= 1 && t->type == CUMSUM_DATA_TYPE_INT64) {
        memcpy(axis, t->bytes, sizeof *axis);
        return TOOL_OK;
    }
    return tool_fail(error, TOOL_MALFORMED,
                     "%s: the axis is %" PRIu64 " elements of type %s, and must be one of INT32 or "
                     "INT64",
                     name, t->count, cumsum_data_type_name(t->type));
}
