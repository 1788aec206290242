/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_ORACLE_BINARY_FORMAT_H
#define CUMSUM_ORACLE_BINARY_FORMAT_H

/*
 * binary16 and binary32 (IEEE 754-2019, section 3.4) as the oracle sees them: bit patterns, the
 * integers that they stand for, and conversions. This is the oracle's own code for it: it shares
 * nothing with src/tensor/half.c or the kernels, so that a fault there cannot hide itself here.
 *
 * Invariant: a finite number is significand * 2^(quantum + shift), with a significand below
 * 2^precision and a shift of 0 for subnormals. Bits of either format are kept in a uint32_t.
 */

#include <cumsum/cumsum.h>

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "wide.h"

typedef struct binary_format {
    int precision;        /* significant bits, the implicit one included */
    int quantum;          /* exponent of the smallest subnormal */
    uint32_t sign;        /* the sign bit */
    uint32_t infinity;    /* the bits of +infinity, and the mask of the exponent */
    double unit_roundoff; /* u = 2^-precision */
} binary_format;

/* Defined in the header, so that the loops over lines are compiled for constants. */
static const binary_format binary16_format = {11, -24, 0x8000u, 0x7C00u, 0x1p-11};
static const binary_format binary32_format = {24, -149, 0x80000000u, 0x7F800000u, 0x1p-24};

static inline bool format_is_nan(const binary_format *f, uint32_t bits) {
    return (bits & ~f->sign) > f->infinity;
}

static inline bool format_is_finite(const binary_format *f, uint32_t bits) {
    return (bits & f->infinity) != f->infinity;
}

/* The significand and the shift of a finite number. */
static inline uint32_t format_significand(const binary_format *f, uint32_t bits, unsigned *shift) {
    uint32_t exponent = (bits & f->infinity) >> (f->precision - 1);
    uint32_t fraction = bits & ((UINT32_C(1) << (f->precision - 1)) - 1);
    uint32_t normal = exponent != 0;
    *shift = exponent - normal;
    return fraction | (normal << (f->precision - 1));
}

/* The position of a number among all numbers of its format, as an integer: neighbours differ by 1,
 * +0 and -0 are equal, and the infinities are the ends. Not for NaN. */
static inline int64_t format_rank(const binary_format *f, uint32_t bits) {
    int64_t magnitude = bits & ~f->sign;
    return bits & f->sign ? -magnitude : magnitude;
}

/* The value of the lowest bit that is set in a finite number other than zero. It is put together
 * from its exponent: every such power of two is a normal binary64. */
static inline double format_lowest_bit(const binary_format *f, uint32_t bits) {
    unsigned shift;
    uint32_t significand = format_significand(f, bits, &shift);
    uint64_t power_bits = (uint64_t)(1023 + f->quantum + (int)shift) << 52;
    double power;
    memcpy(&power, &power_bits, sizeof power);
    return (double)(significand & -significand) * power;
}

/* Adds a finite number to an accumulator in units of the format's quantum. */
static inline void format_accumulate(const binary_format *f, wide *sum, uint32_t bits) {
    unsigned shift;
    uint32_t significand = format_significand(f, bits, &shift);
    wide_accumulate(sum, significand, shift, (bits & f->sign) != 0);
}

static inline float binary32_value(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint32_t binary32_bits(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline float binary16_value(uint32_t bits) {
    float sign = bits & 0x8000u ? -1.0f : 1.0f;
    if (!format_is_finite(&binary16_format, bits))
        return format_is_nan(&binary16_format, bits) ? NAN : sign * INFINITY;
    unsigned shift;
    uint32_t significand = format_significand(&binary16_format, bits, &shift);
    return sign * (float)significand * ((float)(UINT32_C(1) << shift) * 0x1p-24f);
}

/*
 * Converts binary32 bits to binary16 by a cumsum_half_store (docs/numerics.md, FLOAT16). Not for
 * NaN. Only integers are computed with, so the result does not depend on the processor's own
 * conversion.
 */
static inline uint32_t binary16_store(uint32_t bits, int store) {
    uint32_t sign = (bits >> 16) & 0x8000u;
    uint32_t magnitude = bits & 0x7FFFFFFFu;
    if (magnitude >= 0x7F800000u)
        return sign | 0x7C00u;
    if (store != CUMSUM_HALF_STORE_IEEE && magnitude > 0x477FE000u) /* 65504 */
        return sign | 0x7C00u;
    unsigned shift;
    uint32_t significand = format_significand(&binary32_format, bits, &shift);
    /* Drop the bits below binary16's last place: 13 of them if the result is normal, and one more
     * for each power of two below 2^-14 (shift 112, since 2^-14 is 2^23 * 2^(-149 + 112)). */
    unsigned drop = shift >= 112 ? 13 : 13 + (112 - shift);
    uint32_t exponent = shift >= 112 ? shift - 112 : 0;
    if (drop > 25)
        drop = 25; /* the significand is below 2^24, so it is less than half of what is kept */
    uint32_t integer = significand >> drop;
    uint32_t rest = significand & ((UINT32_C(1) << drop) - 1);
    uint32_t half = UINT32_C(1) << (drop - 1);
    if (store != CUMSUM_HALF_STORE_TOWARD_ZERO) /* no branch: it would be mispredicted often */
        integer += (uint32_t)(rest > half) | ((uint32_t)(rest == half) & integer & 1);
    /* The implicit bit of the integer adds the 1 that separates the exponent fields of subnormals
     * and normals; a carry out of the rounding raises the exponent, as it has to. */
    uint32_t result = (exponent << 10) + integer;
    return sign | (result > 0x7C00u ? 0x7C00u : result);
}

#endif
