/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "file_write.h"
#include "npy.h"

/* magic, version 1.0 and the length of the header */
#define PREFIX    10
#define ALIGNMENT 64

static const char *descr(cumsum_data_type type) {
    switch (type) {
    case CUMSUM_DATA_TYPE_FLOAT32:
        return "<f4";
    case CUMSUM_DATA_TYPE_FLOAT16:
        return "<f2";
    case CUMSUM_DATA_TYPE_INT32:
        return "<i4";
    case CUMSUM_DATA_TYPE_UINT32:
        return "<u4";
    case CUMSUM_DATA_TYPE_INT64:
        return "<i8";
    case CUMSUM_DATA_TYPE_UINT64:
        return "<u8";
    default:
        return NULL;
    }
}

/* (), (3,), (3, 4): as Python writes a tuple. At most 8 * 12 + 2 characters. */
static void write_shape(char *shape, size_t room, uint32_t rank, const uint32_t *sizes) {
    size_t used = (size_t)snprintf(shape, room, "(");
    for (uint32_t i = 0; i < rank; i++)
        used += (size_t)snprintf(shape + used, room - used, "%s%u", i ? ", " : "", sizes[i]);
    snprintf(shape + used, room - used, rank == 1 ? ",)" : ")");
}

/* NumPy leaves room for the first size to grow to 21 digits in place, and then pads to 64 bytes. */
static size_t growth(uint32_t rank, const uint32_t *sizes) {
    char digits[16];
    return rank == 0 ? 0 : 21 - (size_t)snprintf(digits, sizeof digits, "%u", sizes[0]);
}

/* The file up to the elements; returns its length. */
static size_t write_header(char *header, size_t room, const char *type, uint32_t rank,
                           const uint32_t *sizes) {
    char shape[8 * 12 + 8];
    write_shape(shape, sizeof shape, rank, sizes);
    memcpy(header, "\x93NUMPY\x01\x00", 8);
    size_t used =
        PREFIX + (size_t)snprintf(header + PREFIX, room - PREFIX,
                                  "{'descr': '%s', 'fortran_order': False, 'shape': %s, }", type,
                                  shape);
    size_t wanted = used + growth(rank, sizes) + 1;
    size_t total = (wanted + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    memset(header + used, ' ', total - used);
    header[total - 1] = '\n';
    header[8] = (char)((total - PREFIX) & 0xFF);
    header[9] = (char)((total - PREFIX) >> 8);
    return total;
}

tool_status npy_write(const char *path, cumsum_data_type type, uint32_t rank, const uint32_t *sizes,
                      const void *bytes, tool_error *error) {
    char header[4 * ALIGNMENT];
    const char *name = descr(type);
    if (!name || rank > CUMSUM_MAX_DIMENSIONS) {
        return tool_fail(error, TOOL_ENVIRONMENT,
                         "%.400s: cannot be written: %u dimensions of type %s", path, rank,
                         cumsum_data_type_name(type));
    }
    uint64_t size = cumsum_data_type_size(type);
    for (uint32_t i = 0; i < rank; i++) {
        if (__builtin_mul_overflow(size, (uint64_t)sizes[i], &size)) {
            return tool_fail(error, TOOL_ENVIRONMENT,
                             "%.400s: cannot be written: it would have more than 2^64 bytes", path);
        }
    }
    size_t used = write_header(header, sizeof header, name, rank, sizes);
    const file_part parts[2] = {{header, used}, {bytes, (size_t)size}};
    return file_write(path, parts, 2, error);
}
