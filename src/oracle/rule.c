/* SPDX-License-Identifier: MIT */
/*
 * What the rules of FLOAT32 and FLOAT16 share: prefixes with NaN or infinity, the interval that
 * every order of additions keeps to, and the condition for overflow (docs/oracle.md, "FLOAT32",
 * "Overflow", "NaN and infinity").
 *
 * The error bound is that of Rump ("Error estimation of floating-point summation and dot product",
 * BIT 52, 2012) and Jeannerod and Rump ("Improved error bounds for inner products in floating-point
 * arithmetic", SIAM J. Matrix Anal. Appl. 34, 2013): a sum of p terms, in any order, differs from
 * the exact one by at most (p - 1) u A. It replaces the classical bound, which has a factor
 * 1 / (1 - (p - 1) u) (Higham, "Accuracy and Stability of Numerical Algorithms", section 4.2).
 *
 * Invariant: nothing here is rounded except the ends of an interval, once. Inequalities with u are
 * multiplied by 1/u = 2^precision, which makes both sides integers.
 */
#include "rule.h"

/* The smallest magnitude that rounds to infinity: the largest finite number and half a unit in its
 * last place, in units of the quantum. */
static wide overflow_threshold(const binary_format *f) {
    wide ones = wide_from_u64((UINT64_C(1) << (f->precision + 1)) - 1);
    unsigned top = (f->infinity >> (f->precision - 1)) - 2; /* the shift of the largest exponent */
    return wide_shift_left(&ones, top - 1);
}

/* By the error bound every partial sum is at most (1 + (m - 1) u) A in magnitude. If that is below
 * the threshold, no order overflows. Both sides are multiplied by 1/u. */
bool cumsum_rule_may_overflow(const exact_prefix *p, const wide *magnitude) {
    if (p->terms == 0)
        return false;
    int precision = p->format->precision;
    wide threshold = overflow_threshold(p->format);
    wide right = wide_shift_left(&threshold, (unsigned)precision);
    wide left = wide_multiply(magnitude, (UINT64_C(1) << precision) + p->terms - 1);
    return wide_compare(&left, &right) >= 0;
}

/* A prefix with one sign of infinity can become NaN if the finite terms of the other sign overflow
 * by themselves. Their magnitude is (A - S) / 2 for +infinity and (A + S) / 2 for -infinity. */
static bool opposite_may_overflow(const exact_prefix *p) {
    wide half =
        p->positive_infinity ? wide_sub(&p->magnitude, &p->sum) : wide_add(&p->magnitude, &p->sum);
    for (int i = 0; i < WIDE_LIMBS; i++) {
        uint64_t above = i + 1 < WIDE_LIMBS ? half.limb[i + 1] : 0;
        half.limb[i] = (half.limb[i] >> 1) | (above << 63);
    }
    return cumsum_rule_may_overflow(p, &half);
}

/* NaN, or infinities of both signs, give NaN; otherwise the infinity is the only right value. */
static bool is_special(const exact_prefix *p, bool *to_nan) {
    *to_nan = p->nan || (p->positive_infinity && p->negative_infinity);
    return p->nan || p->positive_infinity || p->negative_infinity;
}

bool cumsum_rule_begin(const exact_prefix *p, uint32_t y, bool may_overflow, uint32_t models,
                       rule_result *result) {
    const binary_format *f = p->format;
    const uint32_t quiet_nan = f->infinity | (UINT32_C(1) << (f->precision - 2));
    bool to_nan;
    const bool special = is_special(p, &to_nan);
    uint32_t expected = to_nan ? quiet_nan : f->infinity | (p->negative_infinity ? f->sign : 0);
    if (!special)
        expected = cumsum_exact_prefix_round(p);
    *result = (rule_result){CUMSUM_VERDICT_FAIL, 0, expected, expected, expected};
    if (!special)
        return false;
    if (to_nan ? format_is_nan(f, y) : y == expected) {
        result->verdict = CUMSUM_VERDICT_EXACT;
        result->models = models;
    } else if (!to_nan && may_overflow && format_is_nan(f, y) && opposite_may_overflow(p)) {
        result->verdict = CUMSUM_VERDICT_INDETERMINATE;
        result->models = models;
    }
    return true;
}

/* The last addition rounds once, and monotonically; the two subtrees that it adds are together
 * within (m - 2) u A of S. So the output lies between the rounded ends. */
void cumsum_rule_interval(const exact_prefix *p, const binary_format *accumulator, uint32_t *lower,
                          uint32_t *upper) {
    int precision = accumulator->precision;
    int unit = p->format->quantum - precision; /* S and E are multiplied by 1/u */
    wide sum = wide_shift_left(&p->sum, (unsigned)precision);
    if (p->terms <= 2 || cumsum_exact_prefix_never_rounds(p, precision)) {
        *lower = *upper = cumsum_format_round(accumulator, &sum, unit);
        return;
    }
    wide error = wide_multiply(&p->magnitude, p->terms - 2);
    wide low = wide_sub(&sum, &error), high = wide_add(&sum, &error);
    *lower = cumsum_format_round(accumulator, &low, unit);
    *upper = cumsum_format_round(accumulator, &high, unit);
}

bool cumsum_rule_within(const binary_format *f, uint32_t y, uint32_t lower, uint32_t upper,
                        bool strict_zero) {
    if (strict_zero && y == f->sign)
        return false;
    int64_t rank = format_rank(f, y);
    return format_rank(f, lower) <= rank && rank <= format_rank(f, upper);
}

wide cumsum_rule_distance(const exact_prefix *p, uint32_t y) {
    wide value = {{0}};
    format_accumulate(p->format, &value, y);
    wide difference = wide_sub(&value, &p->sum);
    return wide_abs(&difference);
}
