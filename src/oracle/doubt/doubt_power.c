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
#include <stdlib.h>

#include "doubt_line.h"
#include "fast_choice.h"
#include "fast_terms.h"
#include "judge_steps.h"
#include "line_sum.h"

/* All terms of a line. */
typedef struct power_line {
    line_sum l; /* without the sums: `t` has them */
    double few[REACH_MOST];
    fast_terms t;
    double range; /* R, or more */
    bool tiny;    /* a term has a bit below the smallest normal number */
} power_line;

static double larger_of(double a, double b) {
    return a > b ? a : b;
}

/* The terms of a block, one by one, up to an infinity or a NaN. */
static void add_power_terms(const judge_state *s, power_line *p, uint64_t first, uint64_t end) {
    const binary_format *f = judge_format(s);
    for (uint64_t k = first; k < end && !p->l.special; k++) {
        const uint64_t bits = judge_term(s, k);
        line_sum_add(&p->l, f, bits, format_value(f, bits));
        if (p->l.special)
            return;
        p->tiny |= doubt_is_tiny(f, bits);
        p->t.sum += format_value(f, bits);
        p->t.top = larger_of(p->t.top, p->t.sum);
        p->t.bottom = p->t.sum < p->t.bottom ? p->t.sum : p->t.bottom;
    }
}

/* Adds the block that is loaded. False, and nothing has changed, if it has to be looked at term by
 * term: it may be the first in which an addition rounds, or have a bit below the normal numbers. */
static bool add_power_block(const binary_format *f, power_line *p) {
    const binary_format *accumulator = f->precision == 53 ? &binary64_format : &binary32_format;
    const double least = format_least_normal(f) / f->unit_roundoff;
    const double sum = p->t.sum, top = p->t.top, bottom = p->t.bottom;
    line_sum l = p->l;
    /* A term that is a multiple of the lowest bit so far, and below 2^51 of it, is on this grid. */
    FAST(cumsum_terms_add, &p->t, l.rounds ? 0 : 0x1.8p52 * l.lowest, p->tiny ? 0 : least);
    line_sum_count(&l, p->t.count);
    l.nonzero += p->t.nonzero;
    l.magnitude += p->t.total;
    if (!l.rounds)
        l.largest = larger_of(l.largest, p->t.largest);
    const bool may_round = !l.rounds && (p->t.off_grid || p->t.largest > 0x1p51 * l.lowest ||
                                         line_sum_may_round(&l, accumulator));
    const bool added = !p->t.special && !p->t.small && !may_round;
    if (added) {
        p->l = l;
    } else {
        p->t.sum = sum;
        p->t.top = top;
        p->t.bottom = bottom;
    }
    return added;
}

static void sum_power_line(const judge_state *s, power_line *p) {
    const binary_format *f = judge_format(s);
    const uint64_t terms = s->problem.line_length - s->problem.exclusive;
    p->tiny = f->precision < 24; /* narrow types: assumed, and not searched for */
    p->l = line_sum_empty(p->few);
    p->t.sum = p->t.top = p->t.bottom = 0;
    for (uint64_t k = 0; k < terms && !p->l.special; k += TERMS_BLOCK) {
        const uint64_t end = terms - k < TERMS_BLOCK ? terms : k + TERMS_BLOCK;
        if (k > 0)
            FAST(cumsum_terms_load, &p->t, s->line_input + s->input_step * (int64_t)k,
                 s->input_step, (size_t)(end - k), f->precision);
        if (k == 0 || !add_power_block(f, p))
            add_power_terms(s, p, k, end);
    }
    /* Sums of neighbours in binary64 are within R ((1 + 2^-53)^n - 1) of the exact ones. */
    p->range = (p->t.top - p->t.bottom) * (1 + (double)p->l.nonzero * 0x1p-51) * ROUND_UP;
}

/* Twice what verdict 1 and the theorem on neighbours leave to an error. */
static double bound_power(const power_line *p, const doubt_arithmetic *how) {
    /* Of a line that rounds not all terms are known from which the heavy ones follow. */
    const uint64_t heavy = p->l.rounds ? 2 : line_sum_heavy(&p->l, how->accumulator);
    const double roundings = (double)(p->l.nonzero + 1 - heavy) + 1;
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
        return (how->store == DOUBT_STORE_NEAREST ? 3 : 6) * gap;
    const double flushed = 4 * (double)p->l.nonzero * format_least_normal(f) *
                           (1 + expm1((double)p->l.nonzero * how->unit));
    const bool may_flush = s->how.profile ? arithmetic_flushes(s->how.profile) : f->precision >= 24;
    return may_flush && p->tiny ? flushed : 0;
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

/* Lines that a thread looks at, and what it finds. */
typedef struct power_share {
    judge_state state;
    uint64_t first;
    uint64_t end;
    cumsum_power power;
} power_share;

static void add_power_line(power_share *mine, uint64_t line) {
    judge_state *s = &mine->state;
    const uint32_t models = s->judgement->models ? s->judgement->models : s->how.allowed;
    power_line p;
    doubt_arithmetic list[DOUBT_MOST_ARITHMETICS];
    const unsigned count = cumsum_doubt_arithmetics(s, models, list);
    cumsum_judge_start_line(s, line);
    sum_power_line(s, &p);
    if (power_is_exact(s, &p))
        return;
    mine->power.exact = false;
    for (unsigned i = 0; i < count; i++)
        add_line_power(s, &p, &list[i], &mine->power);
}

static void add_power_lines(void *context, size_t share) {
    power_share *mine = (power_share *)context + share;
    for (uint64_t line = mine->first; line < mine->end; line++)
        add_power_line(mine, line);
}

cumsum_status cumsum_judge_power(judge_state *s) {
    cumsum_power *power = &s->judgement->power;
    const uint64_t count = cumsum_judge_shares(s);
    *power = (cumsum_power){.known = true, .exact = true};
    if (!judge_format(s))
        return CUMSUM_OK;
    power_share *shares = malloc((size_t)count * sizeof *shares);
    if (!shares)
        return CUMSUM_OUT_OF_MEMORY;
    for (uint64_t i = 0; i < count; i++) {
        judge_share_state(s, i, &shares[i].state);
        shares[i].first = judge_share_first(s, count, i);
        shares[i].end = judge_share_first(s, count, i + 1);
        shares[i].power = *power;
        shares[i].state.staged.input_only = true;
    }
    cumsum_judge_in_shares(s, count, add_power_lines, shares);
    for (uint64_t i = 0; i < count; i++) {
        power->exact &= shares[i].power.exact;
        power->lost_term = larger_of(power->lost_term, shares[i].power.lost_term);
        power->lost_carry = larger_of(power->lost_carry, shares[i].power.lost_carry);
    }
    free(shares);
    /* A line whose jumps come at a regular distance may hide a term that is lost there. */
    if (s->judgement->doubt.seam)
        power->lost_term = power->lost_carry;
    return CUMSUM_OK;
}
