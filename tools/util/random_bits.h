/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_RANDOM_BITS_H
#define CUMSUM_TOOLS_RANDOM_BITS_H

/* SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", OOPSLA 2014):
 * the next 64 bits, the same on every machine. The state is a counter, and every bit of it reaches
 * every bit of the result, so that this is a hash of the state as well. */

#include <stdint.h>

/* Advances the state, and returns the next 64 bits. */
static inline uint64_t random_bits(uint64_t *state) {
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

#endif
