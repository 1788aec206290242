/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_NPY_PARSE_H
#define CUMSUM_TESTS_NPY_PARSE_H

/* An .npy file that is in memory, for tests of bytes that need no file. */

#include <string.h>

#include "element.h"
#include "memory_limit.h"
#include "npy.h"

/* As npy_read_as; `name` stands for the path in errors. */
static inline tool_status npy_parse(const unsigned char *data, size_t length, const char *name,
                                    cumsum_data_type declared, npy_array *out, tool_error *error) {
    npy_header header;
    npy_array array;
    *out = (npy_array){0};
    tool_status status = npy_parse_header(data, length, name, declared, &header, error);
    if (status == TOOL_OK)
        status = npy_describe(&header, name, &array, error);
    if (status == TOOL_OK)
        status = npy_check_size(&header, length - header.start, name, error);
    if (status != TOOL_OK)
        return status;
    array.bytes = memory_for(array.size, name, error);
    if (!array.bytes)
        return TOOL_ENVIRONMENT;
    if (array.size > 0)
        memcpy(array.bytes, data + header.start, array.size);
    if (header.big_endian != ELEMENT_BIG_ENDIAN)
        element_swap(array.bytes, array.size, array.type);
    *out = array;
    return TOOL_OK;
}

#endif
