/* SPDX-License-Identifier: MIT */
/*
 * Conversions between binary16 and binary32 in integer arithmetic. Direct3D leaves it to the driver
 * how f16tof32 and f32tof16 treat subnormals and how the latter rounds, so neither is used. A
 * running sum is the bits of a binary32 number.
 */
#ifndef SCAN_HALF
#define SCAN_HALF

#include "scan_constants.hlsli"

#define FLOAT_INFINITY   0x7F800000u
#define FLOAT_65504      0x477FE000u /* the largest finite binary16 */
#define FLOAT_65520      0x477FF000u /* halfway from there to 65536 */
#define FLOAT_65536      0x47800000u
#define FLOAT_2_TO_M14   0x38800000u /* the smallest normal binary16 */
#define EXPONENT_BIAS    0x38000000u /* 127 - 15, in binary32's exponent field */

/* binary16 to binary32, exact. Normal numbers only need another exponent. */
uint widen_half(uint half_bits) {
#ifdef NATIVE_HALVES
    return asuint(f16tof32(half_bits));
#else
    const uint sign = (half_bits & 0x8000u) << 16;
    const uint magnitude = half_bits & 0x7FFFu;
    uint wide = (magnitude << 13) + EXPONENT_BIAS;
    if (magnitude >= 0x7C00u)
        wide += EXPONENT_BIAS; /* exponent 31 becomes 255 */
    if (magnitude < 0x400u) /* a subnormal is magnitude * 2^-24 */
        wide = magnitude == 0 ? 0 : asuint((float)magnitude) - (24u << 23);
    return sign | wide;
#endif
}

/* value / 2^shift for a shift of 13 to 24: truncated, or rounded to nearest with ties to even. For
 * the latter, half of the last place less one is added, and one more if the quotient is odd: a tie
 * then carries for odd quotients only. */
uint shift_and_round(uint value, uint shift, bool truncate) {
    const uint quotient = value >> shift;
    const uint below_tie = (1u << (shift - 1)) - 1;
    return truncate ? quotient : (value + below_tie + (quotient & 1)) >> shift;
}

/* Running sum to binary16, with the rounding that the flags name. Above 65504 all of them give
 * infinity, but for IEEE_OVERFLOW, under which that begins at 65520 as in IEEE 754. */
uint narrow_sum(uint sum) {
    const uint sign = (sum >> 16) & 0x8000u;
    const uint magnitude = sum & 0x7FFFFFFFu;
    const bool truncate = has(FLAG_TRUNCATE);
    const uint largest = has(FLAG_IEEE_OVERFLOW) ? FLOAT_65520 - 1 : FLOAT_65504;
    uint narrow = shift_and_round(magnitude - EXPONENT_BIAS, 13, truncate);
#ifdef NATIVE_HALVES
    [branch] if (!truncate)
        narrow = f32tof16(asfloat(magnitude));
    else
#endif
    if (magnitude < FLOAT_2_TO_M14) {
        /* The running sum is significand * 2^(exponent - 150), the result a multiple of 2^-24. */
        const uint exponent = magnitude >> 23;
        const uint significand = (magnitude & 0x7FFFFFu) | 0x800000u;
        /* Below 2^-25 every rounding gives zero. */
        narrow = exponent < 102 ? 0 : shift_and_round(significand, 126 - exponent, truncate);
    }
    if (magnitude > largest)
        narrow = 0x7C00u;
    if (magnitude > FLOAT_INFINITY)
        narrow = 0x7E00u;
    return sign | narrow;
}

/* Running sum to binary16 for a running sum that holds a binary16 value: exact. */
uint narrow_half(uint sum) {
    const uint magnitude = sum & 0x7FFFFFFFu;
    uint narrow = min((magnitude - EXPONENT_BIAS) >> 13, 0x7C00u);
    if (magnitude < FLOAT_2_TO_M14)
        narrow = magnitude == 0
                     ? 0
                     : ((magnitude & 0x7FFFFFu) | 0x800000u) >> (126 - (magnitude >> 23));
    if (magnitude > FLOAT_INFINITY)
        narrow = 0x7E00u;
    return ((sum >> 16) & 0x8000u) | narrow;
}

/*
 * Rounds the binary32 sum of two binary16 numbers to binary16, and keeps it as binary32. The two
 * roundings give the same result as one: binary32 has 24 bits, and 2p + 2 suffice for the p = 11 of
 * binary16 (Figueroa, "When is double rounding innocuous?", 1995). A sum below 2^-14 is a multiple
 * of 2^-24 with at most 10 bits, so it needs no rounding. A result of 65536 is an overflow.
 */
uint round_to_half(uint sum) {
#ifdef NATIVE_HALVES
    return asuint(f16tof32(f32tof16(asfloat(sum))));
#else
    const uint sign = sum & 0x80000000u;
    const uint magnitude = sum & 0x7FFFFFFFu;
    uint rounded = (magnitude + 0xFFFu + ((magnitude >> 13) & 1)) & 0xFFFFE000u;
    if (rounded >= FLOAT_65536)
        rounded = FLOAT_INFINITY;
    if (magnitude < FLOAT_2_TO_M14 || magnitude > FLOAT_INFINITY)
        rounded = magnitude;
    return sign | rounded;
#endif
}

#endif
