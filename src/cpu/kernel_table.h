/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_KERNEL_TABLE_H
#define CUMSUM_CPU_KERNEL_TABLE_H

/*
 * The interface between plans, which decide how lines are enumerated, and kernels, which compute
 * them. Each instruction set exports one table. A plan asks it for functions once, when it is
 * created, so nothing is looked up during execution.
 *
 * All tables give the same bits: those of the reference.
 */

#include <cumsum/cumsum.h>

#include "segment.h"

/* What is added and in which order and formats. Constant over the life of a plan. */
typedef struct cumsum_arithmetic {
    cumsum_data_type type;
    bool exclusive;
    cumsum_numerics numerics;
} cumsum_arithmetic;

/* Whether sums are rounded: the types of the plans that are not integers. */
static inline bool cumsum_is_float(cumsum_data_type type) {
    return type == CUMSUM_DATA_TYPE_FLOAT64 || type == CUMSUM_DATA_TYPE_FLOAT32 ||
           type == CUMSUM_DATA_TYPE_FLOAT16;
}

/*
 * A panel: groups of lines, each of the same number of lines of the same length, with constant
 * steps, in bytes, between elements, lines and groups. Within a line elements are visited in
 * traversal order, so the steps of elements are negative for a DECREASING axis. The steps of lines
 * and groups are 0 or positive; an input's may be 0, which repeats a line.
 */
typedef struct cumsum_panel {
    const unsigned char *input; /* the first element visited of the first line */
    unsigned char *output;
    uint64_t lines;          /* in each group */
    int64_t input_line_step; /* from a line to the next */
    int64_t output_line_step;
    uint64_t groups; /* 1, or more if the plan merges small groups */
    int64_t input_group_step;
    int64_t output_group_step;
    uint64_t length;    /* elements of a line */
    int64_t input_step; /* from an element to the next one visited */
    int64_t output_step;
    bool stream; /* input and output exceed the caches: cache-bypassing stores are worth it */
    /* In the sequential order and of integers, in a panel of one group that is not crossed: the
     * accumulators of the lines, of 32 bits or, of integers of 64 bits, of 64. The scans start from
     * these and move them behind the panel. NULL: from 0. */
    void *carry;
    void *scratch; /* scratch.h: of the calling thread alone; NULL: none, which takes longer */
} cumsum_panel;

/*
 * Computes the lines of a panel, in any order. Lines share no output addresses. Input and output
 * are the same memory with the same steps, or do not overlap. Runs in the default floating-point
 * environment (fp_environment.h), allocates nothing, and writes nothing but the panel's elements.
 */
typedef void cumsum_panel_function(const cumsum_panel *panel, const cumsum_arithmetic *arithmetic);

typedef struct cumsum_kernel_table {
    cumsum_kernel kernel;
    /* NULL if this processor can run the kernels; otherwise a constant that says what it lacks. */
    const char *(*missing)(void);
    cumsum_panel_function *panel; /* of every type, order and layout */
    /* The functions for segments of a line; NULL if a line cannot be cut. */
    const cumsum_segment_functions *(*select_segments)(const cumsum_arithmetic *arithmetic);
} cumsum_kernel_table;

extern const cumsum_kernel_table cumsum_reference_kernels;
extern const cumsum_kernel_table cumsum_portable_kernels;
extern const cumsum_kernel_table cumsum_avx2_kernels;
extern const cumsum_kernel_table cumsum_avx512_kernels;
extern const cumsum_kernel_table cumsum_neon_kernels;

/* The table of a kernel, or for AUTO the best table that this processor can run. NULL if there is
 * none or `kernel` is no kernel's number; *reason is then a constant that says why. */
const cumsum_kernel_table *cumsum_kernel_find(cumsum_kernel kernel, const char **reason);

#endif
