/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_EXACT_SUM_H
#define CUMSUM_CPU_EXACT_SUM_H

/*
 * A sum without rounding, for the reference: a two's-complement fixed-point number in units of the
 * format's smallest step, wide enough for any line (Kulisch's long accumulator).
 *
 * FLOAT32: in units of 2^-149 an element is an integer below 2^277 (a 24-bit significand shifted by
 * up to 253 places), and 2^32 of them stay below 2^309. With the sign that is 310 bits: 10 limbs of
 * 32. FLOAT16 in units of 2^-24 needs far less and uses the same limbs. FLOAT64 in units of
 * 2^-1074: below 2^2098, with 2^32 elements and the sign 2131 bits, 67 limbs.
 */

#include <stdbool.h>
#include <stdint.h>

#define EXACT_SUM_MAX_LIMBS 67

typedef struct exact_sum {
    uint32_t limb[EXACT_SUM_MAX_LIMBS]; /* the lowest first; those of the format are used */
    /* Infinities and NaN are not added. The result depends only on whether there were any. */
    bool nan;
    bool positive_infinity;
    bool negative_infinity;
} exact_sum;

/* A floating-point format: sign, exponent and fraction, from the highest bit to the lowest. */
typedef struct exact_format {
    unsigned fraction_bits; /* 52, 23 or 10 */
    unsigned sign_bit;      /* 63, 31 or 15 */
    unsigned limbs;         /* of a sum */
} exact_format;

extern const exact_format cumsum_exact_binary64;
extern const exact_format cumsum_exact_binary32;
extern const exact_format cumsum_exact_binary16;

/* Adds the number that has these bits in the format. */
void cumsum_exact_sum_add(exact_sum *sum, uint64_t bits, const exact_format *format);

/* The bits of the sum, rounded once, to nearest, ties to even, with overflow to infinity as in IEEE
 * 754. NaN is quiet and positive. A sum that is zero is +0, also if nothing was added. */
uint64_t cumsum_exact_sum_round(const exact_sum *sum, const exact_format *format);

#endif
