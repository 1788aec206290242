/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_DRAW_H
#define CUMSUM_TOOLS_DRAW_H

/*
 * Random numbers that are the same on every machine: Philox4x32-10, a function of a counter and a
 * key, and elementary functions whose every operation is fixed (SLEEF's cinz_*_purec, which use no
 * fused multiply-add).
 */

#include <stdint.h>

/* NULL, or why this build draws nothing: then none of the functions below may be called. */
const char *draw_missing(void);

/* 128 random bits: Philox4x32-10 of the counter (index, stream) under the key `seed`. */
void draw_words(uint64_t seed, uint64_t index, uint64_t stream, uint32_t words[4]);

/* A normal number of mean 0 and variance 1, from 128 random bits (Box and Muller). */
double draw_normal(const uint32_t words[4]);

/* 2 to the power x. */
double draw_exp2(double x);

#endif
