/* SPDX-License-Identifier: MIT */
#include "exact_prefix.h"

static void add_special(exact_prefix *p, uint32_t bits) {
    if (format_is_nan(p->format, bits))
        p->nan = true;
    else if (bits & p->format->sign)
        p->negative_infinity = true;
    else
        p->positive_infinity = true;
}

static unsigned lowest_bit(uint32_t significand) {
    unsigned position = 0;
    for (; !(significand & 1); significand >>= 1)
        position++;
    return position;
}

void cumsum_exact_prefix_add(exact_prefix *p, uint32_t bits) {
    p->terms++;
    if (!format_is_finite(p->format, bits)) {
        add_special(p, bits);
        return;
    }
    unsigned shift;
    uint32_t significand = format_significand(p->format, bits, &shift);
    if (significand == 0)
        return;
    wide_accumulate(&p->sum, significand, shift, (bits & p->format->sign) != 0);
    wide_accumulate(&p->magnitude, significand, shift, false);
    if (shift < p->lowest) { /* else no bit of it is lower than what is known */
        unsigned lowest = shift + lowest_bit(significand);
        if (lowest < p->lowest)
            p->lowest = lowest;
    }
}

bool cumsum_exact_prefix_never_rounds(const exact_prefix *p, int precision) {
    if (p->terms < 2 || wide_is_zero(&p->magnitude))
        return true;
    unsigned limit = p->lowest + (unsigned)precision;
    unsigned length = wide_bit_length(&p->magnitude);
    return length <= limit || (length == limit + 1 && !wide_any_below(&p->magnitude, limit));
}
