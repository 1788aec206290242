/* SPDX-License-Identifier: MIT */
/*
 * binary16 and binary32, by integer arithmetic alone: no hardware conversion and no floating-point
 * mode takes part, so the bits are the same on every machine.
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

/* binary32 bits of the values at which a store changes its mind. */
#define BITS_OF_65504    0x477FE000u /* the largest finite binary16 */
#define BITS_OF_65520    0x477FF000u /* half way to the next one, had binary16 a wider exponent */
#define BITS_OF_2_TO_M14 0x38800000u /* the smallest normal binary16 */

/* What has to be added to a binary16 exponent to get the binary32 exponent of the same power. */
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

/* fraction * 2^-24 for a fraction of 1 to 1023: every binary16 subnormal is a normal binary32. The
 * leading one moves to bit 10, where it is implicit, one exponent step down per place. */
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
 * fraction goes into the exponent, which is what rounding up to the next power of two means. */
static uint32_t narrow_magnitude(uint32_t magnitude, bool truncate) {
    if (magnitude >= BITS_OF_2_TO_M14)
        return shift_and_round(magnitude - (BIAS_DIFFERENCE << 23), FRACTION_DIFFERENCE, truncate);
    const uint32_t exponent = magnitude >> 23;
    /* The value is significand * 2^(exponent - 150), the step 2^-24: a shift by 126 - exponent.
     * From 25 places on it is under half a step. Subnormals (exponent 0) are among those. */
    if (exponent < 102)
        return 0;
    const uint32_t significand = (magnitude & 0x7FFFFFu) | 0x800000u;
    return shift_and_round(significand, 126 - exponent, truncate);
}

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
