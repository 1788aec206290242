/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_WORKLOAD_H
#define CUMSUM_TOOLS_WORKLOAD_H

#include <cumsum/cumsum.h>

#include "error.h"

/* What `cumsum bench` computes: one operator for each kind of layout that a kernel may be slow at.
 */

typedef struct workload {
    const char *name;
    uint32_t rank;
    uint32_t sizes[CUMSUM_MAX_DIMENSIONS];
    uint32_t axis;
    uint32_t input_strides[CUMSUM_MAX_DIMENSIONS]; /* all 0: packed, row-major */
    uint32_t output_strides[CUMSUM_MAX_DIMENSIONS];
    bool decreasing;
    bool exclusive;
    bool in_place;
    bool strided; /* the copy beside it is of the same layout (bench_strided.h) */
} workload;

/* Ends with a row without a name. */
extern const workload workload_list[];

uint64_t workload_elements(const workload *w);

/* One measurement: what, with which type and order, on how many threads. */
typedef struct workload_entry {
    const workload *work;
    cumsum_data_type type;
    cumsum_order order;
    uint32_t threads;
} workload_entry;

/* Room for any entry's name. */
#define WORKLOAD_NAME 64

/* "row-1x64M/FLOAT32/blocked/1t" */
void workload_name(char name[WORKLOAD_NAME], const workload_entry *entry);

/* Does the name contain the pattern or, where the pattern has a *, ? or [, match it as a whole? A
 * NULL pattern fits every name. */
bool workload_fits(const char *name, const char *pattern);

/* A workload with a type, its descriptor and its memory. */

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
