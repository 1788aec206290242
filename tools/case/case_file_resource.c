/* SPDX-License-Identifier: MIT */
/*
 * Reads a resource: initial values in the five forms of DxDispatch, data files, and the buffer. The
 * values are read in two steps, the number of bytes and then the bytes, so that sizes are checked
 * before memory is allocated.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "case_file_reader.h"
#include "element.h"
#include "file.h"
#include "layout.h"
#include "memory.h"
#include "memory_limit.h"
#include "npy.h"
#include "number.h"

typedef struct initial_values {
    const json_object *source; /* the value of initialValues */
    cumsum_data_type type;
    uint64_t count; /* elements */
    uint64_t size;  /* bytes */
    npy_array file; /* of a raw file only bytes and size */
    void (*fill)(const struct initial_values *values, unsigned char *out); /* writes the bytes */
} initial_values;

/* One number as the bytes of its type, or an error that names type and range. */
static void store_number(const json_object *value, cumsum_data_type type, void *out) {
    int64_t minimum;
    uint64_t maximum;
    const char *text = json_text(value);
    bool stored = false;
    if (element_integer_range(type, &minimum, &maximum)) {
        element_store(out, type,
                      json_integer(value, cumsum_data_type_name(type), minimum, maximum));
        return;
    }
    if (json_type_of(value) == json_type_number)
        stored = number_store(type, text, strlen(text), out);
    else if (json_type_of(value) == json_type_string)
        stored = number_store_word(type, text, out);
    if (!stored && json_ok(value))
        json_fail_type(value, "a number, \"nan\", \"inf\" or \"-inf\"");
}

/* [1, 2, 3], or [{"type": "FLOAT32", "value": 1}, ...] where the values have no type together. */
static void fill_array(const initial_values *values, unsigned char *out) {
    for (uint64_t i = 0; i < values->count && json_ok(values->source); i++) {
        const json_object *element = json_element(values->source, (size_t)i);
        const bool typed = values->type == CUMSUM_DATA_TYPE_UNKNOWN;
        const cumsum_data_type type =
            typed ? case_file_read_type(json_need(element, "type")) : values->type;
        store_number(typed ? json_need(element, "value") : element, type, out);
        out += cumsum_data_type_size(type);
    }
}

/* {"value": 0, "valueCount": 3}, or {"valueStart": 0, "valueDelta": 1, "valueCount": 3}: repeated
 * addition in the type itself, as in DxDispatch. A FLOAT16 sequence stops growing where the delta
 * is less than half a step. */
static void fill_sequence(const initial_values *values, unsigned char *out) {
    unsigned char value[8];
    unsigned char delta[8];
    const uint32_t size = cumsum_data_type_size(values->type);
    const bool constant = json_member(values->source, "value");
    store_number(json_need(values->source, constant ? "value" : "valueStart"), values->type, value);
    if (!constant)
        store_number(json_need(values->source, "valueDelta"), values->type, delta);
    for (uint64_t i = 0; i < values->count && json_ok(values->source); i++) {
        memcpy(out + i * size, value, size);
        if (!constant)
            number_add(values->type, value, delta);
    }
}

/* {"sourcePath": "x.npy"}: the elements in row-major order. */
static void fill_from_file(const initial_values *values, unsigned char *out) {
    const npy_array *file = &values->file;
    if (!file->fortran_order) {
        /* A file that was opened has bytes. NOLINTNEXTLINE(clang-analyzer-core.*) */
        memcpy(out, file->bytes, (size_t)file->size);
        return;
    }
    const cumsum_buffer_tensor_desc tensor =
        tensor_of(file->type, file->rank, file->sizes, file->strides);
    const layout elements = layout_of(&tensor);
    layout_gather(&elements, file->bytes, out);
}

static void open_npy(const json_object *source, const char *path, initial_values *values) {
    tool_error why;
    const tool_status status = npy_read_as(path, CUMSUM_DATA_TYPE_UNKNOWN, &values->file, &why);
    if (status != TOOL_OK)
        json_fail(source, status, "%s", why.message);
    if (values->file.complex_parts)
        json_fail(source, TOOL_MALFORMED, "the file has complex numbers, and no type has");
    if (values->type == CUMSUM_DATA_TYPE_UNKNOWN)
        values->type = values->file.type;
    if (values->type != values->file.type)
        json_fail(source, TOOL_MALFORMED,
                  "the file's type is %s, initialValuesDataType another: they must agree",
                  cumsum_data_type_name(values->file.type));
}

static void open_raw(const json_object *source, const char *path, initial_values *values) {
    tool_error why;
    file_contents contents;
    uint32_t element = cumsum_data_type_size(values->type);
    if (element == 0) {
        json_fail(source, TOOL_MALFORMED,
                  "a file without a type of its own needs an initialValuesDataType with a size in "
                  "bytes");
        return;
    }
    const tool_status status = file_map(path, &contents, &why);
    if (status != TOOL_OK)
        json_fail(source, status, "%s", why.message);
    values->file.bytes = contents.bytes;
    values->file.size = contents.size;
    if (contents.size % element != 0)
        json_fail(source, TOOL_MALFORMED,
                  "the file has %zu bytes: not a multiple of the %" PRIu32
                  " bytes of an element of type %s",
                  contents.size, element, cumsum_data_type_name(values->type));
}

static void open_path(const json_object *source, const char *path, initial_values *values) {
    if (file_has_extension(path, ".png") || file_has_extension(path, ".jpg") ||
        file_has_extension(path, ".jpeg"))
        json_fail(source, TOOL_MALFORMED,
                  "images are not supported: use .npy, or raw elements in .bin or .dat");
    else if (file_has_extension(path, ".npy"))
        open_npy(source, path, values);
    else
        open_raw(source, path, values);
    values->size = values->file.size;
}

/* Opens a data file, its path in source.sourcePath. */
static void read_data(const case_reader *reader, initial_values *values) {
    const json_object *source = json_need(values->source, "sourcePath");
    const char *name = json_string(source);
    if (!json_ok(source))
        return;
    char *path = file_join(reader->folder, name);
    /* A file that does not exist in the case file's folder is taken from the current folder. */
    open_path(source, file_exists(path) || !file_exists(name) ? path : name, values);
    free(path);
}

static void need_type(const initial_values *values, const json_object *resource) {
    const json_object *type = json_member(resource, "initialValuesDataType");
    if (cumsum_data_type_size(values->type) > 0)
        return;
    if (type)
        json_fail(type, TOOL_MALFORMED,
                  "values of this type cannot be given here: it has no size in bytes");
    else
        json_fail(resource, TOOL_MALFORMED,
                  "the member \"initialValuesDataType\" is required for these values");
}

/* [{"type", "value"}, ...]: each element has a type of its own. */
static void open_list(initial_values *values) {
    for (size_t i = 0; i < values->count && json_ok(values->source); i++) {
        const json_object *element = json_element(values->source, i);
        if (json_type_of(element) != json_type_object) {
            json_fail_type(element, "an object with a type and a value, since there is no "
                                    "initialValuesDataType");
            return;
        }
        const json_object *type = json_need(element, "type");
        const uint32_t size = cumsum_data_type_size(case_file_read_type(type));
        if (size == 0)
            json_fail(type, TOOL_MALFORMED, "a type with a size in bytes is needed");
        values->size += size; /* at most 8 times the length of the text */
    }
}

static void open_array(const json_object *resource, initial_values *values) {
    values->count = json_length(values->source);
    if (values->type == CUMSUM_DATA_TYPE_UNKNOWN) {
        open_list(values);
        return;
    }
    values->size = values->count * cumsum_data_type_size(values->type);
    need_type(values, resource);
}

static void open_object(const case_reader *reader, const json_object *resource,
                        initial_values *values) {
    bool constant = json_member(values->source, "value");
    bool sequence = json_member(values->source, "valueStart");
    bool file = json_member(values->source, "sourcePath");
    if (constant + sequence + file != 1)
        json_fail(values->source, TOOL_MALFORMED,
                  "exactly one of \"value\", \"valueStart\" and \"sourcePath\" is needed");
    values->fill = file ? fill_from_file : fill_sequence;
    if (file && json_ok(resource))
        read_data(reader, values);
    need_type(values, resource);
    if (file || !json_ok(resource))
        return;
    values->count = json_integer(json_need(values->source, "valueCount"), "UINT32", 0, UINT32_MAX);
    values->size = values->count * cumsum_data_type_size(values->type);
}

static void fail_kind(const json_object *source) {
    if (json_type_of(source) == json_type_string && strcmp(json_string(source), "deferred") == 0)
        json_fail(source, TOOL_MALFORMED,
                  "\"deferred\" buffers are for ONNX models: a buffer here needs values");
    json_fail_type(source, "an array or an object");
}

/* resource: the object that has the member initialValues. */
static void read_values(const case_reader *reader, const json_object *resource,
                        initial_values *out) {
    const json_object *type = json_member(resource, "initialValuesDataType");
    *out = (initial_values){.type = CUMSUM_DATA_TYPE_UNKNOWN, .fill = fill_array};
    if (type)
        out->type = case_file_read_type(type);
    out->source = json_need(resource, "initialValues");
    if (!json_ok(resource))
        return;
    if (json_type_of(out->source) == json_type_array)
        open_array(resource, out);
    else if (json_type_of(out->source) == json_type_object)
        open_object(reader, resource, out);
    else
        fail_kind(out->source);
    if (out->size == 0)
        json_fail(out->source, TOOL_MALFORMED, "there must be at least one value");
}

/* sizeInBytes, or else the size of the values rounded up to 4 bytes. No tensor has more than 2^32 -
 * 1 elements (DirectML's limit), so no buffer needs to. */
static uint64_t read_size(const json_object *value, const initial_values *values) {
    const json_object *given = json_optional(value, "sizeInBytes");
    const uint64_t element = cumsum_data_type_size(values->type);
    const uint64_t size = json_uint64(value, "sizeInBytes", whole_words(values->size));
    if (given && size > UINT32_MAX * (element ? element : 8))
        json_fail(given, TOOL_MALFORMED,
                  "a buffer of %" PRIu64 " bytes has more than 2^32 - 1 elements", size);
    return size;
}

static void check_room(const json_object *value, const initial_values *values, uint64_t offset,
                       uint64_t size) {
    if (offset > size || values->size > size - offset)
        json_fail(value, TOOL_MALFORMED,
                  "the buffer of %" PRIu64 " bytes is too small for %" PRIu64
                  " bytes of initial values at offset %" PRIu64,
                  size, values->size, offset);
}

/* As in D3D12 a buffer starts at a multiple of 64 KiB, and bytes without an initial value are zero.
 * A few digits in a file can ask for any buffer. */
static void take_memory(case_reader *reader, const json_object *value, uint64_t size,
                        case_file_resource *out) {
    tool_error why;
    if (memory_check(reader->memory, size, &why) != TOOL_OK) {
        json_fail(value, TOOL_ENVIRONMENT, "with the buffers before it this one %s", why.message);
        return;
    }
    out->bytes = memory_allocate_aligned(size, CASE_FILE_ALIGNMENT);
    if (!out->bytes) {
        json_fail(value, TOOL_ENVIRONMENT, "no memory for %" PRIu64 " bytes", size);
        return;
    }
    memset(out->bytes, 0, (size_t)size);
    out->size = size;
    reader->memory += size;
}

static void place_values(case_reader *reader, const json_object *value,
                         const initial_values *values, case_file_resource *out) {
    const uint64_t size = read_size(value, values);
    const uint64_t offset = json_uint64(value, "initialValuesOffsetInBytes", 0);
    check_room(value, values, offset, size);
    if (json_ok(value))
        take_memory(reader, value, size, out);
    if (json_ok(value))
        values->fill(values, out->bytes + offset);
    out->value_bytes = offset + values->size;
}

void case_file_read_resource(case_reader *reader, const json_object *value,
                             case_file_resource *out) {
    initial_values values;
    if (!json_expect(value, json_type_object))
        return;
    out->name = tool_strdup(json_place_of(value)->name);
    read_values(reader, value, &values);
    out->type = values.type;
    if (json_ok(value))
        place_values(reader, value, &values, out);
    npy_free(&values.file);
}
