/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_SPLITMIX64_H
#define CUMSUM_TESTS_SPLITMIX64_H

/*
 * The random numbers of all tests: SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom
 * number generators", OOPSLA 2014). The state is a counter, so every seed is a good one, and the
 * numbers are the same on every machine: a test that fails once fails always.
 */

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* The output function: every bit of z reaches every bit of the result. Also a hash of integers. */
static inline uint64_t random_mix(uint64_t z) {
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

static inline uint64_t random_next(uint64_t *state) {
    *state += UINT64_C(0x9E3779B97F4A7C15);
    return random_mix(*state);
}

/* How many random trials a test makes of these: all, or a share of them in an emulator and with
 * sanitizers, where each takes several times as long. The other builds have tried all. */
static inline uint32_t random_trials(uint32_t all) {
#ifdef FEWER_TRIALS
    return (all + FEWER_TRIALS - 1) / FEWER_TRIALS;
#else
    return all;
#endif
}

/* The seed that chooses a share of many cases: CUMSUM_TEST_SEED of the environment, or 0. */
static inline uint64_t random_share_seed(void) {
    const char *seed = getenv("CUMSUM_TEST_SEED");
    return seed ? strtoull(seed, NULL, 10) : 0;
}

/* 0 to limit - 1. The bias is below limit / 2^32. */
static inline uint32_t random_below(uint64_t *state, uint32_t limit) {
    return (uint32_t)(((random_next(state) >> 32) * limit) >> 32);
}

/* first to last, both included. */
static inline uint32_t random_between(uint64_t *state, uint32_t first, uint32_t last) {
    return first + random_below(state, last - first + 1);
}

/* True once in `times`. */
static inline bool random_once_in(uint64_t *state, uint32_t times) {
    return random_below(state, times) == 0;
}

#endif
