/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_READ_AHEAD_H
#define CUMSUM_CPU_READ_AHEAD_H

/* Bringing the part of a line that a thread will sum next into its cache while it writes another
 * one: writing reads what is in the cache already, so memory would have nothing to do. */

#include "kernel_inline.h"
#include "kernel_table.h"

#define READ_AHEAD                                                                                 \
    256 /* elements at a time: 8 to 32 cache lines, which memory can have under way */

typedef struct read_ahead {
    const unsigned char *from; /* the lowest address */
    uint64_t length;           /* elements; 0: nothing to read */
} read_ahead;

/* Only neighbours: of other elements, most of a cache line may be nobody's. */
static inline read_ahead read_ahead_of(const cumsum_panel *next, size_t size) {
    read_ahead ahead = {0};
    if (!next)
        return ahead;
    const int64_t step = next->input_step;
    if (step != (int64_t)size && step != -(int64_t)size)
        return ahead;
    ahead.length = next->length;
    ahead.from = next->input + (step < 0 ? (int64_t)(next->length - 1) * step : 0);
    return ahead;
}

/* READ_AHEAD elements from number k on. */
KERNEL_INLINE void read_some(const read_ahead ahead, uint64_t k, size_t size) {
    if (k + READ_AHEAD > ahead.length)
        return;
    for (size_t byte = 0; byte < READ_AHEAD * size; byte += 64)
        prefetch_second(ahead.from + k * size + byte);
}

#endif
