/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TENSOR_EXTENT_H
#define CUMSUM_TENSOR_EXTENT_H

/* How many elements a layout spans, and which of its elements meet. */

#include <cumsum/cumsum.h>

/* No tensor may span more elements (docs/validation.md). */
#define CUMSUM_MAX_EXTENT UINT64_C(0xFFFFFFFF)

/* 1 + dot(sizes - 1, strides), or product(sizes) where strides is NULL: elements from the first to
 * the last one addressed. 0 where that exceeds CUMSUM_MAX_EXTENT. No size may be 0. */
uint64_t cumsum_extent(uint32_t rank, const uint32_t *sizes, const uint32_t *strides);

/* product(sizes), or CUMSUM_MAX_EXTENT + 1 for any larger one. No size may be 0. */
uint64_t cumsum_element_count(uint32_t rank, const uint32_t *sizes);

/* extent * element_size, rounded up to a multiple of 4. extent <= CUMSUM_MAX_EXTENT. */
uint64_t cumsum_size_of_extent(uint64_t extent, uint32_t element_size);

/* False only where no two elements share an address. strides[d] is ignored where sizes[d] is 1. */
bool cumsum_layout_may_overlap(uint32_t rank, const uint64_t *sizes, const uint64_t *strides);

#endif
