/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_ORACLE_BINARY16_H
#define CUMSUM_ORACLE_BINARY16_H

/* The oracle's own conversions between binary16 and binary32. Every output passes through them. */

#include <cumsum/cumsum.h>

#include <math.h>

#include "binary_format.h"

/* A binary16 as a number: its significand times a power of two. */
static inline float binary16_value(uint32_t bits) {
    float sign = bits & 0x8000u ? -1.0f : 1.0f;
    if (!format_is_finite(&binary16_format, bits))
        return format_is_nan(&binary16_format, bits) ? NAN : sign * INFINITY;
    unsigned shift;
    uint32_t significand = format_significand(&binary16_format, bits, &shift);
    return sign * (float)significand * ((float)(UINT32_C(1) << shift) * 0x1p-24f);
}

/* binary32 to binary16 by the store, a cumsum_half_store. Integer arithmetic alone. Not for NaN. */
static inline uint32_t format_store_half(uint32_t bits, int store) {
    uint32_t sign = (bits >> 16) & 0x8000u;
    uint32_t magnitude = bits & 0x7FFFFFFFu;
    if (magnitude >= 0x7F800000u)
        return sign | 0x7C00u;
    if (store != CUMSUM_HALF_STORE_IEEE && magnitude > 0x477FE000u) /* 65504 */
        return sign | 0x7C00u;
    unsigned shift;
    uint32_t significand = format_significand(&binary32_format, bits, &shift);
    /* Units of 2^-149 become units of the last place that binary16 keeps: 13 bits go where it is
     * normal, more below 2^-14 (shift 112: binary32's exponent field 113). */
    unsigned drop = shift >= 112 ? 13 : 13 + (112 - shift);
    uint32_t exponent = shift >= 112 ? shift - 112 : 0;
    if (drop > 25)
        drop = 25; /* significand < 2^24 < half of what is kept */
    uint32_t integer = significand >> drop;
    uint32_t rest = significand & ((UINT32_C(1) << drop) - 1);
    uint32_t half = UINT32_C(1) << (drop - 1);
    if (store != CUMSUM_HALF_STORE_TOWARD_ZERO) /* no branch: it would be a coin toss */
        integer += (uint32_t)(rest > half) | ((uint32_t)(rest == half) & integer & 1);
    uint32_t result = (exponent << 10) + integer;
    return sign | (result > 0x7C00u ? 0x7C00u : result);
}

#endif
