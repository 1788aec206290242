/* SPDX-License-Identifier: MIT */
/*
 *     check test_all_16_bits store|ulp binary16|bfloat16
 *
 * store: the oracle's stores of all 2^31 binary32 magnitudes in 16 bits are those of
 * proofs/Store16.v: the result steps from one number to the next at the number itself (truncated),
 * or behind the middle of both, and at the middle if that goes to an even one (to nearest).
 * ulp: the ULP distance of all 2^32 pairs is the number of values from one to the other.
 *
 * Builds that are not optimized, and those with sanitizers, test a part, and say so.
 */
#include <cumsum/oracle.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "binary_format.h"
#include "check.h"

#if !defined(__OPTIMIZE__) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define REDUCED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define REDUCED 1
#endif
#endif
#ifndef REDUCED
#define REDUCED 0
#endif

enum {
    NUMBERS = 0x10000,
    FLOAT_INFINITY = 0x7F800000,
    LARGEST_BINARY16 = 0x477FE000
};

/* The value of a number of 16 bits from its fields, where infinity continues the finite ones. */
static double value_of(const binary_format *f, uint32_t bits) {
    const int fraction_bits = f->precision == 8 ? 7 : 10;
    const int lowest = f->precision == 8 ? -133 : -24;
    const int exponent = (int)(bits & 0x7FFF) >> fraction_bits;
    const int fraction = (int)bits & ((1 << fraction_bits) - 1);
    const double magnitude = exponent
                                 ? ldexp((1 << fraction_bits) + fraction, lowest + exponent - 1)
                                 : ldexp(fraction, lowest);
    return bits & 0x8000 ? -magnitude : magnitude;
}

/* The least binary32 magnitude that is stored as a number above this one. */
static uint32_t next_step(const binary_format *f, uint32_t number, bool toward_zero) {
    const double here = value_of(f, number), above = value_of(f, number + 1);
    if (toward_zero)
        return above < 0x1p128 ? binary32_bits((float)above) : FLOAT_INFINITY;
    const uint32_t middle = binary32_bits((float)((here + above) / 2));
    return number & 1 ? middle : middle + 1;
}

typedef uint32_t store_function(const binary_format *f, uint32_t bits, int store);

/* One float in 2^32 is stored wrongly: the check has to find it. */
static uint32_t wrong_once(const binary_format *f, uint32_t bits, int store) {
    return half_store(f, bits, store) ^ (bits == 0x00801234);
}

/* The first magnitude of [0, end) that is stored wrongly, or end. */
static uint32_t first_wrong(store_function *stored, const binary_format *f, int store,
                            uint32_t end) {
    const bool toward_zero = store == CUMSUM_HALF_STORE_TOWARD_ZERO;
    const bool limited = f->precision == 11 && store != CUMSUM_HALF_STORE_IEEE;
    uint32_t number = 0, step = next_step(f, 0, toward_zero);
    for (uint32_t m = 0; m < end; m++) {
        while (m >= step && number < f->infinity)
            step = next_step(f, ++number, toward_zero);
        uint32_t expected = number;
        if (m == FLOAT_INFINITY || (limited && m > LARGEST_BINARY16))
            expected = (uint32_t)f->infinity;
        if (stored(f, m, store) != expected ||
            stored(f, m | 0x80000000u, store) != (expected | 0x8000))
            return m;
    }
    return end;
}

static int check_stores(const binary_format *f) {
    const uint32_t end = REDUCED ? 0x04000000 : (uint32_t)FLOAT_INFINITY + 1;
    for (int store = 0; store < 3; store++) {
        if (first_wrong(wrong_once, f, store, end) != 0x00801234) {
            puts("the check did not find a planted fault");
            return 1;
        }
        const uint32_t wrong = first_wrong(half_store, f, store, end);
        if (wrong != end) {
            printf("store %d of 0x%08" PRIX32 ": 0x%04" PRIX32 "\n", store, wrong,
                   half_store(f, wrong, store));
            return 1;
        }
    }
    printf("%" PRIu32 " magnitudes of both signs are stored right\n", end);
    return 0;
}

typedef struct ranked {
    double value;
    uint32_t bits;
} ranked;

static int compare_ranked(const void *left, const void *right) {
    const double a = ((const ranked *)left)->value, b = ((const ranked *)right)->value;
    return (a > b) - (a < b);
}

/* The number of values below each, of all but NaNs, which have -1. */
static void rank_all(const binary_format *f, int32_t rank[NUMBERS]) {
    static ranked sorted[NUMBERS];
    size_t count = 0;
    int32_t below = -1;
    for (uint32_t i = 0; i < NUMBERS; i++) {
        rank[i] = -1;
        if ((i & 0x7FFF) <= f->infinity)
            sorted[count++] = (ranked){value_of(f, i), i};
    }
    qsort(sorted, count, sizeof *sorted, compare_ranked);
    for (size_t i = 0; i < count; i++) {
        below += i == 0 || sorted[i].value > sorted[i - 1].value;
        rank[sorted[i].bits] = below;
    }
}

/* The pairs whose distance is not that of their ranks. */
static uint64_t count_wrong_pairs(cumsum_data_type type, const int32_t rank[NUMBERS],
                                  uint32_t step) {
    uint64_t wrong = 0;
    for (uint32_t a = 0; a < NUMBERS; a += step)
        for (uint32_t b = 0; b < NUMBERS; b++) {
            uint64_t expected = (uint64_t)llabs((long long)rank[a] - rank[b]);
            if (rank[a] < 0 || rank[b] < 0)
                expected = rank[a] < 0 && rank[b] < 0 ? 0 : UINT64_MAX;
            wrong += cumsum_ulp_distance(type, a, b) != expected;
        }
    return wrong;
}

static int check_distances(cumsum_data_type type, const binary_format *f) {
    static int32_t rank[NUMBERS];
    const uint32_t step = REDUCED ? 257 : 1;
    rank_all(f, rank);
    rank[0x3C00]++;
    if (count_wrong_pairs(type, rank, 0x3C00) == 0) {
        puts("the check did not find a planted fault");
        return 1;
    }
    rank[0x3C00]--;
    const uint64_t wrong = count_wrong_pairs(type, rank, step);
    printf("%" PRIu64 " of the pairs are wrong; step %" PRIu32 "\n", wrong, step);
    return wrong != 0;
}

static int check_all(int argc, char **argv) {
    const bool bfloat16 = argc == 3 && strcmp(argv[2], "bfloat16") == 0;
    const binary_format *f = bfloat16 ? &bfloat16_format : &binary16_format;
    if (argc == 3 && strcmp(argv[1], "store") == 0)
        return check_stores(f);
    if (argc == 3 && strcmp(argv[1], "ulp") == 0)
        return check_distances(bfloat16 ? CUMSUM_DATA_TYPE_BFLOAT16 : CUMSUM_DATA_TYPE_FLOAT16, f);
    puts("usage: check test_all_16_bits store|ulp binary16|bfloat16");
    return 2;
}

CHECK_MAIN(test_all_16_bits, check_all);
