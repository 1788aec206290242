/* SPDX-License-Identifier: MIT */
/*
 * The judgement of one sum. Every output is judged by the exact rule: there is one of them for many
 * terms, whose exact sum is formed by segments (screen_prefix.c).
 */
#include <math.h>

#include "doubt_line.h"
#include "judge_output.h"
#include "judge_steps.h"

/* Integers have one right value. */
static void judge_integer_sum(judge_state *s) {
    const uint64_t n = s->problem.line_length, y = judge_actual(s, sum_position(s));
    const uint64_t mask = UINT64_MAX >> (64 - 8 * s->problem.element_size);
    uint64_t sum = 0;
    for (uint64_t k = 0; k < n; k++)
        sum += judge_term(s, k);
    cumsum_judge_integer(s, sum_position(s), n, sum & mask, y);
}

/* A FAIL that was decided by all orders, at a place between their results. */
static bool is_closer(const judge_state *s, const rule_result *r, uint64_t y) {
    const binary_format *f = judge_format(s);
    return r->verdict == CUMSUM_VERDICT_FAIL && r->decided && !rule_is_special(&s->exact) &&
           !format_is_nan(f, y) && cumsum_rule_within(f, y, r->lower, r->upper);
}

/* Rounded up. */
static unsigned log2_of(uint64_t terms) {
    return terms ? bits_of_count(terms - 1) : 0;
}

static void judge_float_sum(judge_state *s) {
    const uint64_t position = sum_position(s), y = judge_actual(s, position);
    const binary_format *f = judge_format(s);
    const rule_result r = cumsum_judge_exactly(s, position);
    s->closer += is_closer(s, &r, y);
    if (r.verdict == CUMSUM_VERDICT_EXACT || r.verdict >= CUMSUM_VERDICT_MAY_OVERFLOW)
        return;
    if (format_is_finite(f, y))
        cumsum_judge_rate_exactly(s, position, y, log2_of(s->exact.terms));
    else
        cumsum_judge_overflow(s, position, y);
}

void cumsum_judge_sum(judge_state *s) {
    if (judge_overwritten(s, 0))
        return;
    if (judge_format(s))
        judge_float_sum(s);
    else
        judge_integer_sum(s);
}

/* ---- Doubt ---- */

/* More than the relative error of anything that is computed here. */
#define SUM_MARGIN (1 + 0x1p-30)

/* May terms or sums have been flushed? Without a profile a device that does returns no subnormal.
 */
static bool sum_may_flush(const judge_state *s, const binary_format *f, uint64_t y) {
    if (s->how.profile)
        return cumsum_rule_may_flush(&s->exact, s->how.profile);
    return f->precision >= 24 && !format_is_subnormal(f, y);
}

doubt_of_line cumsum_doubt_sum(judge_state *s, const doubt_arithmetic *how) {
    const uint64_t n = s->problem.line_length, position = sum_position(s);
    const binary_format *f = judge_format(s);
    doubt_of_line found = {.position = position};
    if ((double)n * how->unit < 0.25 || judge_overwritten(s, 0))
        return found;
    const uint64_t y = judge_actual(s, position);
    cumsum_judge_catch_up(s, position);
    const exact_prefix *p = &s->exact;
    const double roundings =
        (double)cumsum_exact_prefix_roundings(p, how->sums.accumulator->precision);
    if (roundings * how->unit < 0.25 || rule_is_special(p) || !format_is_finite(f, y))
        return found;
    const double stored = how->stored ? format_gap(f, y) : 0;
    const double places = sum_may_flush(s, f, y) ? 2 * (double)p->nonzero - 1 : 0;
    const wide distance = cumsum_rule_distance(p, y);
    const double error = cumsum_wide_value(&distance, f->quantum);
    const double growth = exp(roundings * how->unit) * SUM_MARGIN;
    const double flushed = format_least_normal(f) * places * growth;
    const double magnitude = cumsum_wide_value(&p->magnitude, f->quantum);
    const double balanced = 2 * (double)log2_of(n) * how->unit * magnitude * SUM_MARGIN;
    if (how->saturates && magnitude * growth >= format_largest(how->sums.accumulator))
        return found; /* a sum may have stopped at the largest number */
    if (error - stored - flushed <= balanced)
        return found;
    const double sum = cumsum_wide_value(&p->sum, f->quantum);
    found.shown.reason = CUMSUM_DOUBT_NOTHING_KNOWN;
    found.shown.model = how->model;
    found.shown.terms = n;
    found.shown.error = format_value(f, y) < sum ? -error : error;
    found.shown.bound = balanced;
    return found;
}
