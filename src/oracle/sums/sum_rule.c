/* SPDX-License-Identifier: MIT */
/* The rule on one sum or mean, whose terms are in the exact prefix, and the divided terms of a
 * mean.
 */
#include "mean.h"
#include "sum_line.h"

/* Is -0 a right output? If all terms are -0, and if a mean may underflow to it. */
static bool may_be_minus_zero(const judge_state *s) {
    const uint64_t sign = judge_format(s)->sign;
    if (s->exact.terms == 0)
        return false;
    if (s->exact.nonzero)
        return s->sums->mean && wide_is_negative(&s->exact.sum);
    for (uint64_t k = 0; k < s->problem.line_length; k++)
        if (judge_term(s, k) != sign)
            return false;
    return true;
}

/* The mean of no terms is NaN, whatever adds them and whichever its form is. */
static rule_result empty_mean(judge_state *s, uint64_t y) {
    const binary_format *f = judge_format(s);
    const uint64_t nan = f->infinity | UINT64_C(1) << (f->precision - 2);
    rule_result r = {.verdict = CUMSUM_VERDICT_FAIL, .expected = nan, .lower = nan, .upper = nan};
    if (format_is_nan(f, y)) {
        r.verdict = CUMSUM_VERDICT_EXACT;
        r.models = s->how.allowed;
    } else {
        s->output_means = 0;
    }
    return r;
}

rule_result cumsum_sum_by_rule(judge_state *s, uint64_t y) {
    rule_options how = s->how;
    how.strict_zero = how.strict_zero && !may_be_minus_zero(s);
    s->output_means = mean_forms(s->sums->mean);
    if (!s->sums->mean)
        return cumsum_rule(&s->exact, y, &how);
    if (s->exact.terms == 0)
        return empty_mean(s, y);
    return cumsum_rule_mean(&s->exact, s->divided, y, &how, s->sums->mean, &s->output_means);
}

/* ---- The terms of a mean ---- */

void cumsum_mean_begin(judge_state *s) {
    if (s->problem.line_length)
        s->exact.divisor = s->problem.line_length;
    s->divided[MEAN_IN_TYPE] = exact_prefix_empty(judge_format(s));
    s->divided[MEAN_IN_BINARY32] = exact_prefix_empty(&binary32_format);
}

void cumsum_mean_divide(judge_state *s) {
    const binary_format *f = judge_format(s);
    const uint64_t n = s->problem.line_length;
    if (!(mean_forms(s->sums->mean) & MODEL(CUMSUM_MEAN_DIVIDED_TERMS)))
        return;
    for (uint64_t k = s->divided[MEAN_IN_TYPE].terms; k < s->exact.terms; k++) {
        const uint64_t x = judge_term(s, k);
        cumsum_exact_prefix_add(&s->divided[MEAN_IN_TYPE], cumsum_mean_term(f, f, x, n));
        if (f->precision < 24)
            cumsum_exact_prefix_add(&s->divided[MEAN_IN_BINARY32],
                                    cumsum_mean_term(f, &binary32_format, x, n));
    }
}
