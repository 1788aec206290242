/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_ORACLE_BINARY_FORMAT_H
#define CUMSUM_ORACLE_BINARY_FORMAT_H

/*
 * binary16, binary32 and binary64 (IEEE 754-2019, section 3.4) and bfloat16, the upper half of
 * binary32, as the oracle sees them: bit patterns, the integers that they stand for, and
 * conversions. This is the oracle's own code for it: it shares nothing with src/tensor/half.c or
 * the kernels, so that a fault there cannot hide itself here.
 *
 * Invariant: a finite number is significand * 2^(quantum + shift), with a significand below
 * 2^precision and a shift of 0 for subnormals. Bits of every format are kept in a uint64_t.
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
    uint64_t sign;        /* the sign bit */
    uint64_t infinity;    /* the bits of +infinity, and the mask of the exponent */
    double unit_roundoff; /* u = 2^-precision */
} binary_format;

/* Defined in the header, so that the loops over lines are compiled for constants. */
static const binary_format binary16_format = {11, -24, 0x8000u, 0x7C00u, 0x1p-11};
static const binary_format bfloat16_format = {8, -133, 0x8000u, 0x7F80u, 0x1p-8};
static const binary_format binary32_format = {24, -149, 0x80000000u, 0x7F800000u, 0x1p-24};
static const binary_format binary64_format = {53, -1074, UINT64_C(1) << 63, UINT64_C(0x7FF) << 52,
                                              0x1p-53};

/* Each file that is compiled has formats of its own, so that their addresses say nothing. */
static inline bool format_is(const binary_format *a, const binary_format *b) {
    return a->precision == b->precision;
}

static inline bool format_is_nan(const binary_format *f, uint64_t bits) {
    return (bits & ~f->sign) > f->infinity;
}

static inline bool format_is_finite(const binary_format *f, uint64_t bits) {
    return (bits & f->infinity) != f->infinity;
}

/* The significand and the shift of a finite number. */
static inline uint64_t format_significand(const binary_format *f, uint64_t bits, unsigned *shift) {
    uint64_t exponent = (bits & f->infinity) >> (f->precision - 1);
    uint64_t fraction = bits & ((UINT64_C(1) << (f->precision - 1)) - 1);
    uint64_t normal = exponent != 0;
    *shift = (unsigned)(exponent - normal);
    return fraction | (normal << (f->precision - 1));
}

/* 2^exponent, for the exponents of normal numbers. */
static inline double binary64_power(int exponent) {
    const uint64_t bits = (uint64_t)(1023 + exponent) << 52;
    double power;
    memcpy(&power, &bits, sizeof power);
    return power;
}

/* The e for which a normal, positive number is in [2^e, 2^(e + 1)). */
static inline int binary64_exponent(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (int)(bits >> 52) - 1023;
}

/* The distance of a finite number to the next one, away from 0. */
static inline double format_gap(const binary_format *f, uint64_t bits) {
    unsigned shift;
    format_significand(f, bits, &shift);
    return f->precision == 53 ? ldexp(1, f->quantum + (int)shift)
                              : binary64_power(f->quantum + (int)shift);
}

/* Is a number below the smallest normal in magnitude, and not zero? */
static inline bool format_is_subnormal(const binary_format *f, uint64_t bits) {
    return !(bits & f->infinity) && (bits & ~f->sign);
}

/* The position of a number among all numbers of its format, as an integer: neighbours differ by 1,
 * +0 and -0 are equal, and the infinities are the ends. Not for NaN. */
static inline int64_t format_rank(const binary_format *f, uint64_t bits) {
    int64_t magnitude = (int64_t)(bits & ~f->sign);
    return bits & f->sign ? -magnitude : magnitude;
}

/* The value of the lowest bit that is set in a finite number other than zero, put together from its
 * exponent. */
static inline double format_lowest_bit(const binary_format *f, uint64_t bits) {
    unsigned shift;
    uint64_t significand = format_significand(f, bits, &shift);
    int exponent = f->quantum + (int)shift;
    uint64_t power_bits =
        exponent > -1023 ? (uint64_t)(1023 + exponent) << 52 : UINT64_C(1) << (exponent + 1074);
    double power;
    memcpy(&power, &power_bits, sizeof power);
    return (double)(significand & -significand) * power;
}

/* Zero, as wide as the sums and bounds of a format are (wide.h). */
static inline wide format_zero(const binary_format *f) {
    return wide_zero(f->precision == 53 ? 35 : 6);
}

/* Adds a finite number to an accumulator in units of the format's quantum. */
static inline void format_accumulate(const binary_format *f, wide *sum, uint64_t bits) {
    unsigned shift;
    uint64_t significand = format_significand(f, bits, &shift);
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

static inline uint64_t binary64_bits(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* A number of binary16, by its place among those of binary32: the exponents differ by 127 - 15.
 * What is not finite becomes a number from 65536 on. */
static inline float binary16_widened(uint32_t bits) {
    return binary32_value((bits & 0x8000) << 16 | (bits & 0x7FFF) << 13) * 0x1p112F;
}

static inline double binary16_value(uint32_t bits) {
    const double value = (double)binary16_widened(bits);
    if (format_is_finite(&binary16_format, bits))
        return value;
    return format_is_nan(&binary16_format, bits) ? NAN : copysign(INFINITY, value);
}

/* The bits of a number of binary32 or binary64. */
static inline uint64_t format_bits(const binary_format *f, double value) {
    return f->precision == 53 ? binary64_bits(value) : binary32_bits((float)value);
}

/* Binary64 holds the numbers of every format. */
static inline double format_value(const binary_format *f, uint64_t bits) {
    double value;
    switch (f->precision) {
    case 8:
        return (double)binary32_value((uint32_t)bits << 16);
    case 11:
        return binary16_value((uint32_t)bits);
    case 24:
        return (double)binary32_value((uint32_t)bits);
    default:
        memcpy(&value, &bits, sizeof value);
        return value;
    }
}

/* The largest finite number. */
static inline double format_largest(const binary_format *f) {
    return format_value(f, f->infinity - 1);
}

/*
 * Converts binary32 bits to a format of 16 bits by a cumsum_half_store (docs/numerics.md, FLOAT16).
 * bfloat16 has no store of its own for large sums: NEAREST_EVEN is the IEEE conversion there. Not
 * for NaN. Only integers are computed with, so the result does not depend on the processor's own
 * conversion.
 */
static inline uint32_t half_store(const binary_format *f, uint32_t bits, int store) {
    uint32_t sign = (bits >> 16) & 0x8000u, infinity = (uint32_t)f->infinity;
    uint32_t magnitude = bits & 0x7FFFFFFFu;
    if (magnitude >= 0x7F800000u)
        return sign | infinity;
    if (f->precision != 8 && store != CUMSUM_HALF_STORE_IEEE && magnitude > 0x477FE000u)
        return sign | infinity; /* above 65504 */
    unsigned shift;
    uint32_t significand = (uint32_t)format_significand(&binary32_format, bits, &shift);
    /* Drop the bits below the format's last place: 13 or 16 of them if the result is normal, and
     * one more for each power of two below its smallest normal. binary16's is 2^23 * 2^(-149 +
     * 112), bfloat16's that of binary32. */
    const bool bfloat16 = f->precision == 8;
    const unsigned lowest = bfloat16 ? 0 : 112, least = bfloat16 ? 16 : 13;
    unsigned drop = shift >= lowest ? least : least + (lowest - shift);
    uint32_t exponent = shift >= lowest ? shift - lowest : 0;
    if (drop > 25)
        drop = 25; /* the significand is below 2^24, so it is less than half of what is kept */
    uint32_t integer = significand >> drop;
    uint32_t rest = significand & ((UINT32_C(1) << drop) - 1);
    uint32_t half = UINT32_C(1) << (drop - 1);
    if (store != CUMSUM_HALF_STORE_TOWARD_ZERO) /* no branch: it would be mispredicted often */
        integer += (uint32_t)(rest > half) | ((uint32_t)(rest == half) & integer & 1);
    /* The implicit bit of the integer adds the 1 that separates the exponent fields of subnormals
     * and normals; a carry out of the rounding raises the exponent, as it has to. */
    uint32_t result = (exponent << (bfloat16 ? 7 : 10)) + integer;
    return sign | (result > infinity ? infinity : result);
}

/* A sum as an output: rounded to binary32 or binary64, or rounded to binary32 and stored in 16
 * bits. A NaN in 16 bits is one of many. */
static inline uint64_t format_stored(const binary_format *f, double sum, int store) {
    if (f->precision >= 24)
        return format_bits(f, sum);
    return isnan(sum) ? f->infinity | 1 : half_store(f, binary32_bits((float)sum), store);
}

#endif
