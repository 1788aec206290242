/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_WIDE_SUM_H
#define CUMSUM_CPU_WIDE_SUM_H

/*
 * Sums without rounding, in units of the smallest step of a format: 320 bits hold any sum of 2^32
 * FLOAT32 (24 bits, shifted by up to 253 places, 32 more for as many elements, and a sign: 310).
 * Mostly far fewer bits are in use, and a window of 128 of them does: then a sum is an integer that
 * the processor adds.
 */

#include "int128.h"

#include <stdbool.h>
#include <stdint.h>

#define CUMSUM_WIDE_LIMBS 5

/* Two's complement, the lowest limb first. Infinities and NaN are not added, but noted. */
typedef struct cumsum_wide_sum {
    uint64_t limb[CUMSUM_WIDE_LIMBS];
    bool nan;
    bool positive_infinity;
    bool negative_infinity;
} cumsum_wide_sum;

/* The sum is value * 2^position. */
typedef struct cumsum_window {
    cumsum_int128 value;
    unsigned position;
} cumsum_window;

void cumsum_wide_sum_add(cumsum_wide_sum *sum, const cumsum_wide_sum *other);

/* The lowest bit that is 1 (all bits below are 0), and how many bits the number has with its sign;
 * 320 and 1 for 0. */
unsigned cumsum_wide_sum_lowest(const cumsum_wide_sum *sum);
unsigned cumsum_wide_sum_bits(const cumsum_wide_sum *sum);

/* Bits [position, position + 128), as a signed number where these are the highest ones. */
cumsum_int128 cumsum_wide_sum_window(const cumsum_wide_sum *sum, unsigned position);

/* The numbers only; what was noted stays. */
void cumsum_wide_sum_set(cumsum_wide_sum *sum, cumsum_window window);

/* A window with the sign and the highest bits, whose lowest bit also says whether any bit below is
 * 1: it rounds like the whole. */
cumsum_window cumsum_wide_sum_top(const cumsum_wide_sum *sum);

#endif
