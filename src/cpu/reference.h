/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_REFERENCE_H
#define CUMSUM_CPU_REFERENCE_H

/*
 * The reference: docs/numerics.md in its plainest reading, one element at a time. Everything else
 * is compared with it, so it is written to be checked by eye, and shares no code with its checkers.
 */

#include "kernel_table.h"

/* One line, in traversal order. Steps are in bytes. */
typedef struct reference_line {
    const unsigned char *input;
    unsigned char *output;
    int64_t input_step;
    int64_t output_step;
    uint64_t length;
} reference_line;

typedef void reference_line_function(const reference_line *line,
                                     const cumsum_arithmetic *arithmetic);

reference_line_function cumsum_reference_integer_line;
reference_line_function cumsum_reference_sequential_line;
reference_line_function cumsum_reference_blocked_line;
reference_line_function cumsum_reference_exact_line;

#endif
