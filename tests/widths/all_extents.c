/* SPDX-License-Identifier: MIT */
/*
 * For Frama-C's analysis of values: src/tensor/extent.c with any sizes and strides. An unsigned sum
 * or product that can wrap, and an index that can leave its array, is an alarm.
 */
#include "extent.c"

#include <__fc_builtin.h>
#include <stddef.h>

int main(void) {
    const uint32_t rank = Frama_C_unsigned_int_interval(1, 8);
    uint32_t sizes[8], strides[8];
    for (int d = 0; d < 8; d++) {
        sizes[d] = Frama_C_unsigned_int_interval(1, UINT32_MAX);
        strides[d] = Frama_C_unsigned_int_interval(0, UINT32_MAX);
    }
    const uint64_t extent = cumsum_extent(rank, sizes, strides);
    const uint64_t packed = cumsum_extent(rank, sizes, NULL);
    (void)cumsum_size_of_extent(extent, Frama_C_unsigned_int_interval(1, 8));
    (void)cumsum_size_of_extent(packed, Frama_C_unsigned_int_interval(1, 8));
    return 0;
}
