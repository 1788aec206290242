/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_SHAPE_H
#define CUMSUM_CPU_SHAPE_H

/*
 * A problem reduced to what a loop needs: a line, and the fewest outer dimensions that enumerate
 * the lines; in row-major order where outputs share addresses, else in the order that suits memory.
 * Steps are in bytes and fit: a tensor spans less than 2^35 bytes.
 */

#include "problem.h"

#define CUMSUM_MAX_OUTER (CUMSUM_MAX_DIMENSIONS - 1)

typedef struct cumsum_outer_dimension {
    uint64_t size; /* above 1 */
    int64_t input_step;
    int64_t output_step;
} cumsum_outer_dimension;

typedef struct cumsum_shape {
    uint32_t outer_rank;                            /* 0: a single line */
    cumsum_outer_dimension outer[CUMSUM_MAX_OUTER]; /* the innermost first: a panel's lines */
    uint64_t lines;
    uint64_t length;
    int64_t input_step; /* from an element to the next one visited: negative for DECREASING */
    int64_t output_step;
    int64_t input_origin; /* the first element visited of line 0, from the element with all 0 */
    int64_t output_origin;
} cumsum_shape;

void cumsum_shape_init(cumsum_shape *shape, const cumsum_problem *problem);

/* So many neighbours among the panel's lines that no two of them share an output address: at least
 * 1, since the elements of a line never do. */
uint64_t cumsum_shape_lines_apart(const cumsum_shape *shape);

#endif
