/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_ONNX_TENSOR_H
#define CUMSUM_TOOLS_ONNX_TENSOR_H

/* A tensor of an ONNX file (TensorProto). */

#include <cumsum/cumsum.h>
#include <stddef.h>

#include "error.h"

typedef struct onnx_tensor {
    cumsum_data_type type;
    uint32_t rank; /* 0 to 8 */
    uint32_t sizes[CUMSUM_MAX_DIMENSIONS];
    uint64_t count;       /* elements, 1 at least */
    unsigned char *bytes; /* packed, row-major, zeros up to a multiple of 4; for memory_release */
    uint64_t size;        /* that multiple */
} onnx_tensor;

/*
 * Reads a tensor from the bytes of a file. `name` is the file's, for messages. TOOL_SKIPPED,
 * with the reason, for a valid tensor that cannot be judged: its type is neither one of the
 * operator's nor FLOAT64 nor BFLOAT16, it has more than 8 dimensions, or it has no elements.
 * TOOL_MALFORMED for a tensor that does not follow the specification, and for external data.
 */
tool_status onnx_tensor_read(const unsigned char *bytes, size_t size, const char *name,
                             onnx_tensor *out, tool_error *error);

void onnx_tensor_free(onnx_tensor *t);

/* The axis that a tensor of one INT32 or INT64 gives. */
tool_status onnx_tensor_axis(const onnx_tensor *t, const char *name, int64_t *axis,
                             tool_error *error);

#endif
