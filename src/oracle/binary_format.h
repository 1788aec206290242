/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_ORACLE_BINARY_FORMAT_H
#define CUMSUM_ORACLE_BINARY_FORMAT_H

/* The two floating-point formats as the oracle sees them: bit patterns and their integers. */

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "wide.h"

typedef struct binary_format {
    int precision;     /* significant bits, the implicit one included */
    int quantum;       /* exponent of the smallest subnormal */
    uint32_t sign;     /* the sign bit */
    uint32_t infinity; /* the bits of +infinity, and the mask of the exponent */
} binary_format;

/* In the header, so that the loops over lines are compiled for constants. */
static const binary_format binary16_format = {11, -24, 0x8000u, 0x7C00u};
static const binary_format binary32_format = {24, -149, 0x80000000u, 0x7F800000u};

static inline bool format_is_nan(const binary_format *f, uint32_t bits) {
    return (bits & ~f->sign) > f->infinity;
}

static inline bool format_is_infinite(const binary_format *f, uint32_t bits) {
    return (bits & ~f->sign) == f->infinity;
}

static inline bool format_is_finite(const binary_format *f, uint32_t bits) {
    return (bits & f->infinity) != f->infinity;
}

/* A finite value is significand * 2^(quantum + shift). */
static inline uint32_t format_significand(const binary_format *f, uint32_t bits, unsigned *shift) {
    uint32_t exponent = (bits & f->infinity) >> (f->precision - 1);
    uint32_t fraction = bits & ((UINT32_C(1) << (f->precision - 1)) - 1);
    uint32_t normal = exponent != 0;
    *shift = exponent - normal;
    return fraction | (normal << (f->precision - 1));
}

/* Values in order as integers: sign and magnitude, so +0 and -0 are one and infinities the ends.
 * Not for NaN. */
static inline int64_t format_rank(const binary_format *f, uint32_t bits) {
    int64_t magnitude = bits & ~f->sign;
    return bits & f->sign ? -magnitude : magnitude;
}

/* Adds a finite value to an accumulator in units of the format's quantum. */
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

/* The bits of value * 2^unit in the format, rounded to nearest even once; beyond the IEEE overflow
 * threshold infinity. Zero is +0. */
uint32_t cumsum_format_round(const binary_format *f, const wide *value, int unit);

#endif
