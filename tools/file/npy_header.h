/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_NPY_HEADER_H
#define CUMSUM_TOOLS_NPY_HEADER_H

/*
 * The header of an .npy file: a Python dictionary with exactly the keys descr, fortran_order and
 * shape, in any order, as the numpy.lib.format document describes it.
 */

#include <cumsum/cumsum.h>
#include <stddef.h>

#include "error.h"

typedef struct npy_header {
    cumsum_data_type type;
    bool fortran_order;
    uint32_t rank;
    uint32_t sizes[CUMSUM_MAX_DIMENSIONS];
} npy_header;

/* text: the dictionary with its padding; start: its offset in the file, for error messages. */
tool_status npy_parse_header(const char *text, size_t length, const char *name, size_t start,
                             npy_header *out, tool_error *error);

#endif
