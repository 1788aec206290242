/* SPDX-License-Identifier: MIT */
/*
 * What a judgement would have found: docs/oracle.md, "Power". It is a formula of A and R. The
 * bounds of verdict 1 and of doubt grow along a line, so those of the last output count.
 *
 * Invariant: a fault of at least the size that is given makes an output FAIL or SUSPECT. So each
 * rule counts with twice its bound, once for the fault and once for the error that the output had
 * before it. And every model counts that is allowed: with the fault another one may fit.
 */
#include <math.h>

#include "doubt_line.h"
#include "judge_steps.h"

/* Adds the terms of the line, up to an infinity or a NaN: A, m, n, which is more than r, and R. */
static void add_power_terms(const judge_state *s, line_progress *t) {
    const binary_format *f = judge_format(s);
    const uint64_t end = s->problem.line_length - s->problem.exclusive;
    begin_progress(t);
    for (uint64_t k = 0; k < end && format_is_finite(f, judge_term(s, k)); k++)
        doubt_add_term(t, f, judge_term(s, k));
}

/* Does no order round in the type itself, so that every sum is a number of it, and stored? */
static bool never_rounds(const line_sum *l, const binary_format *f) {
    return f->precision < 24 ? !line_sum_may_round(l, f) : !l->rounds;
}

/* What stores and flushing take off: 2 outputs, before and after the fault, and its rounding. Of
 * terms that have no bit below the smallest normal number nothing is flushed. */
static double store_power(const judge_state *s, const line_progress *t,
                          const doubt_arithmetic *how) {
    const double gaps = !how->stored ? 0 : how->store == CUMSUM_ROUNDING_NEAREST ? 3 : 6;
    const binary_format *f = judge_format(s);
    const double gap = 2 * f->unit_roundoff * range_size(&t->range) + ldexp(1, f->quantum);
    const double nonzero = (double)t->sum.nonzero, w = format_least_normal(f);
    const double flushed = 4 * nonzero * w * exp(nonzero * how->unit);
    if (isinf(t->sum.magnitude)) /* the sums may be beyond binary64, and nothing is promised */
        return INFINITY;
    return gaps * gap + (doubt_may_flush(s) && t->tiny ? flushed : 0);
}

/* Only a jump that makes the error larger counts. Twice the greatest error of the outputs is
 * enough: |y - S| is at most h u A. Errors that are faults themselves do not count. */
static double own_errors(const judge_state *s, const line_sum *l) {
    if (s->judgement->doubt.reason || s->judgement->counts[CUMSUM_VERDICT_FAIL])
        return 0;
    return 2 * s->judgement->h * judge_format(s)->unit_roundoff * l->magnitude;
}

/* What verdict 1, the theorem on neighbours and the rule on jumps leave to an error, where jumps
 * above j are suspect: twice, but for the output's last rounding. Nothing is doubted of sums that
 * may stop at the largest number. */
static double rules_power(const judge_state *s, const line_progress *t, const doubt_arithmetic *how,
                          double j) {
    const double range = range_size(&t->range);
    const double errors = (double)t->sum.nonzero * how->unit, growth = expm1(errors);
    const bool stops = how->saturates &&
                       !(range * (1 + growth) * ROUND_UP < format_largest(how->sums.accumulator));
    const double any = 2 * errors * t->sum.magnitude, neighbours = 2 * growth * range;
    const double jump = (DOUBT_JUMP + j + 1) * how->unit * range * bits_of_count(t->sum.terms);
    return s->options.no_doubt || stops
               ? any
               : fmin(any, fmin(neighbours, jump + own_errors(s, &t->sum)));
}

/* A share of the lines, and what was found in them. */
typedef struct power_share {
    judge_share lines;
    cumsum_power power;
} power_share;

static void add_power_line(power_share *mine, uint64_t line) {
    judge_state *s = &mine->lines.state;
    cumsum_power *power = &mine->power;
    doubt_arithmetic list[DOUBT_MOST_ARITHMETICS];
    const unsigned count = cumsum_doubt_arithmetics(s, s->how.allowed, list);
    line_progress t;
    cumsum_judge_start_line(s, line);
    add_power_terms(s, &t);
    const bool exact = never_rounds(&t.sum, judge_format(s));
    power->exact = power->exact && exact;
    for (unsigned i = 0; i < count && !exact; i++) {
        const double store = store_power(s, &t, &list[i]);
        const double term = rules_power(s, &t, &list[i], DOUBT_JUMP) + store;
        const double carry = rules_power(s, &t, &list[i], DOUBT_SEAM_JUMP) + store;
        power->lost_term = fmax(power->lost_term, term * ROUND_UP);
        power->lost_carry = fmax(power->lost_carry, carry * ROUND_UP);
    }
}

static void add_power_lines(judge_share *lines) {
    power_share *mine = (power_share *)lines;
    mine->power.exact = true;
    lines->state.staged.input_only = true;
    for (uint64_t line = lines->first; line < lines->end; line++)
        add_power_line(mine, line);
}

static void append_power(judge_state *s, const judge_share *lines) {
    const cumsum_power *found = &((const power_share *)lines)->power;
    cumsum_power *power = &s->judgement->power;
    power->exact &= found->exact;
    power->lost_term = fmax(power->lost_term, found->lost_term);
    power->lost_carry = fmax(power->lost_carry, found->lost_carry);
}

void cumsum_judge_power(judge_state *s) {
    cumsum_power *power = &s->judgement->power;
    *power = (cumsum_power){.known = true, .exact = true};
    if (judge_format(s))
        cumsum_judge_share_lines(s, sizeof(power_share), add_power_lines, append_power, NULL);
    /* A line whose jumps come at a regular distance may hide a term that is lost there. */
    if (s->judgement->doubt.seam)
        power->lost_term = power->lost_carry;
}
