/* SPDX-License-Identifier: MIT */
/*
 * What a judgement would have found: docs/oracle.md, "Power". It follows from the input, the models
 * and h. The bounds of verdict 1 and of doubt grow along a line, so those of the last output
 * count.
 *
 * Invariant: a fault of at least the size that is given makes an output FAIL or DOUBTFUL. So each
 * rule counts with twice its bound, once for the fault and once for the error that the output had
 * before it.
 */
#include <math.h>

#include "doubt_line.h"
#include "judge_steps.h"
#include "line_sum.h"

/* All terms of a line. */
typedef struct power_line {
    line_sum l;
    double few[REACH_MOST];
    double range; /* R, or more */
    bool tiny;    /* a term has a bit below the smallest normal number */
} power_line;

static double larger_of(double a, double b) {
    return a > b ? a : b;
}

static void sum_power_line(const judge_state *s, power_line *p) {
    const binary_format *f = judge_format(s);
    const uint64_t terms = s->problem.line_length - s->problem.exclusive;
    double top = 0, bottom = 0;
    p->tiny = false;
    p->l = line_sum_empty(p->few);
    for (uint64_t k = 0; k < terms && !p->l.special; k++) {
        const uint64_t bits = judge_term(s, k);
        line_sum_add(&p->l, f, bits, format_value(f, bits));
        line_sum_settle(&p->l);
        p->tiny |= doubt_is_tiny(f, bits);
        top = larger_of(top, p->l.high);
        bottom = larger_of(bottom, -p->l.high);
    }
    p->range = (top + bottom + 2 * p->l.slack) * ROUND_UP;
}

/* Twice what verdict 1 and the theorem on neighbours leave to an error. */
static double bound_power(const power_line *p, const doubt_arithmetic *how) {
    const double roundings =
        (double)(p->l.nonzero + 1 - line_sum_heavy(&p->l, how->accumulator)) + 1;
    const double any = 2 * roundings * how->unit * p->l.magnitude * ROUND_UP;
    const double neighbours = 2 * expm1(roundings * how->unit) * p->range * ROUND_UP;
    return any < neighbours || how->saturates ? any : neighbours;
}

/* The same of a jump above j; one more rounding is that of the faulty output. */
static double jump_power(const power_line *p, const doubt_arithmetic *how, double j) {
    return (2 * DOUBT_JUMP + 1 + (j - DOUBT_JUMP)) * how->unit * p->range * (p->l.log2_terms + 1) *
           ROUND_UP;
}

/* Only a jump that makes the error larger counts. Twice the greatest error of the outputs is
 * enough: |y - S| is at most h u A. Errors that are faults themselves do not count. */
static double own_errors(const judge_state *s, const power_line *p) {
    if (s->judgement->doubt.reason || s->judgement->counts[CUMSUM_VERDICT_FAIL])
        return 0;
    return 2 * s->judgement->h * judge_format(s)->unit_roundoff * p->l.magnitude * ROUND_UP;
}

/* What stores and flushing take off: 2 outputs, before and after the fault, and its rounding. */
static double store_power(const judge_state *s, const power_line *p, const doubt_arithmetic *how) {
    const binary_format *f = judge_format(s);
    const double quantum = ldexp(1, f->quantum);
    const double gap = (2 * f->unit_roundoff * p->range + quantum) * ROUND_UP;
    if (how->store != DOUBT_STORE_NONE)
        return (how->store == DOUBT_STORE_ZERO ? 6 : 3) * gap;
    const double flushed = 4 * (double)p->l.nonzero * doubt_least_normal(f) *
                           (1 + expm1((double)p->l.nonzero * how->unit));
    return f->precision >= 24 && p->tiny ? flushed : 0;
}

/* Does no order round in the type itself? Then every sum is a number of it, and every store gives
 * it. */
static bool power_is_exact(const judge_state *s, const power_line *p) {
    return !line_sum_may_round(&p->l, judge_format(s));
}

static void add_line_power(const judge_state *s, const power_line *p, const doubt_arithmetic *how,
                           cumsum_power *power) {
    const bool exact = !line_sum_may_round(&p->l, how->accumulator);
    const double bound = exact ? 0 : bound_power(p, how), store = store_power(s, p, how);
    const double own = own_errors(s, p);
    const double term = exact ? 0 : jump_power(p, how, DOUBT_JUMP) + own;
    const double carry = exact ? 0 : jump_power(p, how, DOUBT_SEAM_JUMP) + own;
    const bool jumps = !how->saturates && !s->options.no_doubt;
    power->lost_term = larger_of(power->lost_term, (jumps ? fmin(bound, term) : bound) + store);
    power->lost_carry = larger_of(power->lost_carry, (jumps ? fmin(bound, carry) : bound) + store);
}

void cumsum_judge_power(judge_state *s) {
    const binary_format *f = judge_format(s);
    cumsum_power *power = &s->judgement->power;
    const uint32_t models = s->judgement->models ? s->judgement->models : s->how.allowed;
    *power = (cumsum_power){.known = true, .exact = true};
    for (uint64_t line = 0; f && line < s->problem.lines; line++) {
        power_line p;
        doubt_arithmetic list[DOUBT_MOST_ARITHMETICS];
        const unsigned count = cumsum_doubt_arithmetics(f, models, list);
        cumsum_judge_start_line(s, line);
        sum_power_line(s, &p);
        if (power_is_exact(s, &p))
            continue;
        power->exact = false;
        for (unsigned i = 0; i < count; i++)
            add_line_power(s, &p, &list[i], power);
    }
    /* A line whose jumps come at a regular distance may hide a term that is lost there. */
    if (s->judgement->doubt.seam)
        power->lost_term = power->lost_carry;
}
