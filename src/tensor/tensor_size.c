/* SPDX-License-Identifier: MIT */
/*
 * TotalTensorSizeInBytes of a layout: the exact one, and the one that Microsoft's published helper
 * DMLCalcBufferTensorSize computes, which can wrap (docs/validation.md, "Sizes").
 */
#include "extent.h"

/* The type may be any that has a size in bytes, not only those that the operator supports. */
static bool arguments_valid(cumsum_data_type type, uint32_t rank, const uint32_t *sizes) {
    if (!sizes || rank < 1 || rank > CUMSUM_MAX_DIMENSIONS || cumsum_data_type_size(type) == 0)
        return false;
    for (uint32_t d = 0; d < rank; d++)
        if (sizes[d] == 0)
            return false;
    return true;
}

cumsum_status cumsum_tensor_size(cumsum_data_type type, uint32_t dimension_count,
                                 const uint32_t *sizes, const uint32_t *strides,
                                 uint64_t *size_in_bytes) {
    if (!size_in_bytes || !arguments_valid(type, dimension_count, sizes))
        return CUMSUM_INVALID_ARGUMENT;
    const uint64_t extent = cumsum_extent(dimension_count, sizes, strides);
    if (extent == 0)
        return CUMSUM_INVALID_DESCRIPTOR;
    *size_in_bytes = cumsum_size_of_extent(extent, cumsum_data_type_size(type));
    return CUMSUM_OK;
}

/* The index of the last element in 32 bits, as the helper has it. It wraps where the helper wraps.
 */
static uint32_t wrapping_last_index(uint32_t rank, const uint32_t *sizes, const uint32_t *strides) {
    uint32_t last = 0;
    for (uint32_t d = 0; d < rank; d++)
        last += (sizes[d] - 1) * strides[d];
    return last;
}

/* Without strides the helper multiplies the sizes in 64 bits, which can wrap too. */
static uint64_t wrapping_product(uint32_t rank, const uint32_t *sizes) {
    uint64_t product = 1;
    for (uint32_t d = 0; d < rank; d++)
        product *= sizes[d];
    return product;
}

uint64_t cumsum_tensor_size_directml(cumsum_data_type type, uint32_t dimension_count,
                                     const uint32_t *sizes, const uint32_t *strides) {
    if (!arguments_valid(type, dimension_count, sizes))
        return 0;
    const uint64_t elements =
        strides ? (uint64_t)wrapping_last_index(dimension_count, sizes, strides) + 1
                : wrapping_product(dimension_count, sizes);
    return (elements * cumsum_data_type_size(type) + 3) & ~UINT64_C(3);
}
