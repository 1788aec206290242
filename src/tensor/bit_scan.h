/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TENSOR_BIT_SCAN_H
#define CUMSUM_TENSOR_BIT_SCAN_H

/* Of whole numbers: the places of bits in a word, by the compiler's builtin, with plain C as the
 * fallback; the greatest common divisor. */

#include "compiler.h"

#include <stdint.h>

/* The fallback of the bit scans, by bisection. Compiled everywhere, for the test that compares the
 * builtins with it. */
static inline unsigned cumsum_highest_bit_plain(uint64_t word) {
    unsigned bit = 0;
    for (unsigned step = 32; step; step /= 2)
        if (word >> step) {
            word >>= step;
            bit += step;
        }
    return bit;
}

static inline unsigned cumsum_lowest_bit_plain(uint64_t word) {
    return cumsum_highest_bit_plain(word & (~word + 1));
}

/* The position of the highest 1, from 0 to 63. The word must not be 0. */
static inline unsigned cumsum_highest_bit(uint64_t word) {
#if defined(CUMSUM_COMPILER_GNU)
    return 63 ^ (unsigned)__builtin_clzll(word);
#elif defined(_M_X64) || defined(_M_ARM64)
    unsigned long bit;
    _BitScanReverse64(&bit, word);
    return (unsigned)bit;
#else
    return cumsum_highest_bit_plain(word);
#endif
}

/* The position of the lowest 1. The word must not be 0. */
static inline unsigned cumsum_lowest_bit(uint64_t word) {
#if defined(CUMSUM_COMPILER_GNU)
    return (unsigned)__builtin_ctzll(word);
#elif defined(_M_X64) || defined(_M_ARM64)
    unsigned long bit;
    _BitScanForward64(&bit, word);
    return (unsigned)bit;
#else
    return cumsum_lowest_bit_plain(word);
#endif
}

/* Euclid. 0 and a number have that number. */
static inline uint64_t cumsum_common_divisor(uint64_t a, uint64_t b) {
    while (b) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

#endif
