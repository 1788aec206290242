/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_ONNX_TENSOR_H
#define CUMSUM_TOOLS_ONNX_TENSOR_H

#include <cumsum/cumsum.h>
#include <stddef.h>

#include "error.h"

/* A tensor of an ONNX file (TensorProto). */

typedef struct onnx_tensor {
    cumsum_data_type type;
    uint32_t rank; /* 0 to 8 */
    uint32_t sizes[CUMSUM_MAX_DIMENSIONS];
    uint64_t count;       /* elements, 1 at least */
    unsigned char *bytes; /* packed, row-major, zeros up to a multiple of 4; for memory_release */
    uint64_t size;        /* that multiple */
} onnx_tensor;

/*
 * Reads a tensor from the bytes of a file. `name` is the file's, for messages.
 * TOOL_NOTHING_RAN, with the reason, for a tensor that is right but none that can be judged: of
 * another type than the operator's and FLOAT64, of more than 8 dimensions, or without elements.
 * TOOL_MALFORMED for one that says something else than the specification allows, and for data in
 * another file.
 */
tool_status onnx_tensor_read(const unsigned char *bytes, size_t size, const char *name,
                             onnx_tensor *out, tool_error *error);

void onnx_tensor_free(onnx_tensor *t);

/* The single value of an INT32 or INT64 tensor, as an axis is given. */
tool_status onnx_tensor_axis(const onnx_tensor *t, const char *name, int64_t *axis,
                             tool_error *error);

#endif
