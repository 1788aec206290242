/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_WORKLOAD_OPERATOR_H
#define CUMSUM_TOOLS_WORKLOAD_OPERATOR_H

/* A workload with a type, its descriptor and its memory. */

#include "error.h"
#include "workload.h"

/* Must stay where it is: the descriptors point into it. */
typedef struct workload_operator {
    const workload *work;
    cumsum_buffer_tensor_desc input_buffer;
    cumsum_buffer_tensor_desc output_buffer;
    cumsum_tensor_desc input_tensor;
    cumsum_tensor_desc output_tensor;
    cumsum_operator_desc desc;
    uint64_t bytes;        /* elements * element size: what a copy of the data would move */
    unsigned char *input;  /* filled; in place: what output is restored from */
    unsigned char *output; /* in place: what is summed */
} workload_operator;

/*
 * Fills in the descriptor and takes the memory, after asking whether there is as much. The caller
 * gives it back with workload_end.
 * Returns TOOL_ENVIRONMENT, with a message that says what is needed and what there is, where the
 * memory cannot be had.
 */
tool_status workload_begin(workload_operator *op, const workload *w, cumsum_data_type type,
                           tool_error *error);

void workload_end(workload_operator *op);

/* Where the operator reads: in place that is its output. */
const unsigned char *workload_source(const workload_operator *op);

#endif
