/* SPDX-License-Identifier: MIT */
/*
 * Exact sums for the reference: add each number in full, round in full. Deliberately plain, with
 * 32-bit limbs, so that every carry fits in 64-bit arithmetic and can be checked by eye. It shares
 * no code with wide_sum.c, which the kernels use.
 */
#include "exact_sum.h"

const exact_format cumsum_exact_binary64 = {.fraction_bits = 52, .sign_bit = 63, .limbs = 67};
const exact_format cumsum_exact_binary32 = {.fraction_bits = 23, .sign_bit = 31, .limbs = 10};
const exact_format cumsum_exact_binary16 = {.fraction_bits = 10, .sign_bit = 15, .limbs = 10};

static uint64_t power_of_two(unsigned exponent) {
    return UINT64_C(1) << exponent;
}

/* The bits of infinity: the exponent all ones, the fraction 0. */
static uint64_t infinity(const exact_format *format) {
    return power_of_two(format->sign_bit) - power_of_two(format->fraction_bits);
}

/* limb[first..] += value, modulo the limbs of the sum. */
static void add_at(uint32_t *limb, unsigned first, uint64_t value, unsigned limbs) {
    for (unsigned i = first; i < limbs && value; i++) {
        value += limb[i]; /* below 2^63 before: cannot wrap */
        limb[i] = (uint32_t)value;
        value >>= 32;
    }
}

/* limb[first..] -= value, modulo the limbs of the sum. */
static void subtract_at(uint32_t *limb, unsigned first, uint64_t value, unsigned limbs) {
    for (unsigned i = first; i < limbs && value; i++) {
        const uint32_t low = (uint32_t)value;
        const uint32_t borrow = limb[i] < low;
        limb[i] -= low;
        value = (value >> 32) + borrow;
    }
}

static void note_special(exact_sum *sum, uint64_t magnitude, bool negative,
                         const exact_format *format) {
    if (magnitude > infinity(format))
        sum->nan = true;
    else if (negative)
        sum->negative_infinity = true;
    else
        sum->positive_infinity = true;
}

void cumsum_exact_sum_add(exact_sum *sum, uint64_t bits, const exact_format *format) {
    const bool negative = bits >> format->sign_bit & 1;
    const uint64_t magnitude = bits & (power_of_two(format->sign_bit) - 1);
    if (magnitude >= infinity(format)) {
        note_special(sum, magnitude, negative, format);
        return;
    }
    const unsigned exponent = (unsigned)(magnitude >> format->fraction_bits);
    const uint64_t leading = power_of_two(format->fraction_bits);
    const uint64_t fraction = magnitude & (leading - 1);
    /* Subnormals (exponent 0) and the first normals (exponent 1) both count smallest steps. */
    const uint64_t significand = exponent ? fraction | leading : fraction;
    const unsigned shift = exponent ? exponent - 1 : 0;
    const unsigned first = shift / 32;
    /* Each half of the significand, below 2^32, becomes a value below 2^63. */
    const uint64_t low = (significand & UINT32_MAX) << (shift % 32);
    const uint64_t high = (significand >> 32) << (shift % 32);
    if (negative) {
        subtract_at(sum->limb, first, low, format->limbs);
        subtract_at(sum->limb, first + 1, high, format->limbs);
    } else {
        add_at(sum->limb, first, low, format->limbs);
        add_at(sum->limb, first + 1, high, format->limbs);
    }
}

/* Sets magnitude to |sum|. True if the sum is negative. */
static bool take_magnitude(const exact_sum *sum, uint32_t *magnitude, unsigned limbs) {
    const bool negative = sum->limb[limbs - 1] >> 31;
    uint32_t carry = negative; /* -x is ~x + 1 */
    for (unsigned i = 0; i < limbs; i++) {
        magnitude[i] = negative ? ~sum->limb[i] + carry : sum->limb[i];
        carry = carry && magnitude[i] == 0;
    }
    return negative;
}

static bool bit_at(const uint32_t *magnitude, unsigned position) {
    return magnitude[position / 32] >> (position % 32) & 1;
}

/* The number of bits of the magnitude: the position of its leading 1 plus 1, or 0 for 0. */
static unsigned bit_length(const uint32_t *magnitude, unsigned limbs) {
    unsigned length = limbs * 32;
    while (length > 0 && magnitude[(length - 1) / 32] == 0)
        length -= 32;
    while (length > 0 && !bit_at(magnitude, length - 1))
        length--;
    return length;
}

static uint64_t limb_or_zero(const uint32_t *magnitude, unsigned i, unsigned limbs) {
    return i < limbs ? magnitude[i] : 0;
}

/* The 64 bits of the magnitude from bit `from` on. */
static uint64_t bits_from(const uint32_t *magnitude, unsigned from, unsigned limbs) {
    const unsigned i = from / 32, shift = from % 32;
    const uint64_t low = limb_or_zero(magnitude, i, limbs) | limb_or_zero(magnitude, i + 1, limbs)
                                                                 << 32;
    const uint64_t high = limb_or_zero(magnitude, i + 2, limbs);
    return low >> shift | (shift ? high << (64 - shift) : 0);
}

static bool any_bit_below(const uint32_t *magnitude, unsigned position) {
    for (unsigned i = 0; i < position / 32; i++)
        if (magnitude[i])
            return true;
    return magnitude[position / 32] & ((1u << (position % 32)) - 1);
}

/*
 * Rounds to nearest, ties to even, and encodes the result without its sign.
 *
 * `kept` is the significand with its leading 1, which is not stored in the format but lies at the
 * lowest bit of the exponent. So adding `kept` supplies an exponent of 1, which is right if no bits
 * were dropped, and each dropped bit adds another 1. A carry out of the rounding also moves the
 * exponent on by 1 and leaves a fraction of 0, as it should. A magnitude that is too short to be
 * rounded is encoded the same way; if it is a subnormal it has no bit at the exponent.
 */
static uint64_t round_magnitude(const uint32_t *magnitude, const exact_format *format) {
    const unsigned significant = format->fraction_bits + 1;
    const unsigned length = bit_length(magnitude, format->limbs);
    if (length <= significant)
        return bits_from(magnitude, 0, format->limbs);
    const unsigned dropped = length - significant;
    const uint64_t kept = bits_from(magnitude, dropped, format->limbs);
    const bool half = bit_at(magnitude, dropped - 1);
    const bool up = half && ((kept & 1) || any_bit_below(magnitude, dropped - 1));
    const uint64_t bits = ((uint64_t)dropped << format->fraction_bits) + kept + up;
    return bits < infinity(format) ? bits : infinity(format);
}

uint64_t cumsum_exact_sum_round(const exact_sum *sum, const exact_format *format) {
    const uint64_t sign = power_of_two(format->sign_bit);
    if (sum->nan || (sum->positive_infinity && sum->negative_infinity))
        return infinity(format) | power_of_two(format->fraction_bits - 1);
    if (sum->positive_infinity)
        return infinity(format);
    if (sum->negative_infinity)
        return infinity(format) | sign;
    uint32_t magnitude[EXACT_SUM_MAX_LIMBS] = {0};
    const bool negative = take_magnitude(sum, magnitude, format->limbs);
    return round_magnitude(magnitude, format) | (negative ? sign : 0);
}
