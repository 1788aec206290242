/* SPDX-License-Identifier: MIT */
/*
 * Extents of layouts: docs/validation.md, "The rules" and "Output elements that collide".
 *
 * Invariant: no product or sum here wraps. Each one is compared with CUMSUM_MAX_EXTENT, which is
 * 2^32 - 1, before the next is formed from it.
 */
#include "extent.h"

uint64_t cumsum_element_count(uint32_t rank, const uint32_t *sizes) {
    uint64_t count = 1;
    for (uint32_t d = 0; d < rank; d++) {
        count *= sizes[d]; /* both factors are below 2^32: the product fits 64 bits */
        if (count > CUMSUM_MAX_EXTENT)
            return CUMSUM_MAX_EXTENT + 1;
    }
    return count;
}

uint64_t cumsum_extent(uint32_t rank, const uint32_t *sizes, const uint32_t *strides) {
    if (!strides) {
        const uint64_t count = cumsum_element_count(rank, sizes);
        return count > CUMSUM_MAX_EXTENT ? 0 : count;
    }
    uint64_t last = 0;
    for (uint32_t d = 0; d < rank; d++) {
        /* At most (2^32 - 2) * (2^32 - 1), and last is below 2^32 - 1: the sum is below 2^64. */
        last += (uint64_t)(sizes[d] - 1) * strides[d];
        if (last >= CUMSUM_MAX_EXTENT)
            return 0;
    }
    return last + 1;
}

uint64_t cumsum_size_of_extent(uint64_t extent, uint32_t element_size) {
    return (extent * element_size + 3) & ~UINT64_C(3);
}

/* The dimension of the smallest stride among those with a size above 1 that are not in the set
 * `used`; rank if there is none. */
static uint32_t next_by_stride(uint32_t rank, const uint64_t *sizes, const uint64_t *strides,
                               uint32_t used) {
    uint32_t best = rank;
    for (uint32_t d = 0; d < rank; d++) {
        const bool candidate = sizes[d] > 1 && !(used >> d & 1);
        if (candidate && (best == rank || strides[d] < strides[best]))
            best = d;
    }
    return best;
}

/*
 * The dimensions are taken by ascending stride. If each stride exceeds the last offset that the
 * dimensions before it reach, indices are the digits of a mixed-radix number: a step along a
 * dimension leads past every offset of the ones before, so no two index vectors share an offset.
 * The converse is false: the answer may be true for a layout whose elements interleave without
 * sharing an address. Deciding that exactly means solving a bounded linear Diophantine equation,
 * which is NP-hard in general, and no caller needs it.
 */
bool cumsum_layout_may_overlap(uint32_t rank, const uint64_t *sizes, const uint64_t *strides) {
    uint64_t last = 0;
    uint32_t used = 0;
    for (uint32_t i = 0; i < rank; i++) {
        const uint32_t d = next_by_stride(rank, sizes, strides, used);
        if (d == rank)
            return false;
        if (strides[d] <= last)
            return true;
        last += (sizes[d] - 1) * strides[d];
        used |= 1u << d;
    }
    return false;
}
