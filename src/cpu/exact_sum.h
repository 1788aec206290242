/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_EXACT_SUM_H
#define CUMSUM_CPU_EXACT_SUM_H

/*
 * A sum without rounding: a two's-complement fixed-point number wide enough for any line.
 *
 * FLOAT32: in units of 2^-149 an element is an integer below 2^277 (a 24-bit significand shifted by
 * up to 253 places), and 2^32 of them stay below 2^309. With the sign that is 310 bits: 10 limbs of
 * 32. FLOAT16 in units of 2^-24 needs far less and uses the same.
 */

#include <stdbool.h>
#include <stdint.h>

#define EXACT_SUM_LIMBS 10

typedef struct exact_sum {
    uint32_t limb[EXACT_SUM_LIMBS]; /* the lowest first; modulo 2^320 */
    /* Infinities and NaN are not numbers to be added: it is enough to know that they came by. */
    bool nan;
    bool positive_infinity;
    bool negative_infinity;
} exact_sum;

/* What exact_sum needs to know of a floating-point format. Its smallest step is the unit. */
typedef struct exact_format {
    unsigned fraction_bits; /* 23 or 10 */
    unsigned sign_bit;      /* 31 or 15 */
} exact_format;

extern const exact_format cumsum_exact_binary32;
extern const exact_format cumsum_exact_binary16;

/* Adds the number with these bits. */
void cumsum_exact_sum_add(exact_sum *sum, uint32_t bits, const exact_format *format);

/* The bits of the sum, rounded once, to nearest even, overflow as IEEE. NaN is quiet and positive.
 * A sum of nothing, and any sum that is zero, is +0. */
uint32_t cumsum_exact_sum_round(const exact_sum *sum, const exact_format *format);

#endif
