/* SPDX-License-Identifier: MIT */
#include "binary_format.h"

#include <cumsum/cumsum.h>

#include <math.h>

const binary_format cumsum_binary16_format = {11, -24, 0x8000u, 0x7C00u};
const binary_format cumsum_binary32_format = {24, -149, 0x80000000u, 0x7F800000u};

float cumsum_binary16_value(uint32_t bits) {
    float sign = bits & 0x8000u ? -1.0f : 1.0f;
    if (!format_is_finite(&cumsum_binary16_format, bits))
        return format_is_nan(&cumsum_binary16_format, bits) ? NAN : sign * INFINITY;
    unsigned shift;
    uint32_t significand = format_significand(&cumsum_binary16_format, bits, &shift);
    return sign * (float)significand * (float)(UINT32_C(1) << shift) * 0x1p-24f;
}

/* magnitude / 2^shift for a shift above 0, rounded to nearest even. The quotient fits 64 bits. */
static uint64_t round_quotient(const wide *magnitude, unsigned shift) {
    uint64_t quotient = wide_bits_from(magnitude, shift);
    bool half = wide_bit(magnitude, shift - 1);
    bool rest = wide_any_below(magnitude, shift - 1);
    return quotient + (half && (rest || (quotient & 1)));
}

uint32_t cumsum_format_round(const binary_format *f, const wide *value, int unit) {
    wide magnitude = wide_abs(value);
    unsigned length = wide_bit_length(&magnitude);
    if (length == 0)
        return 0;
    /* The exponent of the last bit that is kept: precision bits below the leading one, but never
     * below the quantum of subnormals. */
    int last = (int)length + unit - f->precision;
    if (last < f->quantum)
        last = f->quantum;
    uint64_t integer = last > unit ? round_quotient(&magnitude, (unsigned)(last - unit))
                                   : magnitude.limb[0] << (unit - last);
    /* One formula for subnormals and normals: the implicit bit of the integer adds the 1 that
     * separates their exponent fields, and a carry out of the rounding does the right thing. */
    uint64_t bits = ((uint64_t)(last - f->quantum) << (f->precision - 1)) + integer;
    if (bits > f->infinity)
        bits = f->infinity;
    return (uint32_t)bits | (wide_is_negative(value) ? f->sign : 0);
}

uint32_t cumsum_format_store_half(uint32_t bits, int store) {
    uint32_t sign = (bits >> 16) & 0x8000u;
    uint32_t magnitude = bits & 0x7FFFFFFFu;
    if (magnitude >= 0x7F800000u)
        return sign | 0x7C00u;
    if (store != CUMSUM_HALF_STORE_IEEE && magnitude > 0x477FE000u) /* 65504 */
        return sign | 0x7C00u;
    unsigned shift;
    uint32_t significand = format_significand(&cumsum_binary32_format, bits, &shift);
    /* Units of 2^-149 become units of the last place that binary16 keeps: 13 bits go where it is
     * normal, more below 2^-14 (shift 112: binary32's exponent field 113). */
    unsigned drop = shift >= 112 ? 13 : 13 + (112 - shift);
    uint32_t exponent = shift >= 112 ? shift - 112 : 0;
    if (drop > 25)
        drop = 25; /* significand < 2^24 < half of what is kept */
    uint32_t integer = significand >> drop;
    uint32_t rest = significand & ((UINT32_C(1) << drop) - 1);
    uint32_t half = UINT32_C(1) << (drop - 1);
    if (store != CUMSUM_HALF_STORE_TOWARD_ZERO && (rest > half || (rest == half && (integer & 1))))
        integer++;
    uint32_t result = (exponent << 10) + integer;
    return sign | (result > 0x7C00u ? 0x7C00u : result);
}
