/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_ORACLE_SUM_LAYOUT_H
#define CUMSUM_ORACLE_SUM_LAYOUT_H

/*
 * Sums as lines: a line holds the terms of one output, in row-major order of the summed axes, and
 * every position of it has the same output. Only the last one is judged.
 *
 * In the problem of the judgement, `sizes` and `output_strides` are the output's, `input_strides`
 * are 0 in the summed axes, `lines` counts the outputs, `line_length` the terms, and `axis` is
 * SUM_NO_AXIS.
 */

#include <cumsum/sums.h>

/* No dimension has this number. */
#define SUM_NO_AXIS CUMSUM_MAX_DIMENSIONS

typedef struct sum_layout {
    uint32_t rank; /* of the summed axes: those of size 1 left out, and neighbours that are evenly
                      spaced together made one */
    uint64_t sizes[CUMSUM_MAX_DIMENSIONS];
    uint64_t strides[CUMSUM_MAX_DIMENSIONS]; /* elements */
    cumsum_mean mean;
} sum_layout;

/* Do the terms lie in several dimensions, so that they are copied next to each other? */
static inline bool sum_is_gathered(const sum_layout *sums) {
    return sums->rank > 1;
}

#endif
