/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TENSOR_EXTENT_H
#define CUMSUM_TENSOR_EXTENT_H

/*
 * How many elements a layout spans, how many bytes that takes, and whether two of its elements may
 * share an address. Sizes and strides are in elements; strides may be NULL where a function says
 * so, which means packed in row-major order.
 */

#include <cumsum/cumsum.h>

/* No tensor may span more elements (docs/validation.md). */
#define CUMSUM_MAX_EXTENT UINT64_C(0xFFFFFFFF)

/* The extent: the elements from the first to the last one addressed. That is 1 + dot(sizes - 1,
 * strides), or product(sizes) if strides is NULL. 0 if it exceeds CUMSUM_MAX_EXTENT. No size may be
 * 0. */
uint64_t cumsum_extent(uint32_t rank, const uint32_t *sizes, const uint32_t *strides);

/* product(sizes), or CUMSUM_MAX_EXTENT + 1 if it is larger than that. No size may be 0. */
uint64_t cumsum_element_count(uint32_t rank, const uint32_t *sizes);

/* extent * element_size, rounded up to a multiple of 4. extent <= CUMSUM_MAX_EXTENT. */
uint64_t cumsum_size_of_extent(uint64_t extent, uint32_t element_size);

/* False only if no two elements share an address; may be true for some such layouts too. The stride
 * of a dimension of size 1 is ignored. */
bool cumsum_layout_may_overlap(uint32_t rank, const uint64_t *sizes, const uint64_t *strides);

#endif
