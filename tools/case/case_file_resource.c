/* SPDX-License-Identifier: MIT */
/* Reads a resource: its data files, its size, and its values into memory. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "case_file_reader.h"
#include "file.h"
#include "memory.h"
#include "memory_limit.h"

static void open_npy(const json_value *source, const char *path, case_file_values *values) {
    tool_error why;
    const tool_status status = npy_read(path, &values->file, &why);
    if (status != TOOL_OK)
        json_fail(source, status, "%s", why.message);
    if (values->type == CUMSUM_DATA_TYPE_UNKNOWN)
        values->type = values->file.type;
    if (values->type != values->file.type)
        json_fail(source, TOOL_MALFORMED,
                  "the file's type is %s, initialValuesDataType another: they must agree",
                  cumsum_data_type_name(values->file.type));
}

static void open_raw(const json_value *source, const char *path, case_file_values *values) {
    tool_error why;
    file_contents contents;
    uint32_t element = cumsum_data_type_size(values->type);
    if (element == 0) {
        json_fail(source, TOOL_MALFORMED,
                  "a file without a type of its own needs an initialValuesDataType with a size in "
                  "bytes");
        return;
    }
    const tool_status status = file_read(path, &contents, &why);
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

static void open_path(const json_value *source, const char *path, case_file_values *values) {
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

void case_file_read_data(const case_reader *reader, case_file_values *values) {
    const json_value source = json_need(&values->source, "sourcePath");
    const char *name = json_string(source);
    if (!json_ok(&source))
        return;
    char *path = file_join(reader->folder, name);
    /* A file that does not exist in the case file's folder is taken from the current folder. */
    open_path(&source, file_exists(path) || !file_exists(name) ? path : name, values);
    free(path);
}

/* No tensor has more elements than this (DirectML's limit), so no buffer needs to. */
#define MAX_ELEMENTS UINT32_MAX

/* sizeInBytes, or else the size of the values rounded up to 4 bytes. */
static uint64_t read_size(const json_value *value, const case_file_values *values) {
    json_value member;
    const uint64_t limit = (uint64_t)MAX_ELEMENTS * cumsum_data_type_size(values->type);
    const uint64_t size = json_uint64(value, "sizeInBytes", (values->size + 3) / 4 * 4);
    const uint64_t any = (uint64_t)MAX_ELEMENTS * 8;
    if (json_optional(value, "sizeInBytes", &member) && size > (limit ? limit : any))
        json_fail(&member, TOOL_MALFORMED,
                  "a buffer of %" PRIu64 " bytes has more than 2^32 - 1 elements", size);
    return size;
}

static void check_room(const json_value *value, const case_file_values *values, uint64_t offset,
                       uint64_t size) {
    if (offset > size || values->size > size - offset)
        json_fail(value, TOOL_MALFORMED,
                  "the buffer of %" PRIu64 " bytes is too small for %" PRIu64
                  " bytes of initial values at offset %" PRIu64,
                  size, values->size, offset);
}

/* Bytes without an initial value are zero, as in a new buffer of D3D12. A few digits in a file can
 * ask for any buffer. */
static void take_memory(case_reader *reader, const json_value *value, uint64_t size,
                        case_file_resource *out) {
    tool_error why;
    if (memory_check(reader->memory, size, &why) != TOOL_OK) {
        json_fail(value, TOOL_ENVIRONMENT, "with the buffers before it this one %s", why.message);
        return;
    }
    out->bytes = memory_allocate(size);
    if (!out->bytes) {
        json_fail(value, TOOL_ENVIRONMENT, "no memory for %" PRIu64 " bytes", size);
        return;
    }
    memset(out->bytes, 0, (size_t)size);
    out->size = size;
    reader->memory += size;
}

static void place_values(case_reader *reader, const json_value *value,
                         const case_file_values *values, case_file_resource *out) {
    const uint64_t size = read_size(value, values);
    const uint64_t offset = json_uint64(value, "initialValuesOffsetInBytes", 0);
    check_room(value, values, offset, size);
    if (json_ok(value))
        take_memory(reader, value, size, out);
    if (json_ok(value))
        case_file_fill_values(values, out->bytes + offset);
    out->value_bytes = offset + values->size;
}

void case_file_read_resource(case_reader *reader, const json_value *value,
                             case_file_resource *out) {
    case_file_values values;
    if (!json_expect(value, json_type_object))
        return;
    out->name = tool_strdup(value->name);
    case_file_read_values(reader, value, &values);
    out->type = values.type;
    if (json_ok(value))
        place_values(reader, value, &values, out);
    case_file_free_values(&values);
}
