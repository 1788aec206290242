/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_FAILURE_BINS_H
#define CUMSUM_TOOLS_FAILURE_BINS_H

/* The indices of a dimension in at most 64 bins of equal width, of which the last may be narrower:
 * what is told of a failure stays small however large the tensor is. */

#include <stdint.h>

#define FAILURE_BINS 64

typedef struct failure_bins {
    uint32_t dimension;
    uint32_t size;  /* of the dimension, at least 1 */
    uint32_t width; /* indices in a bin */
    uint32_t count; /* of bins */
} failure_bins;

static inline failure_bins failure_bins_of(uint32_t dimension, uint32_t size) {
    uint32_t width = (size - 1) / FAILURE_BINS + 1;
    return (failure_bins){dimension, size, width, (size - 1) / width + 1};
}

/* How many indices are in a bin. */
static inline uint32_t failure_bin_span(const failure_bins *bins, uint32_t bin) {
    uint32_t left = bins->size - bin * bins->width;
    return left < bins->width ? left : bins->width;
}

#endif
