/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_SEGMENT_PREFETCH_H
#define CUMSUM_CPU_SEGMENT_PREFETCH_H

/*
 * Prefetch between the segments of a line (segment.h). While a thread writes one segment, whose
 * input is in its cache already, memory is idle; it can bring the segment that the thread reduces
 * next. Only contiguous input is prefetched: of strided elements most bytes of a cache line are not
 * used.
 */

#include "kernel_macros.h"
#include "kernel_table.h"

/* Elements per step: 8 to 32 cache lines, about as many as a core can have under way. */
#define PREFETCH_ELEMENTS 256

typedef struct prefetch_range {
    const unsigned char *from; /* the lowest address */
    uint64_t length;           /* elements; 0: no prefetch */
} prefetch_range;

/* The input of a panel of one line; `next` may be NULL. */
static inline prefetch_range prefetch_range_of(const cumsum_panel *next, size_t size) {
    prefetch_range range = {0};
    if (!next)
        return range;
    const int64_t step = next->input_step;
    if (step != (int64_t)size && step != -(int64_t)size)
        return range;
    range.length = next->length;
    range.from = next->input + (step < 0 ? (int64_t)(next->length - 1) * step : 0);
    return range;
}

/* Prefetches elements k to k + PREFETCH_ELEMENTS - 1, if the range has all of them. */
KERNEL_INLINE void prefetch_elements(const prefetch_range range, uint64_t k, size_t size) {
    if (k + PREFETCH_ELEMENTS > range.length)
        return;
    for (size_t byte = 0; byte < PREFETCH_ELEMENTS * size; byte += 64)
        prefetch_l2(range.from + k * size + byte);
}

#endif
