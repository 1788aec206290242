/* SPDX-License-Identifier: MIT */
/*
 * The arithmetic of wide sums, limb by limb. These functions run once or twice per tile of 1024
 * elements, not per element, so they are written for clarity.
 *
 * Beyond its highest limb a number continues with its sign, as two's complement does.
 */
#include "wide_sum.h"

enum {
    LIMBS = CUMSUM_WIDE_LIMBS,
    BITS = 64 * LIMBS
};

/* The limb beyond the highest one: all ones for a negative number. */
static uint64_t sign_limb(const cumsum_wide_sum *sum) {
    return sum->limb[LIMBS - 1] >> 63 ? UINT64_MAX : 0;
}

void cumsum_wide_sum_add(cumsum_wide_sum *sum, const cumsum_wide_sum *other) {
    uint64_t carry = 0;
    for (int i = 0; i < LIMBS; i++) {
        const uint64_t with_carry = sum->limb[i] + carry;
        const uint64_t limb = with_carry + other->limb[i];
        carry = with_carry < carry || limb < with_carry; /* at most one of the two wraps */
        sum->limb[i] = limb;
    }
    sum->nan |= other->nan;
    sum->positive_infinity |= other->positive_infinity;
    sum->negative_infinity |= other->negative_infinity;
}

unsigned cumsum_wide_sum_lowest(const cumsum_wide_sum *sum) {
    for (unsigned i = 0; i < LIMBS; i++)
        if (sum->limb[i])
            return 64 * i + cumsum_lowest_bit(sum->limb[i]);
    return BITS;
}

unsigned cumsum_wide_sum_bits(const cumsum_wide_sum *sum) {
    const uint64_t sign = sign_limb(sum);
    for (unsigned i = LIMBS; i-- > 0;) /* a bit that differs from the sign, and one for the sign */
        if (sum->limb[i] != sign)
            return 64 * i + 2 + cumsum_highest_bit(sum->limb[i] ^ sign);
    return 1;
}

static uint64_t limb_at(const cumsum_wide_sum *sum, unsigned i) {
    return i < LIMBS ? sum->limb[i] : sign_limb(sum);
}

/* The 64 bits from `position` on. */
static uint64_t bits_of_sum(const cumsum_wide_sum *sum, unsigned position) {
    const unsigned i = position / 64, shift = position % 64;
    const uint64_t low = limb_at(sum, i) >> shift;
    return shift ? low | limb_at(sum, i + 1) << (64 - shift) : low;
}

cumsum_int128 cumsum_wide_sum_window(const cumsum_wide_sum *sum, unsigned position) {
    return (cumsum_int128){bits_of_sum(sum, position), bits_of_sum(sum, position + 64)};
}

/* The window's two words and then its sign, shifted left by window.position: each limb gets bits of
 * two neighbouring words. */
void cumsum_wide_sum_set(cumsum_wide_sum *sum, cumsum_window window) {
    const uint64_t sign = cumsum_int128_negative(window.value) ? UINT64_MAX : 0;
    const unsigned first = window.position / 64, shift = window.position % 64;
    const uint64_t word[3] = {window.value.low, window.value.high, sign};
    for (unsigned i = 0; i < LIMBS; i++) {
        const unsigned w = i - first; /* wraps to a huge number if i < first, and is unused */
        const uint64_t here = i < first ? 0 : word[w < 2 ? w : 2];
        const uint64_t below = i <= first ? 0 : word[w - 1 < 2 ? w - 1 : 2];
        sum->limb[i] = shift ? here << shift | below >> (64 - shift) : here;
    }
}

cumsum_window cumsum_wide_sum_top(const cumsum_wide_sum *sum) {
    const unsigned bits = cumsum_wide_sum_bits(sum);
    const unsigned position = bits > 128 ? bits - 128 : 0;
    cumsum_window top = {cumsum_wide_sum_window(sum, position), position};
    if (cumsum_wide_sum_lowest(sum) < position)
        top.value.low |= 1;
    return top;
}
