/* SPDX-License-Identifier: MIT */
/* Reads a resource: its data files, its size, and its values into memory. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "case_file_reader.h"
#include "file.h"
#include "memory_limit.h"

static tool_status open_npy(const json_value *source, const char *path, case_file_values *values,
                            tool_error *error) {
    tool_error inner;
    tool_status status = npy_read(path, &values->file, &inner);
    if (status != TOOL_OK)
        return json_fail(source, error, status, "%s", inner.message);
    if (values->type == CUMSUM_DATA_TYPE_UNKNOWN)
        values->type = values->file.type;
    if (values->type != values->file.type) {
        return json_fail(source, error, TOOL_MALFORMED,
                         "the file's type is %s, initialValuesDataType another: they must agree",
                         cumsum_data_type_name(values->file.type));
    }
    return TOOL_OK;
}

static tool_status open_raw(const json_value *source, const char *path, case_file_values *values,
                            tool_error *error) {
    tool_error inner;
    file_contents contents;
    uint32_t element = cumsum_data_type_size(values->type);
    if (element == 0) {
        return json_fail(source, error, TOOL_MALFORMED,
                         "a file without a type of its own needs an initialValuesDataType with a "
                         "size in bytes");
    }
    tool_status status = file_read(path, &contents, &inner);
    if (status != TOOL_OK)
        return json_fail(source, error, status, "%s", inner.message);
    values->file.bytes = contents.bytes;
    values->file.size = contents.size;
    if (contents.size % element != 0) {
        return json_fail(source, error, TOOL_MALFORMED,
                         "the file has %zu bytes: not a multiple of the %" PRIu32
                         " bytes of an element of type %s",
                         contents.size, element, cumsum_data_type_name(values->type));
    }
    return TOOL_OK;
}

static tool_status open_path(const json_value *source, const char *path, case_file_values *values,
                             tool_error *error) {
    static const char *const images[] = {".png", ".jpg", ".jpeg"};
    for (size_t i = 0; i < sizeof images / sizeof images[0]; i++) {
        if (file_has_extension(path, images[i])) {
            return json_fail(source, error, TOOL_MALFORMED,
                             "images are not supported: use .npy, or raw elements in .bin or .dat");
        }
    }
    tool_status status = file_has_extension(path, ".npy") ? open_npy(source, path, values, error)
                                                          : open_raw(source, path, values, error);
    values->size = values->file.size;
    return status;
}

tool_status case_file_open_file(const case_reader *reader, case_file_values *values) {
    json_value source;
    const char *name;
    tool_status status = json_need(&values->source, "sourcePath", &source, reader->error);
    if (status == TOOL_OK)
        status = json_to_string(&source, &name, reader->error);
    if (status != TOOL_OK)
        return status;
    char *path = file_join(reader->folder, name);
    if (!path)
        return json_fail_memory(&source, reader->error);
    /* A file that does not exist in the case file's folder is taken from the current folder. */
    status = open_path(&source, file_exists(path) || !file_exists(name) ? path : name, values,
                       reader->error);
    free(path);
    return status;
}

/* No tensor has more elements than this (DirectML's limit), so no buffer needs to. */
#define MAX_ELEMENTS UINT32_MAX

/* sizeInBytes, or else the size of the values rounded up to 4 bytes. */
static tool_status read_size(const case_reader *reader, const json_value *value,
                             const case_file_values *values, uint64_t *size) {
    json_value member;
    uint32_t element = cumsum_data_type_size(values->type);
    uint64_t limit = (uint64_t)MAX_ELEMENTS * (element ? element : 8);
    *size = (values->size + 3) / 4 * 4;
    if (!json_member(value, "sizeInBytes", &member) || !member.object)
        return TOOL_OK;
    tool_status status = json_to_integer(&member, "UINT64", 0, UINT64_MAX, size, reader->error);
    if (status == TOOL_OK && *size > limit) {
        status = json_fail(&member, reader->error, TOOL_MALFORMED,
                           "a buffer of %" PRIu64 " bytes has more than 2^32 - 1 elements", *size);
    }
    return status;
}

static tool_status check_room(const case_reader *reader, const json_value *value,
                              const case_file_values *values, uint64_t offset, uint64_t size) {
    if (offset > size || values->size > size - offset) {
        return json_fail(value, reader->error, TOOL_MALFORMED,
                         "the buffer of %" PRIu64 " bytes is too small for %" PRIu64
                         " bytes of initial values at offset %" PRIu64,
                         size, values->size, offset);
    }
    return TOOL_OK;
}

/* Bytes without an initial value are zero, as in a new buffer of D3D12. A few digits in a file can
 * ask for any buffer. */
static tool_status take_memory(case_reader *reader, const json_value *value, uint64_t size,
                               case_file_resource *out) {
    tool_error why;
    if (memory_check(reader->memory, size, &why) != TOOL_OK) {
        return json_fail(value, reader->error, TOOL_ENVIRONMENT,
                         "with the buffers before it this one %s", why.message);
    }
    out->bytes = memory_allocate(size);
    if (!out->bytes) {
        return json_fail(value, reader->error, TOOL_ENVIRONMENT, "no memory for %" PRIu64 " bytes",
                         size);
    }
    memset(out->bytes, 0, (size_t)size);
    out->size = size;
    reader->memory += size;
    return TOOL_OK;
}

static tool_status place_values(case_reader *reader, const json_value *value,
                                const case_file_values *values, case_file_resource *out) {
    uint64_t offset = 0;
    uint64_t size;
    tool_status status = read_size(reader, value, values, &size);
    if (status == TOOL_OK)
        status = json_optional_uint64(value, "initialValuesOffsetInBytes", &offset, reader->error);
    if (status == TOOL_OK)
        status = check_room(reader, value, values, offset, size);
    if (status == TOOL_OK)
        status = take_memory(reader, value, size, out);
    if (status == TOOL_OK) {
        status = case_file_fill_values(values, out->bytes + offset, reader->error);
        out->value_bytes = offset + values->size;
    }
    return status;
}

tool_status case_file_read_resource(case_reader *reader, const json_value *value,
                                    case_file_resource *out) {
    case_file_values values;
    if (json_type_of(value) != json_type_object)
        return json_fail_type(value, reader->error, "an object");
    out->name = strdup(value->name);
    if (!out->name)
        return json_fail_memory(value, reader->error);
    tool_status status = case_file_open_values(reader, value, &values);
    if (status == TOOL_OK) {
        out->type = values.type;
        status = place_values(reader, value, &values, out);
    }
    case_file_close_values(&values);
    return status;
}
