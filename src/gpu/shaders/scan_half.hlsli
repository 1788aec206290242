/* SPDX-License-Identifier: MIT */
/*
 * binary16 by integer arithmetic alone: what f16tof32 and f32tof16 do to subnormals, and how the
 * latter rounds, is the driver's. A tally is binary32, as bits.
 */
#ifndef SCAN_HALF
#define SCAN_HALF

#include "scan_constants.hlsli"

#define FLOAT_INFINITY   0x7F800000u
#define FLOAT_65504      0x477FE000u /* the largest finite binary16 */
#define FLOAT_65520      0x477FF000u /* half way from there to 65536 */
#define FLOAT_65536      0x47800000u
#define FLOAT_2_TO_M14   0x38800000u /* the smallest normal binary16 */
#define EXPONENT_BIAS    0x38000000u /* 127 - 15, in binary32's exponent field */

/* binary32 bits of a binary16: exact. */
uint widen_half(uint half_bits) {
    const uint sign = (half_bits & 0x8000u) << 16;
    const uint magnitude = half_bits & 0x7FFFu;
    uint wide = (magnitude << 13) + EXPONENT_BIAS;
    if (magnitude >= 0x7C00u)
        wide += EXPONENT_BIAS; /* exponent 31 becomes 255 */
    if (magnitude < 0x400u) /* magnitude * 2^-24: the integer as binary32, 24 exponents lower */
        wide = magnitude == 0 ? 0 : asuint((float)magnitude) - (24u << 23);
    return sign | wide;
}

/* value / 2^shift for a shift of 13 to 24, truncated or rounded to nearest, ties to even. */
uint shift_and_round(uint value, uint shift, bool truncate) {
    const uint quotient = value >> shift;
    const uint below_tie = (1u << (shift - 1)) - 1;
    return truncate ? quotient : (value + below_tie + (quotient & 1)) >> shift;
}

/* binary16 of a tally, by the store that the flags name. */
uint narrow_tally(uint tally) {
    const uint sign = (tally >> 16) & 0x8000u;
    const uint magnitude = tally & 0x7FFFFFFFu;
    const bool truncate = has(FLAG_TRUNCATE);
    const uint largest = has(FLAG_IEEE_OVERFLOW) ? FLOAT_65520 - 1 : FLOAT_65504;
    uint narrow = shift_and_round(magnitude - EXPONENT_BIAS, 13, truncate);
    if (magnitude < FLOAT_2_TO_M14) { /* a multiple of 2^-24: significand * 2^(exponent - 150) */
        const uint exponent = magnitude >> 23;
        const uint significand = (magnitude & 0x7FFFFFu) | 0x800000u;
        /* Below 2^-25 nothing is left, whichever way it is rounded. */
        narrow = exponent < 102 ? 0 : shift_and_round(significand, 126 - exponent, truncate);
    }
    if (magnitude > largest)
        narrow = 0x7C00u;
    if (magnitude > FLOAT_INFINITY)
        narrow = 0x7E00u;
    return sign | narrow;
}

/* binary16 of a tally that holds one: nothing is rounded. */
uint narrow_half(uint tally) {
    const uint magnitude = tally & 0x7FFFFFFFu;
    uint narrow = min((magnitude - EXPONENT_BIAS) >> 13, 0x7C00u);
    if (magnitude < FLOAT_2_TO_M14)
        narrow = magnitude == 0 ? 0 : ((magnitude & 0x7FFFFFu) | 0x800000u) >> (126 - (magnitude >> 23));
    if (magnitude > FLOAT_INFINITY)
        narrow = 0x7E00u;
    return ((tally >> 16) & 0x8000u) | narrow;
}

/*
 * A binary32 sum of two binary16 numbers, rounded to binary16. Rounding twice does no harm: binary32
 * has 24 bits, 2p + 2 for the p = 11 of binary16 (Figueroa 1995). A sum below 2^-14 is a multiple of
 * 2^-24 of at most 10 bits, and needs no rounding. What becomes 65536 is an overflow.
 */
uint round_to_half(uint sum) {
    const uint sign = sum & 0x80000000u;
    const uint magnitude = sum & 0x7FFFFFFFu;
    uint rounded = (magnitude + 0xFFFu + ((magnitude >> 13) & 1)) & 0xFFFFE000u;
    if (rounded >= FLOAT_65536)
        rounded = FLOAT_INFINITY;
    if (magnitude < FLOAT_2_TO_M14 || magnitude > FLOAT_INFINITY)
        rounded = magnitude;
    return sign | rounded;
}

#endif
