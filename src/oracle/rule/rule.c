/* SPDX-License-Identifier: MIT */
/*
 * What the rules of the floating-point types share: prefixes with NaN or infinity, the interval
 * that every order of additions keeps to, and the condition for overflow (docs/oracle.md,
 * "FLOAT32 and FLOAT64", "Overflow", "NaN and infinity").
 *
 * The error bound is that of Rump ("Error estimation of floating-point summation and dot product",
 * BIT 52, 2012) and Jeannerod and Rump ("Improved error bounds for inner products in floating-point
 * arithmetic", SIAM J. Matrix Anal. Appl. 34, 2013): a sum of p terms, in any order, differs from
 * the exact one by at most (p - 1) u A. It replaces the classical bound, which has a factor
 * 1 / (1 - (p - 1) u) (Higham, "Accuracy and Stability of Numerical Algorithms", section 4.2). Here
 * p - 1 is the number of additions that may round (docs/oracle.md, "Additions that are exact").
 *
 * Invariant: nothing here is rounded except the ends of an interval, once. Inequalities with u are
 * multiplied by 1/u = 2^precision, which makes both sides integers.
 */
#include "rule.h"

/* The smallest magnitude that rounds to infinity: the largest finite number and half a unit in its
 * last place, in units of the terms' quantum, which divides it. */
static wide overflow_threshold(const exact_prefix *p, const binary_format *f) {
    wide ones = wide_from_u64(&p->sum, (UINT64_C(1) << (f->precision + 1)) - 1);
    int top = (int)(f->infinity >> (f->precision - 1)) - 2; /* the shift of the largest exponent */
    return wide_shift_left(&ones, (unsigned)(top - 1 + f->quantum - p->format->quantum));
}

/* Twice, because A + S and A - S are even. */
wide cumsum_rule_twice_side(const exact_prefix *p, bool negative) {
    return negative ? wide_sub(&p->magnitude, &p->sum) : wide_add(&p->magnitude, &p->sum);
}

/*
 * Can a partial sum overflow to the infinity of this sign? X is the sum of the magnitudes of the
 * terms of that sign. A partial sum is at most X + (n - 1) u A in magnitude there, and if (n - 1) u
 * is at most 1, then terms of the other sign take away more than they let errors grow: (1 + (n - 1)
 * u) X. Terms of one sign never have a sum of the other. Both sides are multiplied by 2/u.
 */
static bool side_may_overflow(const exact_prefix *p, const binary_format *f, bool negative) {
    unsigned precision = (unsigned)f->precision;
    wide side = cumsum_rule_twice_side(p, negative);
    if (wide_is_zero(&side))
        return false;
    uint64_t additions = p->nonzero - 1;
    bool alone = additions <= UINT64_C(1) << precision;
    wide twice_magnitude = wide_shift_left(&p->magnitude, 1);
    wide errors = wide_multiply(alone ? &side : &twice_magnitude, additions);
    wide scaled = wide_shift_left(&side, precision);
    wide left = wide_add(&scaled, &errors);
    wide threshold = overflow_threshold(p, f);
    wide right = wide_shift_left(&threshold, precision + 1);
    return wide_compare(&left, &right) >= 0;
}

bool cumsum_rule_may_overflow(const exact_prefix *p, const binary_format *accumulator, uint64_t y) {
    if (!format_is_nan(p->format, y))
        return side_may_overflow(p, accumulator, (y & p->format->sign) != 0);
    return (p->positive_infinity || side_may_overflow(p, accumulator, false)) &&
           (p->negative_infinity || side_may_overflow(p, accumulator, true));
}

/* NaN, or infinities of both signs, give NaN; otherwise an infinity is the only right value. */
uint64_t cumsum_rule_expected(const exact_prefix *p) {
    const binary_format *f = p->format;
    if (p->nan || (p->positive_infinity && p->negative_infinity))
        return f->infinity | (UINT64_C(1) << (f->precision - 2)); /* a quiet NaN */
    if (rule_is_special(p))
        return f->infinity | (p->negative_infinity ? f->sign : 0);
    return cumsum_exact_prefix_round(p);
}

bool cumsum_rule_begin(const exact_prefix *p, uint64_t y, const rule_options *how,
                       rule_result *result) {
    const binary_format *f = p->format;
    uint64_t expected = cumsum_rule_expected(p);
    *result = (rule_result){
        .verdict = CUMSUM_VERDICT_FAIL, .expected = expected, .lower = expected, .upper = expected};
    if (how->strict_zero && y == f->sign)
        return true;
    if (!rule_is_special(p))
        return false;
    if (y == expected || (format_is_nan(f, y) && format_is_nan(f, expected))) {
        result->verdict = CUMSUM_VERDICT_EXACT;
        result->models = how->allowed;
    }
    /* Only an infinity may become something else, and only NaN. */
    return result->verdict == CUMSUM_VERDICT_EXACT || format_is_nan(f, expected) ||
           !format_is_nan(f, y);
}

reach_answer cumsum_rule_reach(const exact_prefix *p, uint64_t y, const rule_options *how,
                               reach_arithmetic arithmetic) {
    double terms[REACH_MOST] = {0};
    for (uint64_t i = 0; i < p->nonzero; i++)
        terms[i] = format_value(p->format, p->few[i]);
    return cumsum_reach(terms, (unsigned)p->nonzero, arithmetic, p->format, y, how->values);
}

/* The last addition rounds once, and monotonically; the two subtrees that it adds are together
 * within (r - 1) u A of S. So the output lies between the rounded ends. */
void cumsum_rule_interval(const exact_prefix *p, const binary_format *accumulator, uint64_t *lower,
                          uint64_t *upper) {
    int precision = accumulator->precision;
    int unit = p->format->quantum - precision; /* S and E are multiplied by 1/u */
    wide sum = wide_shift_left(&p->sum, (unsigned)precision);
    uint64_t roundings = cumsum_exact_prefix_roundings(p, precision);
    wide error = wide_multiply(&p->magnitude, roundings > 1 ? roundings - 1 : 0);
    wide low = wide_sub(&sum, &error), high = wide_add(&sum, &error);
    *lower = cumsum_format_round(accumulator, &low, unit);
    *upper = cumsum_format_round(accumulator, &high, unit);
}

bool cumsum_rule_within(const binary_format *f, uint64_t y, uint64_t lower, uint64_t upper) {
    int64_t rank = format_rank(f, y);
    return format_rank(f, lower) <= rank && rank <= format_rank(f, upper);
}

wide cumsum_rule_distance(const exact_prefix *p, uint64_t y) {
    wide value = format_zero(p->format);
    format_accumulate(p->format, &value, y);
    if (p->divisor > 1) {
        const bool negative = wide_is_negative(&value);
        const wide magnitude = wide_abs(&value), multiple = wide_multiply(&magnitude, p->divisor);
        value = negative ? wide_negate(&multiple) : multiple;
    }
    wide difference = wide_sub(&value, &p->sum);
    return wide_abs(&difference);
}
