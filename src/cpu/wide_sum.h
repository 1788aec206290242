/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_WIDE_SUM_H
#define CUMSUM_CPU_WIDE_SUM_H

/*
 * Sums without rounding, for the kernels of the exact order: a fixed-point number in units of the
 * format's smallest step, as in Kulisch's long accumulator.
 *
 * 320 bits hold any sum of 2^32 FLOAT32: 24 bits of significand, shifted by up to 253 places, 32
 * bits more for the number of elements, and a sign are 310. FLOAT16 needs far less. Usually few of
 * these bits are in use, and a window of 128 of them represents the sum exactly; then an addition
 * is one of 128-bit integers.
 */

#include "int128.h"

#include <stdbool.h>
#include <stdint.h>

#define CUMSUM_WIDE_LIMBS 5

/* Two's complement, the lowest limb first. Infinities and NaN are not added but noted, since their
 * number and place do not matter. */
typedef struct cumsum_wide_sum {
    uint64_t limb[CUMSUM_WIDE_LIMBS];
    bool nan;
    bool positive_infinity;
    bool negative_infinity;
} cumsum_wide_sum;

/* The number value * 2^position. */
typedef struct cumsum_window {
    cumsum_int128 value;
    unsigned position;
} cumsum_window;

void cumsum_wide_sum_add(cumsum_wide_sum *sum, const cumsum_wide_sum *other);

/* The position of the lowest 1; 320 for the number 0. */
unsigned cumsum_wide_sum_lowest(const cumsum_wide_sum *sum);

/* The number of bits that the number needs with its sign; 1 for the number 0. */
unsigned cumsum_wide_sum_bits(const cumsum_wide_sum *sum);

/* The bits [position, position + 128). As a signed number they are the sum divided by 2^position,
 * rounded down, if they include its highest bits and the sign. */
cumsum_int128 cumsum_wide_sum_window(const cumsum_wide_sum *sum, unsigned position);

/* Sets the number to the window's. The notes on NaN and infinities stay as they are. */
void cumsum_wide_sum_set(cumsum_wide_sum *sum, cumsum_window window);

/* The window with the sign and the highest bits. Its lowest bit is sticky (1 if any bit below is
 * 1), so it rounds like the whole sum. */
cumsum_window cumsum_wide_sum_top(const cumsum_wide_sum *sum);

#endif
