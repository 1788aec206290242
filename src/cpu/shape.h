/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_SHAPE_H
#define CUMSUM_CPU_SHAPE_H

/*
 * The shape of a problem: a line, and the fewest outer dimensions that enumerate the lines. It
 * replaces up to eight dimensions, an axis and a direction by a handful of steps.
 *
 * The outer dimensions are in row-major order if outputs may overlap, because the last writer of a
 * shared address must stay the same; otherwise in the order that suits memory. Steps and origins
 * are in bytes and cannot overflow: a tensor spans less than 2^35 bytes.
 */

#include "problem.h"

#define CUMSUM_MAX_OUTER (CUMSUM_MAX_DIMENSIONS - 1)

/* The least lines, and groups, of a crossed shape: with fewer, vectors are mostly empty. */
#define CUMSUM_LEAST_CROSSED 8

typedef struct cumsum_outer_dimension {
    uint64_t size; /* at least 2 */
    int64_t input_step;
    int64_t output_step;
} cumsum_outer_dimension;

typedef struct cumsum_shape {
    uint32_t outer_rank; /* 0: a single line */
    /* The innermost loop first. Its lines are a group: a panel's lines come from one. */
    cumsum_outer_dimension outer[CUMSUM_MAX_OUTER];
    bool is_crossed; /* outer[0] is contiguous in the output only, outer[1] in the input */
    uint64_t lines;
    uint64_t length;    /* elements of a line */
    int64_t input_step; /* from an element to the next one visited: negative for DECREASING */
    int64_t output_step;
    int64_t input_origin; /* from the tensor's first element to the first one visited of line 0 */
    int64_t output_origin;
} cumsum_shape;

void cumsum_shape_init(cumsum_shape *shape, const cumsum_problem *problem);

/* The largest number of consecutive lines of a group that never share an output address. At least
 * 1, since validation guarantees that the elements of one line never do. */
uint64_t cumsum_shape_disjoint_lines(const cumsum_shape *shape);

#endif
