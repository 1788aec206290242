/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_SCAN_CASE_H
#define CUMSUM_TESTS_SCAN_CASE_H

/* A descriptor with its own arrays, for tests: begin with scan_case_init, then change fields. */

#include <cumsum/cumsum.h>
#include <stddef.h>

typedef struct scan_case {
    uint32_t sizes[2][CUMSUM_MAX_DIMENSIONS + 1]; /* [0] the input's, [1] the output's */
    uint32_t strides[2][CUMSUM_MAX_DIMENSIONS + 1];
    cumsum_buffer_tensor_desc buffer[2];
    cumsum_tensor_desc tensor[2];
    cumsum_operator_desc desc;
    cumsum_plan_options options;
} scan_case;

/* Valid, packed, INCREASING and inclusive, with default options. Must not be moved afterwards. */
void scan_case_init(scan_case *c, cumsum_data_type type, uint32_t rank, const uint32_t *sizes,
                    uint32_t axis);

/* One line of length elements. */
void scan_case_init_line(scan_case *c, cumsum_data_type type, uint32_t length);

/* Gives both tensors strides (NULL: packed) and the total sizes that follow. */
void scan_case_set_strides(scan_case *c, const uint32_t *input, const uint32_t *output);

/* Creates a plan, executes it on memory of exactly the total sizes, destroys it. Fails the running
 * test unless all of that succeeds. */
void scan_case_execute(const scan_case *c, const void *input, void *output);

/* Numbers that look random and are the same everywhere (SplitMix64). */
uint64_t scan_case_random(uint64_t *state);

#endif
