/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_INT128_H
#define CUMSUM_CPU_INT128_H

/*
 * 128-bit integers in two's complement, as two 64-bit words. Standard C has none. They are in plain
 * C, because cl has no __int128; compilers make the same few instructions of it. The exact order
 * calls most of these functions for every element.
 */

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

/* Modulo 2^128. */
static inline cumsum_int128 cumsum_int128_add(cumsum_int128 a, cumsum_int128 b) {
    const uint64_t low = a.low + b.low;
    return (cumsum_int128){low, a.high + b.high + (low < b.low)};
}

/* value * 2^places, modulo 2^128. places < 128. The high word takes `value >> (64 - shift)` in two
 * shifts, because one of them would be by 64 if shift is 0, which C does not define. */
static inline cumsum_int128 cumsum_int128_shifted(int64_t value, unsigned places) {
    const uint64_t word = (uint64_t)value, sign = value < 0 ? UINT64_MAX : 0;
    const unsigned shift = places % 64;
    const uint64_t low = word << shift;
    const uint64_t high = word >> 1 >> (63 - shift) | sign << shift;
    return places < 64 ? (cumsum_int128){low, high} : (cumsum_int128){0, low};
}

/* |a|, as an unsigned number. */
static inline cumsum_int128 cumsum_int128_magnitude(cumsum_int128 a) {
    const uint64_t sign = cumsum_int128_negative(a) ? UINT64_MAX : 0;
    const uint64_t low = (a.low ^ sign) - sign;
    return (cumsum_int128){low, (a.high ^ sign) + (sign & (low == 0))};
}

/* The leading bits of an unsigned number: what rounding needs of it. */
typedef struct cumsum_leading_bits {
    /* The first 64 bits from the leading 1 on. The last one is sticky: 1 if any bit after is 1. */
    uint64_t bits;
    unsigned length; /* bits of the whole number */
} cumsum_leading_bits;

/* a must not be 0. */
static inline cumsum_leading_bits cumsum_int128_leading(cumsum_int128 a) {
    const uint64_t first = a.high ? a.high : a.low, second = a.high ? a.low : 0;
    const unsigned highest = cumsum_highest_bit(first), shift = 63 - highest;
    const uint64_t bits = first << shift | second >> 1 >> highest;
    return (cumsum_leading_bits){bits | (second << shift != 0), highest + (a.high ? 65 : 1)};
}

#endif
