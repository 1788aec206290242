/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_SCAN_CASE_H
#define CUMSUM_TESTS_SCAN_CASE_H

/*
 * A descriptor with arrays of its own, for tests: start with scan_case_init, then change fields.
 * Members with two elements belong to the operands: [0] to the input, [1] to the output.
 */

#include "splitmix64.h"

#include <cumsum/cumsum.h>
#include <stddef.h>

typedef struct scan_case {
    uint32_t sizes[2][CUMSUM_MAX_DIMENSIONS + 1]; /* room for one dimension too many */
    uint32_t strides[2][CUMSUM_MAX_DIMENSIONS + 1];
    cumsum_buffer_tensor_desc buffer[2];
    cumsum_tensor_desc tensor[2];
    cumsum_operator_desc desc;
    cumsum_plan_options options;
} scan_case;

/* A valid descriptor: packed, INCREASING, inclusive, with default options. It points into itself,
 * so it must not be moved afterwards. */
void scan_case_init(scan_case *c, cumsum_data_type type, uint32_t rank, const uint32_t *sizes,
                    uint32_t axis);

/* The same for one line of `length` elements. */
void scan_case_init_line(scan_case *c, cumsum_data_type type, uint32_t length);

/* Sets the strides of both tensors (NULL: packed), and the total sizes that follow from them. */
void scan_case_set_strides(scan_case *c, const uint32_t *input, const uint32_t *output);

/* Creates a plan, executes it on memory of exactly the total sizes, and destroys it. The running
 * test fails if any of that fails. */
void scan_case_execute(const scan_case *c, const void *input, void *output);

#endif
