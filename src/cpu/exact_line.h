/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_EXACT_LINE_H
#define CUMSUM_CPU_EXACT_LINE_H

/*
 * The exact order by integers: pieces of a line whose sums do not fit the binary64 of
 * kernels/exact_scan.h. The same functions serve all instruction sets.
 */

#include "kernel_table.h"
#include "wide_sum.h"

#include <string.h>

/* A binary64 and its encoding. */

static inline uint64_t cumsum_double_bits(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline double cumsum_double_of_bits(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* 2^exponent, from 2^-1022 to 2^1023. */
static inline double cumsum_power_of_two(int exponent) {
    return cumsum_double_of_bits((uint64_t)(exponent + 1023) << 52);
}

/* Adds the elements of a line's piece to the sum; `write` also writes the outputs. Both take one
 * line, a FLOAT32 or FLOAT16 one, with its steps. */
void cumsum_exact_write(const cumsum_panel *piece, const cumsum_arithmetic *arithmetic,
                        cumsum_wide_sum *sum);
void cumsum_exact_reduce(const cumsum_panel *piece, const cumsum_arithmetic *arithmetic,
                         cumsum_wide_sum *sum);

/* The sum as high + low, exactly, where high is the sum rounded to binary64. False if there are
 * none: 100 bits are not enough, or the sum is not finite. */
bool cumsum_exact_pair(bool half, const cumsum_wide_sum *sum, double *high, double *low);

/* Sets the sum to high + low, which are multiples of the format's smallest step. */
void cumsum_exact_from_pair(bool half, double high, double low, cumsum_wide_sum *sum);

#endif
