/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_ORACLE_ORDER_FLOATS_H
#define CUMSUM_ORACLE_ORDER_FLOATS_H

/* Running sums in binary32, many at once. order_floats.c is compiled once for each instruction set,
 * with the same results. */

#include <cumsum/order.h>

#include "fast_isa.h"

typedef struct order_sums order_sums;

typedef struct order_vectors {
    /* Functions of order_network.h; `s` is NULL. */
    void (*scan)(const order_sums *s, const cumsum_composed_order *order, float *v, uint64_t n,
                 bool exclusive, float *scratch);
    uint64_t (*scan_blocks)(const order_sums *s, const cumsum_order_level *level, float *v,
                            uint64_t n, bool exclusive, float *totals);
    void (*add_carries)(const order_sums *s, const cumsum_order_level *level, float *v, uint64_t n,
                        bool exclusive, const float *carries, bool first);
    /* The values of n numbers of binary32, or binary16; false if one of the latter is not finite.
     * +0 is added. */
    bool (*float_values)(const float *from, float *to, uint64_t n);
    bool (*half_values)(const uint16_t *from, float *to, uint64_t n);
    /* Are n outputs these sums, of binary16 stored by a cumsum_half_store? +0 equals -0, and a NaN
     * equals nothing. Sums that are stored are multiples of 2^-24. */
    bool (*are_floats)(const float *sums, const float *y, uint64_t n);
    bool (*are_halves)(const float *sums, const uint16_t *y, uint64_t n, int store);
} order_vectors;

extern const order_vectors cumsum_order_baseline, cumsum_order_avx2, cumsum_order_avx512;

/* For the best instruction set of this build and this processor. */
static inline const order_vectors *order_vectors_here(void) {
    return FAST_AVX512(&cumsum_order_avx512, FAST_AVX2(&cumsum_order_avx2, &cumsum_order_baseline));
}

#endif
