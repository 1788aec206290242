/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_BIT_SCAN_H
#define CUMSUM_CPU_BIT_SCAN_H

/* Where the highest and the lowest 1 of a word are: an instruction that C has no word for. */

#include "compiler.h"

#include <stdint.h>

/* In plain C: where there is no other way, and to hold the others against. */
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

/* The place of the highest 1, from 0 to 63. Not for 0, nor is the next one. */
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

#endif
