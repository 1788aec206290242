/* SPDX-License-Identifier: MIT */
/*
 * What a judgement would have found: docs/oracle.md, "Power". It is a formula of A and R, which are
 * summed here in binary64. The bounds of verdict 1 and of doubt grow along a line, so those of the
 * last output count.
 *
 * Invariant: a fault of at least the size that is given makes an output FAIL or SUSPECT. So each
 * rule counts with twice its bound, once for the fault and once for the error that the output had
 * before it. And every model counts that is allowed: with the fault another one may fit.
 */
#include <math.h>

#include "doubt_scan.h"
#include "judge_steps.h"

/* All terms of a line, up to an infinity or a NaN. */
typedef struct power_line {
    uint64_t terms; /* m */
    double nonzero; /* n: r is less */
    double magnitude;
    double range;
    double least; /* the least magnitude other than 0 */
    bool exact;   /* no order rounds in the type itself: every sum is a number of it, and stored */
} power_line;

/* Of up to 2^32 terms A is wrong by 2^-21 of it, and R by 2^-20: each prefix sum is a sum of
 * neighbours. ROUND_UP covers that. */
static power_line sum_power_line(const judge_state *s) {
    const binary_format *f = judge_format(s);
    const uint64_t end = s->problem.line_length - s->problem.exclusive;
    power_line p = {.exact = true, .least = INFINITY};
    double sum = 0, lowest = INFINITY;
    sum_range range = {0};
    for (uint64_t k = 0; k < end; k++, p.terms++) {
        const uint64_t bits = judge_term(s, k);
        if (!format_is_finite(f, bits))
            break;
        const double value = format_value(f, bits), before = p.magnitude;
        if (value == 0)
            continue;
        sum += value;
        range_widen(&range, sum);
        p.magnitude += fabs(value);
        p.least = fabs(value) < p.least ? fabs(value) : p.least;
        p.nonzero++;
        if (p.exact) { /* what is added to 2^53 units may be lost */
            lowest = fmin(lowest, format_lowest_bit(f, bits));
            const double most = lowest / f->unit_roundoff;
            p.exact = before < most && p.magnitude <= most;
        }
    }
    p.range = range_size(&range);
    return p;
}

/* What stores and flushing take off: 2 outputs, before and after the fault, and its rounding. Of
 * terms that have no bit below the smallest normal number nothing is flushed. */
static double store_power(const judge_state *s, const power_line *p, const doubt_arithmetic *how) {
    static const double gaps[] = {[DOUBT_STORE_NONE] = 0,
                                  [DOUBT_STORE_NEAREST] = 3,
                                  [DOUBT_STORE_ZERO] = 6,
                                  [DOUBT_STORE_EITHER] = 6};
    const binary_format *f = judge_format(s);
    const bool may_flush = s->how.profile ? arithmetic_flushes(s->how.profile) : f->precision >= 24;
    const double gap = 2 * f->unit_roundoff * p->range + ldexp(1, f->quantum);
    const double w = format_least_normal(f);
    const double flushed = 4 * p->nonzero * w * exp(p->nonzero * how->unit);
    if (isinf(p->range)) /* the sums are beyond binary64, and nothing is promised */
        return INFINITY;
    return gaps[how->store] * gap + (may_flush && p->least < w / f->unit_roundoff ? flushed : 0);
}

/* Only a jump that makes the error larger counts. Twice the greatest error of the outputs is
 * enough: |y - S| is at most h u A. Errors that are faults themselves do not count. */
static double own_errors(const judge_state *s, const power_line *p) {
    if (s->judgement->doubt.reason || s->judgement->counts[CUMSUM_VERDICT_FAIL])
        return 0;
    return 2 * s->judgement->h * judge_format(s)->unit_roundoff * p->magnitude;
}

/* What verdict 1, the theorem on neighbours and the rule on jumps leave to an error, where jumps
 * above j are suspect: twice, but for the output's last rounding. Nothing is doubted of sums that
 * may stop at the largest number. */
static double rules_power(const judge_state *s, const power_line *p, const doubt_arithmetic *how,
                          double j) {
    const double errors = p->nonzero * how->unit, growth = expm1(errors);
    const bool stops =
        how->saturates && !(p->range * (1 + growth) * ROUND_UP < format_largest(how->accumulator));
    const double any = 2 * errors * p->magnitude, neighbours = 2 * growth * p->range;
    const double jump = (DOUBT_JUMP + j + 1) * how->unit * p->range * bits_of_count(p->terms);
    return s->options.no_doubt || stops ? any
                                        : fmin(any, fmin(neighbours, jump + own_errors(s, p)));
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
    cumsum_judge_start_line(s, line);
    const power_line p = sum_power_line(s);
    power->exact = power->exact && p.exact;
    for (unsigned i = 0; i < count && !p.exact; i++) {
        const double store = store_power(s, &p, &list[i]);
        const double term = rules_power(s, &p, &list[i], DOUBT_JUMP) + store;
        const double carry = rules_power(s, &p, &list[i], DOUBT_SEAM_JUMP) + store;
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

cumsum_status cumsum_judge_power(judge_state *s) {
    cumsum_power *power = &s->judgement->power;
    cumsum_status status = CUMSUM_OK;
    *power = (cumsum_power){.known = true, .exact = true};
    if (judge_format(s))
        status =
            cumsum_judge_share_lines(s, sizeof(power_share), add_power_lines, append_power, NULL);
    /* A line whose jumps come at a regular distance may hide a term that is lost there. */
    if (s->judgement->doubt.seam)
        power->lost_term = power->lost_carry;
    return status;
}
