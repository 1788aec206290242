/* SPDX-License-Identifier: MIT */
#include "npy.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "file_read.h"
#include "memory_limit.h"
#include "npy_header.h"

/* The file's first bytes: magic, version, and the length of the header in 2 bytes (1.0) or 4. */
static tool_status find_header(const unsigned char *data, size_t length, const char *name,
                               size_t *start, uint64_t *size, tool_error *error) {
    if (length < 8 || memcmp(data, "\x93NUMPY", 6) != 0) {
        return tool_fail(
            error, TOOL_MALFORMED,
            "%.400s: not an .npy file: it does not start with \\x93NUMPY and a version", name);
    }
    if (data[6] < 1 || data[6] > 3 || data[7] != 0) {
        return tool_fail(error, TOOL_MALFORMED,
                         "%.400s: .npy version %u.%u is not supported: 1.0, 2.0 and 3.0 are", name,
                         data[6], data[7]);
    }
    *start = data[6] == 1 ? 10 : 12;
    *size = 0;
    for (size_t i = *start; i > 8 && length >= *start; i--)
        *size = *size << 8 | data[i - 1];
    if (length < *start || *size > length - *start) {
        return tool_fail(error, TOOL_MALFORMED, "%.400s: the file ends inside the .npy header",
                         name);
    }
    return TOOL_OK;
}

/* Strides of packed elements; false where a stride or the number of elements exceeds 2^32 - 1. */
static bool set_strides(npy_array *array, uint64_t *elements) {
    uint64_t stride = 1;
    *elements = 1;
    for (uint32_t i = 0; i < array->rank; i++) {
        uint32_t d = array->fortran_order ? i : array->rank - 1 - i;
        array->strides[d] = (uint32_t)stride;
        *elements = *elements * array->sizes[d];
        stride *=
            array->sizes[d] ? array->sizes[d] : 1; /* below 2^64: both factors fit in 32 bits */
        if (stride > UINT32_MAX)
            return false;
    }
    return true;
}

static tool_status copy_elements(npy_array *array, const unsigned char *data, uint64_t found,
                                 const char *name, tool_error *error) {
    uint64_t elements;
    if (!set_strides(array, &elements)) {
        return tool_fail(error, TOOL_MALFORMED,
                         "%.400s: shape has more than 4294967295 elements, the most that a tensor "
                         "may have",
                         name);
    }
    array->size = elements * cumsum_data_type_size(array->type);
    if (found != array->size) {
        return tool_fail(error, TOOL_MALFORMED,
                         "%.400s: shape and type need %" PRIu64
                         " bytes of elements, the file has %" PRIu64,
                         name, array->size, found);
    }
    array->bytes = memory_allocate(array->size);
    if (!array->bytes) {
        return tool_fail(error, TOOL_ENVIRONMENT, "%.400s: no memory for %" PRIu64 " bytes", name,
                         array->size);
    }
    if (array->size > 0)
        memcpy(array->bytes, data, array->size);
    return TOOL_OK;
}

tool_status npy_parse(const unsigned char *data, size_t length, const char *name, npy_array *out,
                      tool_error *error) {
    npy_header header;
    size_t start = 0;
    uint64_t size = 0;
    *out = (npy_array){0};
    tool_status status = find_header(data, length, name, &start, &size, error);
    if (status == TOOL_OK) {
        status =
            npy_parse_header((const char *)data + start, (size_t)size, name, start, &header, error);
    }
    if (status != TOOL_OK)
        return status;
    npy_array array = {
        .type = header.type, .rank = header.rank, .fortran_order = header.fortran_order};
    memcpy(array.sizes, header.sizes, sizeof array.sizes);
    start += (size_t)size;
    status = copy_elements(&array, data + start, length - start, name, error);
    if (status == TOOL_OK)
        *out = array;
    return status;
}

tool_status npy_read(const char *path, npy_array *out, tool_error *error) {
    file_contents file;
    *out = (npy_array){0};
    tool_status status = file_read(path, &file, error);
    if (status == TOOL_OK) {
        status = npy_parse(file.bytes, file.size, path, out, error);
        memory_release(file.bytes);
    }
    return status;
}

void npy_free(npy_array *array) {
    memory_release(array->bytes);
    array->bytes = NULL;
}
