/* SPDX-License-Identifier: MIT */
/*
 * Does an order give a line? This code compares one output after the other, for every format, order
 * and arithmetic: docs/oracle.md, "Verdict 3". For sequential orders it keeps a running sum; other
 * orders scan the line in memory (order_scan.h).
 */
#include "order_run.h"

#include <float.h>
#include <math.h>

#include "order_scan.h"

double cumsum_order_add(double a, double b, order_rounding how) {
    return order_add(a, b, how);
}

/* Replaces a subnormal by a zero of its sign if the arithmetic flushes. */
static uint64_t flushed_bits(const order_run *r, uint64_t bits) {
    return r->match.denormals == CUMSUM_DENORMALS_FLUSH && format_is_subnormal(r->format, bits)
               ? bits & r->format->sign
               : bits;
}

static uint64_t term_bits(const order_run *r, uint64_t position) {
    return flushed_bits(r, judge_term(r->state, position));
}

static double term(const order_run *r, uint64_t position) {
    return format_value(r->format, term_bits(r, position));
}

/* The output as which the device stores its running sum. */
static uint64_t output_bits(const order_run *r, double sum) {
    if (!judge_is_16_bit(r->state))
        return format_bits(r->format, sum);
    if (isnan(sum))
        return r->format->infinity | 1;
    bool narrow = r->match.half_accumulator == CUMSUM_HALF_ACCUMULATOR_FLOAT16;
    return half_store(r->format, binary32_bits((float)sum),
                      narrow ? CUMSUM_HALF_STORE_IEEE : (int)r->match.half_store);
}

/* Different bits are accepted if they are two NaNs, or two zeros, or if no verdict is possible. */
static bool counts_as_same(const order_run *r, uint64_t position, uint64_t y, uint64_t expected) {
    const judge_state *s = r->state;
    uint64_t sign = r->format->sign;
    return cumsum_same_bits(s->problem.type, y, expected) ||
           (!s->options.strict_zero && ((y | expected) & ~sign) == 0) ||
           judge_overwritten(s, position);
}

/* Counts an output that differs. False if there are too many. */
static bool near_miss(order_run *r, uint64_t position, uint64_t y, uint64_t expected) {
    const judge_state *s = r->state;
    cumsum_near_order *near = r->near;
    uint32_t coordinates[CUMSUM_MAX_DIMENSIONS] = {0};
    if (!near)
        return false;
    const uint64_t seen = s->line * s->problem.line_length + position + 1;
    const uint64_t index = cumsum_judge_place(s, position, coordinates);
    if (near->differing++ == 0 || index < r->first_index) {
        memcpy(near->coordinates, coordinates, sizeof coordinates);
        near->expected_bits = expected;
        near->actual_bits = y;
        r->first_index = index;
    }
    return near->differing <= r->most && near->differing <= seen / ORDER_TENTH + ORDER_LEEWAY;
}

/* Of a sum only the last output of its line is one. */
static inline bool matches(order_run *r, uint64_t position, uint64_t expected) {
    if (r->state->sums && position + 1 < r->state->problem.line_length)
        return true;
    uint64_t y = judge_actual(r->state, position);
    return y == expected || counts_as_same(r, position, y, expected) ||
           near_miss(r, position, y, expected);
}

static order_rounding rounding_of(const order_run *r) {
    bool narrow = r->match.half_accumulator == CUMSUM_HALF_ACCUMULATOR_FLOAT16;
    return (order_rounding){.format =
                                judge_is_16_bit(r->state) && !narrow ? &binary32_format : r->format,
                            .flush = r->match.denormals == CUMSUM_DENORMALS_FLUSH};
}

static bool sequential_matches(order_run *r) {
    const cumsum_problem *p = &r->state->problem;
    const order_rounding how = rounding_of(r);
    double sum = 0;
    for (uint64_t k = 0; k < p->line_length; k++) {
        double before = sum;
        sum = cumsum_order_add(sum, term(r, k), how);
        if (!matches(r, k, output_bits(r, p->exclusive ? before : sum)))
            return false;
    }
    return true;
}

/*
 * Sequential FLOAT32 and FLOAT64 outputs certify themselves: y[k] == fl(y[k - 1] + x[k]) for all k.
 * No addition waits for the one before it, so this is a fast test for the order of most devices. It
 * is the same test although y[k - 1] may differ from the expected output in the sign of a zero or
 * the payload of a NaN: a sum shows the sign of a zero only in -0 + -0, which is again a zero, and
 * a payload only in another NaN.
 */
static bool certifies_itself(order_run *r) {
    const judge_state *s = r->state;
    const cumsum_problem *p = &s->problem;
    if (p->exclusive && !matches(r, 0, 0))
        return false;
    double before = 0;
    for (uint64_t k = p->exclusive, end = p->line_length; k < end; k++) {
        uint64_t x = judge_term(s, k - p->exclusive), y = judge_actual(s, k);
        uint64_t sum = format_bits(r->format, before + format_value(r->format, x));
        if (sum != y && !counts_as_same(r, k, y, sum))
            return false;
        before = format_value(r->format, y);
    }
    return true;
}

/* An overwritten output cannot stand for the running sum before the next element. */
static bool may_certify_itself(const order_run *r) {
    return !r->near && !r->state->sums && !judge_is_16_bit(r->state) &&
           r->match.denormals == CUMSUM_DENORMALS_PRESERVE && !r->state->last_writer;
}

/* A binary64 accumulator, each output rounded from it. */
static bool binary64_matches(order_run *r) {
    const cumsum_problem *p = &r->state->problem;
    double sum = 0;
    for (uint64_t k = 0; k < p->line_length; k++) {
        double before = sum;
        sum += term(r, k);
        if (!matches(r, k, output_bits(r, p->exclusive ? before : sum)))
            return false;
    }
    return true;
}

/* The exact sum, rounded once; NaN and infinities as IEEE 754 adds them. */
static uint64_t exact_bits(const order_run *r, const exact_prefix *p) {
    const binary_format *f = p->format;
    if (p->nan || (p->positive_infinity && p->negative_infinity))
        return f->infinity | 1;
    if (p->positive_infinity || p->negative_infinity)
        return f->infinity | (p->negative_infinity ? f->sign : 0);
    return flushed_bits(r, cumsum_exact_prefix_round(p));
}

static bool exact_matches(order_run *r) {
    const cumsum_problem *p = &r->state->problem;
    exact_prefix prefix = exact_prefix_empty(r->format);
    for (uint64_t k = 0; k < p->line_length; k++) {
        if (p->exclusive && !matches(r, k, exact_bits(r, &prefix)))
            return false;
        cumsum_exact_prefix_add(&prefix, term_bits(r, k));
        if (r->state->sums && k + 1 < p->line_length)
            continue;
        if (!p->exclusive && !matches(r, k, exact_bits(r, &prefix)))
            return false;
    }
    return true;
}

/* Terms as orders in memory take them: +0 is added, so that zeros are as those of a sum that begins
 * at +0. */
static void scanned_terms(order_run *r, uint64_t from, uint64_t n) {
    for (uint64_t k = from; k < n; k++)
        r->line[k - from] = term(r, k) + 0;
}

uint64_t cumsum_order_goes_on(order_run *r, uint64_t from, const double *first, uint64_t n) {
    scanned_terms(r, from, n);
    cumsum_order_scan_behind(order_levels(&r->match), first, r->line, n - from,
                             r->state->problem.exclusive, r->scratch, rounding_of(r));
    for (uint64_t k = from; k < n; k++)
        if (!matches(r, k, output_bits(r, r->line[k - from])))
            return k;
    return n;
}

uint64_t cumsum_order_begins(order_run *r, uint64_t n) {
    return cumsum_order_goes_on(r, 0, NULL, n);
}

uint64_t cumsum_order_unit_totals(order_run *r, const cumsum_composed_order *order, uint64_t n) {
    scanned_terms(r, 0, n);
    return cumsum_order_totals(order, r->line, n, r->scratch, rounding_of(r));
}

/* An output depends on no element behind it. So a few outputs are tried first, which another order
 * seldom gives. Those that differ are counted anew each time. */
static bool scan_matches(order_run *r) {
    const uint64_t n = r->state->problem.line_length;
    const cumsum_near_order before = r->near ? *r->near : (cumsum_near_order){0};
    const uint64_t first_index = r->first_index;
    for (uint64_t part = 64; part < n && !r->state->slowly; part *= 4) {
        if (cumsum_order_begins(r, part) < part)
            return false;
        if (r->near)
            *r->near = before;
        r->first_index = first_index;
    }
    return cumsum_order_begins(r, n) == n;
}

bool cumsum_order_each(order_run *r) {
    switch (r->match.order) {
    case CUMSUM_NAMED_SEQUENTIAL:
        return may_certify_itself(r) ? certifies_itself(r) : sequential_matches(r);
    case CUMSUM_NAMED_SEQUENTIAL_BINARY64:
        return binary64_matches(r);
    case CUMSUM_NAMED_EXACT:
        return exact_matches(r);
    default:
        return r->line && scan_matches(r);
    }
}
