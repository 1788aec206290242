/* SPDX-License-Identifier: MIT */
/*
 * The superaccumulator: terms are added to long integers (wide.h), and an integer is rounded to a
 * format once. Every function here is exact or rounds exactly once, so the tests compare it
 * with rationals bit for bit.
 */
#include "exact_prefix.h"

static void add_special(exact_prefix *p, uint64_t bits) {
    if (format_is_nan(p->format, bits))
        p->nan = true;
    else if (bits & p->format->sign)
        p->negative_infinity = true;
    else
        p->positive_infinity = true;
}

/* -1, 0 or 1 as a is less than, equal to or greater than b. */
static int compare_signed(const wide *a, const wide *b) {
    const wide difference = wide_sub(a, b);
    return wide_is_negative(&difference) ? -1 : !wide_is_zero(&difference);
}

/* Zeros, infinities and NaNs are terms of a sequence, too. */
static void follow_sequence(exact_prefix *p, uint64_t bits) {
    if (p->how && p->how->order == CUMSUM_ALLOWED_SEQUENTIAL)
        cumsum_sequence_add(&p->sequence, p->how, format_value(p->format, bits),
                            format_least_normal(p->format), p->terms == 1);
}

/* What a contiguous order needs. */
static void follow_range(exact_prefix *p) {
    if (compare_signed(&p->sum, &p->top) > 0)
        p->top = p->sum;
    if (compare_signed(&p->sum, &p->bottom) < 0)
        p->bottom = p->sum;
}

void cumsum_exact_prefix_add(exact_prefix *p, uint64_t bits) {
    p->terms++;
    follow_sequence(p, bits);
    if (!(bits & ~p->format->sign)) {
        if (p->nonzero <= REACH_MOST)
            p->zeros |= UINT32_C(1) << p->nonzero;
        return;
    }
    if (p->nonzero < REACH_MOST)
        p->few[p->nonzero] = bits;
    p->nonzero++;
    if (!format_is_finite(p->format, bits)) {
        add_special(p, bits);
        return;
    }
    if ((bits & ~p->format->sign) > p->largest)
        p->largest = bits & ~p->format->sign;
    unsigned shift;
    uint64_t significand = format_significand(p->format, bits, &shift);
    wide_accumulate(&p->sum, significand, shift, (bits & p->format->sign) != 0);
    wide_accumulate(&p->magnitude, significand, shift, false);
    if (shift < p->lowest) { /* otherwise no bit of this term is below the lowest one */
        unsigned lowest = shift + cumsum_lowest_bit(significand);
        if (lowest < p->lowest)
            p->lowest = lowest;
    }
    if (p->how && p->how->order == CUMSUM_ALLOWED_CONTIGUOUS)
        follow_range(p);
}

reach_terms cumsum_exact_prefix_few(const exact_prefix *p) {
    reach_terms terms = {.count = (unsigned)p->nonzero, .zeros = p->zeros};
    for (unsigned i = 0; i < terms.count; i++)
        terms.values[i] = format_value(p->format, p->few[i]);
    return terms;
}

exact_prefix cumsum_exact_prefix_normal(const exact_prefix *p) {
    exact_prefix normal = exact_prefix_of(p->format, NULL);
    for (uint64_t i = 0; i < p->nonzero; i++)
        if (!format_is_subnormal(p->format, p->few[i]))
            cumsum_exact_prefix_add(&normal, p->few[i]);
    return normal;
}

bool cumsum_exact_prefix_never_rounds(const exact_prefix *p, int precision) {
    if (p->nonzero < 2 || wide_is_zero(&p->magnitude))
        return true;
    /* A <= 2^(lowest + precision): A is shorter than that power of two, or equal to it. */
    unsigned limit = p->lowest + (unsigned)precision;
    unsigned length = wide_bit_length(&p->magnitude);
    return length <= limit || (length == limit + 1 && !wide_any_below(&p->magnitude, limit));
}

/* A node that rounds has magnitudes of more than L = 2^(lowest + precision) below it, and so more
 * than L / M terms, where M is the greatest. Of n terms that leaves n + 1 - h nodes. */
uint64_t cumsum_exact_prefix_roundings(const exact_prefix *p, int precision) {
    if (cumsum_exact_prefix_never_rounds(p, precision))
        return 0;
    unsigned shift;
    uint64_t significand = format_significand(p->format, p->largest, &shift);
    unsigned position = cumsum_lowest_bit(significand);
    uint64_t heavy = 2; /* h, the fewest terms below a node that rounds */
    int power = (int)p->lowest + precision - (int)(shift + position); /* at most the precision */
    if (power > 0) {
        uint64_t whole = (UINT64_C(1) << power) / (significand >> position);
        heavy = whole + 1 > heavy ? whole + 1 : heavy;
    }
    return p->nonzero + 1 - heavy;
}

uint64_t cumsum_format_round(const binary_format *f, const wide *value, int unit,
                             rounding_direction direction) {
    const wide magnitude = wide_abs(value);
    const unsigned length = wide_bit_length(&magnitude), low = length > 64 ? length - 64 : 0;
    return length ? cumsum_round_magnitude(f, wide_bits_from(&magnitude, low), unit + (int)low,
                                           wide_any_below(&magnitude, low), wide_is_negative(value),
                                           direction)
                  : 0;
}

double cumsum_wide_value(const wide *value, int unit) {
    const wide magnitude = wide_abs(value);
    const unsigned length = wide_bit_length(&magnitude), low = length > 64 ? length - 64 : 0;
    const double scaled = ldexp((double)wide_bits_from(&magnitude, low), (int)low + unit);
    return wide_is_negative(value) ? -scaled : scaled;
}
