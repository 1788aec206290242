/* SPDX-License-Identifier: MIT */
#include "rule.h"

/* The largest finite value and half a unit in its last place, in units of the quantum: from here
 * on, rounding to nearest gives infinity. */
static wide overflow_threshold(const binary_format *f) {
    wide ones = wide_from_u64((UINT64_C(1) << (f->precision + 1)) - 1);
    unsigned top = (f->infinity >> (f->precision - 1)) - 2; /* the shift of the largest exponent */
    return wide_shift_left(&ones, top - 1);
}

bool cumsum_rule_may_overflow(const exact_prefix *p, const wide *magnitude) {
    if (p->terms == 0)
        return false;
    int precision = p->format->precision;
    wide threshold = overflow_threshold(p->format);
    wide right = wide_shift_left(&threshold, (unsigned)precision);
    wide left = wide_multiply(magnitude, (UINT64_C(1) << precision) + p->terms - 1);
    return wide_compare(&left, &right) >= 0;
}

/* Can the finite terms on the side opposite to the infinity overflow by themselves? Their
 * magnitude is (A - S) / 2 against +infinity and (A + S) / 2 against -infinity. */
static bool opposite_may_overflow(const exact_prefix *p) {
    wide twice =
        p->positive_infinity ? wide_sub(&p->magnitude, &p->sum) : wide_add(&p->magnitude, &p->sum);
    for (int i = 0; i < WIDE_LIMBS; i++) {
        uint64_t above = i + 1 < WIDE_LIMBS ? twice.limb[i + 1] : 0;
        twice.limb[i] = (twice.limb[i] >> 1) | (above << 63);
    }
    return cumsum_rule_may_overflow(p, &twice);
}

bool cumsum_rule_special(const exact_prefix *p, uint32_t y, bool narrow, uint32_t models,
                         rule_result *result) {
    const binary_format *f = p->format;
    bool to_nan = p->nan || (p->positive_infinity && p->negative_infinity);
    if (!to_nan && !p->positive_infinity && !p->negative_infinity)
        return false;
    uint32_t quiet_nan = f->infinity | (UINT32_C(1) << (f->precision - 2));
    uint32_t expected = to_nan ? quiet_nan : f->infinity | (p->negative_infinity ? f->sign : 0);
    bool right = to_nan ? format_is_nan(f, y) : y == expected;
    *result = (rule_result){CUMSUM_VERDICT_FAIL, 0, expected, expected, expected};
    if (right) {
        result->verdict = CUMSUM_VERDICT_EXACT;
        result->models = models;
    } else if (!to_nan && narrow && format_is_nan(f, y) && opposite_may_overflow(p)) {
        result->verdict = CUMSUM_VERDICT_INDETERMINATE;
        result->models = models;
    }
    return true;
}

void cumsum_rule_interval(const exact_prefix *p, const binary_format *accumulator, uint32_t *lower,
                          uint32_t *upper) {
    int precision = accumulator->precision;
    /* Everything times 1/u = 2^precision, so that E is an integer: nothing is rounded here. */
    int unit = p->format->quantum - precision;
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
