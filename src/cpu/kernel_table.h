/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_KERNEL_TABLE_H
#define CUMSUM_CPU_KERNEL_TABLE_H

/*
 * The seam between the plan, which decides the shape, and the kernels, which do the lines. Each
 * instruction set exports one table; the plan asks it once, at creation, for the function that
 * fits.
 */

#include <cumsum/cumsum.h>

#include "segment.h"
#include "shape.h"

/* What is added up and how. Constant over the life of a plan. */
typedef struct cumsum_arithmetic {
    cumsum_data_type type;
    bool exclusive;
    cumsum_numerics numerics;
} cumsum_arithmetic;

/*
 * Lines side by side: a two-dimensional part of the problem, or some such parts, in bytes. Within a
 * line elements are visited in traversal order, so steps are negative where the axis is DECREASING.
 * Steps between lines are 0 or positive; an input's may be 0 (a repeated line).
 */
typedef struct cumsum_panel {
    const unsigned char *input; /* the first element visited of the first line */
    unsigned char *output;
    uint64_t lines;
    int64_t input_line_step; /* from a line to the next */
    int64_t output_line_step;
    uint64_t groups; /* of so many lines: 1, or some where the plan says that they are short */
    int64_t input_group_step;
    int64_t output_group_step;
    uint64_t length;    /* elements of a line */
    int64_t input_step; /* from an element to the next one visited */
    int64_t output_step;
    bool stream; /* the output is larger than the caches: it may be written past them */
} cumsum_panel;

/*
 * Computes the lines of a panel, which share no outputs, in any order. input and output either are
 * the same memory with the same steps, or do not overlap. Runs in the default floating-point
 * environment (fp_environment.h), allocates nothing, writes nothing but the panel's elements.
 */
typedef void cumsum_panel_function(const cumsum_panel *panel, const cumsum_arithmetic *arithmetic);

typedef struct cumsum_kernel_table {
    cumsum_kernel kernel;
    /* NULL where this processor runs the kernels; otherwise a constant that says what it lacks. */
    const char *(*missing)(void);
    /* The function for a shape; NULL where the table has none and the reference has to do it. */
    cumsum_panel_function *(*select)(const cumsum_shape *shape,
                                     const cumsum_arithmetic *arithmetic);
    /* The functions for parts of a line; NULL where a line is one piece. */
    const cumsum_segment_functions *(*select_segments)(const cumsum_arithmetic *arithmetic);
} cumsum_kernel_table;

extern const cumsum_kernel_table cumsum_reference_kernels;
extern const cumsum_kernel_table cumsum_portable_kernels;
extern const cumsum_kernel_table cumsum_avx2_kernels;
extern const cumsum_kernel_table cumsum_avx512_kernels;
extern const cumsum_kernel_table cumsum_avx512_wide_kernels; /* what the one above chooses from */
extern const cumsum_kernel_table cumsum_avx512_narrow_kernels;
extern const cumsum_kernel_table cumsum_neon_kernels;

/* The table of a kernel, AUTO included (the best that runs here). NULL where there is none, and
 * then *reason is a constant that says why. A number that is no kernel has none either. */
const cumsum_kernel_table *cumsum_kernel_find(cumsum_kernel kernel, const char **reason);

#endif
