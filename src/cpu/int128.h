/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_INT128_H
#define CUMSUM_CPU_INT128_H

/* Integers of 128 bits, which C does not have: two words, in two's complement. */

#include "bit_scan.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct cumsum_int128 {
    uint64_t low;
    uint64_t high;
} cumsum_int128;

static inline bool cumsum_int128_negative(cumsum_int128 a) {
    return a.high >> 63;
}

static inline cumsum_int128 cumsum_int128_add(cumsum_int128 a, cumsum_int128 b) {
    const uint64_t low = a.low + b.low;
    return (cumsum_int128){low, a.high + b.high + (low < b.low)};
}

/* value * 2^places, modulo 2^128. places < 128. */
static inline cumsum_int128 cumsum_int128_shifted(int64_t value, unsigned places) {
    const uint64_t word = (uint64_t)value, sign = value < 0 ? UINT64_MAX : 0;
    const unsigned shift = places % 64;
    const uint64_t low = word << shift;
    const uint64_t high = word >> 1 >> (63 - shift) | sign << shift;
    return places < 64 ? (cumsum_int128){low, high} : (cumsum_int128){0, low};
}

/* |a|, without a sign. */
static inline cumsum_int128 cumsum_int128_magnitude(cumsum_int128 a) {
    const uint64_t sign = cumsum_int128_negative(a) ? UINT64_MAX : 0;
    const uint64_t low = (a.low ^ sign) - sign;
    return (cumsum_int128){low, (a.high ^ sign) + (sign & (low == 0))};
}

/* A number without a sign that is not 0: how many bits it has, and the first 64 of them, whose last
 * one says too whether any behind them is 1. */
typedef struct cumsum_leading_bits {
    uint64_t bits; /* the first one is 1 */
    unsigned length;
} cumsum_leading_bits;

static inline cumsum_leading_bits cumsum_int128_leading(cumsum_int128 a) {
    const uint64_t first = a.high ? a.high : a.low, second = a.high ? a.low : 0;
    const unsigned highest = cumsum_highest_bit(first), shift = 63 - highest;
    const uint64_t bits = first << shift | second >> 1 >> highest;
    return (cumsum_leading_bits){bits | (second << shift != 0), highest + (a.high ? 65 : 1)};
}

#endif
