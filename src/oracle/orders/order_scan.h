/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_ORACLE_ORDER_SCAN_H
#define CUMSUM_ORACLE_ORDER_SCAN_H

/* What an order adds: its levels, and its additions in an arithmetic, also those of many floats. */

#include <cumsum/oracle.h>

#include <float.h>

#include "arithmetic.h"
#include "fast_isa.h"
#include "order_tools.h"

static inline uint64_t order_lesser(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

/* a + b, rounded to nearest. Results that are subnormal become zeros of their sign if they must be
 * flushed. */
static inline double order_add(double a, double b, const arithmetic *how) {
    const binary_format *f = how->accumulator;
    const double sum = arithmetic_add_nearest(f, a, b);
    const double least = f->precision == 53 ? DBL_MIN : f->precision == 24 ? FLT_MIN : 0;
    return how->flush_results == CUMSUM_FLUSH_MUST && fabs(sum) < least ? copysign(0, sum) : sum;
}

/* The same for cumsum_order_scan; `how` is an arithmetic. */
cumsum_addition cumsum_order_addition;

/* The blocked order: tiles of 64 blocks of 16, whose totals are scanned in the same order. */
#define ORDER_BLOCKED_LEVELS                                                                       \
    {CUMSUM_KIND_SKLANSKY, 16, 0, 0}, {CUMSUM_KIND_SEQUENTIAL, 64, 0, 0}, {                        \
        CUMSUM_KIND_BLOCKED, 0, 0, 0                                                               \
    }

/* The levels of a match; NULL for an order that is no scan in memory. */
static inline const cumsum_composed_order *order_levels(const cumsum_order_match *match) {
    static const cumsum_composed_order plain[] = {
        [CUMSUM_NAMED_BLOCKED] = {3, {ORDER_BLOCKED_LEVELS}},
        [CUMSUM_NAMED_HILLIS_STEELE] = {1, {{CUMSUM_KIND_HILLIS_STEELE, 0, 0, 0}}},
        [CUMSUM_NAMED_SKLANSKY] = {1, {{CUMSUM_KIND_SKLANSKY, 0, 0, 0}}},
        [CUMSUM_NAMED_BLELLOCH] = {1, {{CUMSUM_KIND_BLELLOCH, 0, 0, 0}}},
    };
    if (match->order == CUMSUM_NAMED_COMPOSED)
        return &match->composed;
    return match->order <= CUMSUM_NAMED_BLELLOCH && plain[match->order].count ? &plain[match->order]
                                                                              : NULL;
}

/* Running sums in binary32, many at once. order_floats.c is compiled once for each instruction set,
 * with the same results. */
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
