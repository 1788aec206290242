/* SPDX-License-Identifier: MIT */
/*
 * Conversion between binary16 and binary32 (docs/numerics.md, "FLOAT16"), by integer arithmetic
 * alone: no hardware conversion and no floating-point mode takes part, so the bits are the same on
 * every machine. The formats are those of IEEE 754-2019, section 3.4.
 *
 *     binary16: 1 sign, 5 exponent (bias 15), 10 fraction     smallest step 2^-24
 *     binary32: 1 sign, 8 exponent (bias 127), 23 fraction    smallest step 2^-149
 */
#include <cumsum/cumsum.h>
#include <string.h>

#define FLOAT_INFINITY 0x7F800000u
#define FLOAT_QUIET    0x00400000u
#define HALF_INFINITY  0x7C00u
#define HALF_NAN       0x7E00u

/* binary32 bits of the values at which the result changes form. */
#define BITS_OF_65504    0x477FE000u /* the largest finite binary16 */
#define BITS_OF_65520    0x477FF000u /* half a unit in the last place above it */
#define BITS_OF_2_TO_M14 0x38800000u /* the smallest normal binary16 */

/* The differences between the exponent fields of the same power, and of the fractions' widths. */
#define BIAS_DIFFERENCE     (127u - 15u)
#define FRACTION_DIFFERENCE (23u - 10u)

static float float_of_bits(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint32_t bits_of_float(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* The binary32 bits of fraction * 2^-24, for a fraction of 1 to 1023. Every binary16 subnormal is a
 * normal binary32: the leading one is shifted to bit 10, where it is implicit, and the exponent
 * falls by one for each place. */
static uint32_t widen_subnormal(uint32_t fraction) {
    uint32_t exponent = BIAS_DIFFERENCE + 1;
    while (!(fraction & 0x400u)) {
        fraction <<= 1;
        exponent--;
    }
    return exponent << 23 | (fraction & 0x3FFu) << FRACTION_DIFFERENCE;
}

float cumsum_half_to_float(uint16_t half) {
    const uint32_t sign = (uint32_t)(half & 0x8000u) << 16;
    const uint32_t magnitude = half & 0x7FFFu;
    if (magnitude == 0)
        return float_of_bits(sign);
    if (magnitude < 0x400u)
        return float_of_bits(sign | widen_subnormal(magnitude));
    if (magnitude < HALF_INFINITY)
        return float_of_bits(sign | ((magnitude << FRACTION_DIFFERENCE) + (BIAS_DIFFERENCE << 23)));
    const uint32_t fraction = (magnitude & 0x3FFu) << FRACTION_DIFFERENCE;
    return float_of_bits(sign | FLOAT_INFINITY | fraction | (fraction ? FLOAT_QUIET : 0));
}

/* value / 2^shift, shift 1 to 31, truncated or rounded to nearest, ties to even. */
static uint32_t shift_and_round(uint32_t value, uint32_t shift, bool truncate) {
    const uint32_t quotient = value >> shift;
    const uint32_t remainder = value - (quotient << shift);
    const uint32_t tie = 1u << (shift - 1);
    if (truncate || remainder < tie || (remainder == tie && !(quotient & 1)))
        return quotient;
    return quotient + 1;
}

/* The binary16 magnitude of a binary32 one that is known not to overflow. A carry out of the
 * fraction raises the exponent, which is right: the value was rounded up to a power of two. */
static uint32_t narrow_magnitude(uint32_t magnitude, bool truncate) {
    if (magnitude >= BITS_OF_2_TO_M14)
        return shift_and_round(magnitude - (BIAS_DIFFERENCE << 23), FRACTION_DIFFERENCE, truncate);
    const uint32_t exponent = magnitude >> 23;
    /* The value is significand * 2^(exponent - 150) and the unit is 2^-24: a shift by 126 -
     * exponent. With 25 places or more the value is below half a unit. Binary32 subnormals, whose
     * exponent is 0, are among these. */
    if (exponent < 102)
        return 0;
    const uint32_t significand = (magnitude & 0x7FFFFFu) | 0x800000u;
    return shift_and_round(significand, 126 - exponent, truncate);
}

/* DirectML's stores overflow above the largest finite value; IEEE 754 rounds down to it anything
 * less than half a unit above. */
static bool overflows(uint32_t magnitude, cumsum_half_store store) {
    if (store == CUMSUM_HALF_STORE_IEEE)
        return magnitude >= BITS_OF_65520;
    return magnitude > BITS_OF_65504;
}

uint16_t cumsum_half_from_float(float value, cumsum_half_store store) {
    const uint32_t bits = bits_of_float(value);
    const uint32_t sign = bits >> 16 & 0x8000u;
    const uint32_t magnitude = bits & 0x7FFFFFFFu;
    if (magnitude > FLOAT_INFINITY)
        return (uint16_t)(sign | HALF_NAN);
    if (overflows(magnitude, store))
        return (uint16_t)(sign | HALF_INFINITY);
    return (uint16_t)(sign | narrow_magnitude(magnitude, store == CUMSUM_HALF_STORE_TOWARD_ZERO));
}
