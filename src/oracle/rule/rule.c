/* SPDX-License-Identifier: MIT */
/*
 * Verdict 1: each allowed row is asked whether its arithmetic explains the output, and the first
 * one that does is the verdict. Of a few terms every order is tried, of one sequence of additions
 * the least and the greatest sum are known, and longer prefixes have an interval that every order
 * keeps to. What no row explains may still be a more precise sum, or come from an overflow on the
 * way (docs/oracle.md, "Verdict 1").
 *
 * Invariant: nothing here is rounded except an output, once.
 */
#include "rule.h"

typedef enum row_answer {
    ROW_FAILS,
    ROW_WIDER,   /* no sum of the row, but a more precise one */
    ROW_UNKNOWN, /* an overflow on the way cannot be ruled out, or its result is not specified */
    ROW_FITS
} row_answer;

/* An output, and what its rows have in common. */
typedef struct question {
    const exact_prefix *p;
    uint64_t y;
    const rule_options *how;
    rule_result result;
    bool summed;          /* the following are those of all rows with a store of their own */
    reach_answer reached; /* of a short prefix */
    rule_range sums;      /* of a longer one */
} question;

/* Does the question have the sums of this row? If not, the caller fills them in. */
static bool has_sums(question *q, const arithmetic *sums) {
    const bool stored = sums->store != STORE_AS_ROUNDED, known = q->summed && stored;
    q->summed = stored;
    return known;
}

static bool is_sequence(const rule_options *how) {
    return how->profile && how->profile->order == CUMSUM_ALLOWED_SEQUENTIAL;
}

/* One sequence with an infinity or a NaN among the terms. An infinity stays, unless it meets the
 * other one, which the sum before it has become; more precise sums need not become one. */
static void follow_special(const exact_prefix *p, uint64_t y, const rule_options *how,
                           rule_result *r) {
    const bool nan = format_is_nan(p->format, y), is_nan = isnan(p->sequence.low);
    const bool expected = nan ? format_is_nan(p->format, r->expected) : y == r->expected;
    if (is_nan)
        r->lower = r->upper = r->expected =
            p->format->infinity | (UINT64_C(1) << (p->format->precision - 2));
    if (nan ? p->sequence.may_be_nan : expected && !is_nan)
        r->verdict = expected ? CUMSUM_VERDICT_EXACT : CUMSUM_VERDICT_CONFORMANT;
    else if (expected && how->profile->wider_allowed)
        r->verdict = CUMSUM_VERDICT_WIDER;
    if (r->verdict != CUMSUM_VERDICT_FAIL)
        r->models = how->allowed;
}

/* Is the verdict known, since terms are special? Only an infinity may become something else, and
 * only NaN. */
static bool begin_special(const exact_prefix *p, uint64_t y, const rule_options *how,
                          rule_result *r) {
    const binary_format *f = p->format;
    if (how->profile && how->profile->specials_absent) {
        r->verdict = CUMSUM_VERDICT_MAY_OVERFLOW;
        r->models = how->allowed;
        return true;
    }
    if (is_sequence(how)) {
        follow_special(p, y, how, r);
        return true;
    }
    if (y == r->expected || (format_is_nan(f, y) && format_is_nan(f, r->expected))) {
        r->verdict = CUMSUM_VERDICT_EXACT;
        r->models = how->allowed;
        return true;
    }
    return format_is_nan(f, r->expected) || !format_is_nan(f, y);
}

/* Starts a result: no model fits, and the interval is the expected value. Returns true if the
 * verdict is then known: the prefix contains a NaN or an infinity and y is the expected one, or y
 * is -0 and must not be. */
static bool begin(const exact_prefix *p, uint64_t y, const rule_options *how, rule_result *result) {
    const uint64_t expected = cumsum_rule_expected(p);
    *result = (rule_result){
        .verdict = CUMSUM_VERDICT_FAIL, .expected = expected, .lower = expected, .upper = expected};
    if (how->strict_zero && y == p->format->sign)
        return true;
    return rule_is_special(p) && begin_special(p, y, how, result);
}

/* The accepted interval: that of a profile, or what S and all models give. A model that flushes is
 * left out. */
static void show(question *q, const arithmetic *sums, rule_range range) {
    const binary_format *f = q->p->format;
    rule_result *r = &q->result;
    if (sums->all_or_none)
        return;
    if (q->how->profile || format_rank(f, range.lower) < format_rank(f, r->lower))
        r->lower = range.lower;
    if (q->how->profile || format_rank(f, range.upper) > format_rank(f, r->upper))
        r->upper = range.upper;
}

/* The least and the greatest sum of all orders, which are numbers of the type where there is no
 * store. */
static void show_reached(question *q, const arithmetic *sums) {
    const reach_answer *all = &q->reached;
    const binary_format *f = sums->store == STORE_AS_ROUNDED ? q->p->format : sums->accumulator;
    if (all->lower > all->upper)
        return;
    const rule_range range = {cumsum_round_sum(f, all->lower, 0, TO_NEAREST),
                              cumsum_round_sum(f, all->upper, 0, TO_NEAREST)};
    show(q, sums, sums->store == STORE_AS_ROUNDED ? range : cumsum_rule_stored(q->p, sums, range));
}

/* Every order of a short prefix. False if there were too many values. */
static bool try_every_order(question *q, const arithmetic *sums, row_answer *answer) {
    const int store = sums->store == STORE_AS_ROUNDED ? 0 : arithmetic_half_store(sums);
    bool complete = true;
    if (!has_sums(q, sums))
        q->reached = rule_reach(q->p, q->y, q->how, sums);
    *answer = ROW_FAILS;
    if (!q->reached.complete)
        return false;
    if (sums->specials_absent && q->reached.infinite) {
        *answer = ROW_UNKNOWN;
    } else if (q->reached.found & 1u << store) {
        *answer = ROW_FITS;
    } else if (!rule_is_special(q->p)) {
        show_reached(q, sums);
        if (q->how->profile && cumsum_is_wider(q->p, q->y, q->how, &complete))
            *answer = ROW_WIDER;
    }
    return complete;
}

/* One sequence of additions: the least and the greatest sum are known for every length. */
static row_answer try_sequence(question *q, const arithmetic *sums) {
    const exact_prefix *p = q->p;
    const binary_format *f = p->format;
    const rule_range range = {
        cumsum_round_sum(f, p->sequence.low, 0, rounding_end(sums->rounding, false)),
        cumsum_round_sum(f, p->sequence.high, 0, rounding_end(sums->rounding, true))};
    const bool finite = format_is_finite(f, range.lower) && format_is_finite(f, range.upper);
    show(q, sums, range);
    if (sums->specials_absent && (p->sequence.infinite || !finite))
        return ROW_UNKNOWN;
    if (format_is_nan(f, q->y))
        return ROW_FAILS;
    if (cumsum_rule_in_range(p, sums, q->y, range))
        return ROW_FITS;
    return cumsum_may_be_wider(p, q->y, sums, range) ? ROW_WIDER : ROW_FAILS;
}

/* Does the prefix have, or may a partial sum be, an infinity? */
static bool may_be_special(const exact_prefix *p, const arithmetic *sums, rule_range range) {
    return rule_is_special(p) || !format_is_finite(p->format, range.lower) ||
           !format_is_finite(p->format, range.upper) ||
           (sums->rounding != CUMSUM_ROUNDING_TOWARD_ZERO && rule_sums_may_overflow(p, sums));
}

/* Is a finite y what is left where sums on the way have stopped at the largest number? */
static bool is_saturated(const exact_prefix *p, const arithmetic *sums, uint64_t y) {
    return sums->rounding != CUMSUM_ROUNDING_NEAREST && !sums->overflows &&
           rule_sums_may_overflow(p, sums) && cumsum_rule_within_saturated(p, sums, y);
}

/* The bounds of a longer prefix. */
static row_answer try_bounds(question *q, const arithmetic *sums) {
    const exact_prefix *p = q->p;
    const bool special = rule_is_special(p), finite = format_is_finite(p->format, q->y);
    rule_range range = {q->result.expected, q->result.expected};
    if (!special) {
        if (!has_sums(q, sums))
            q->sums = cumsum_rule_interval(p, sums);
        range = cumsum_rule_stored(p, sums, q->sums);
    }
    if (q->how->profile || sums->rounding == CUMSUM_ROUNDING_NEAREST)
        show(q, sums, range); /* of models that truncate it would say little */
    if (sums->specials_absent && may_be_special(p, sums, range))
        return ROW_UNKNOWN;
    const bool number = sums->overflows ? finite : !format_is_nan(p->format, q->y);
    if (!special && number && cumsum_rule_in_range(p, sums, q->y, range))
        return ROW_FITS;
    if (!finite)
        return cumsum_rule_may_overflow(p, sums, q->y) ? ROW_UNKNOWN : ROW_FAILS;
    if (!special && is_saturated(p, sums, q->y))
        return ROW_FITS;
    return q->how->profile && cumsum_may_be_wider(p, q->y, sums, range) ? ROW_WIDER : ROW_FAILS;
}

/* A device that flushes returns no subnormal, if the row says so. */
static bool may_return(const question *q, const arithmetic *sums) {
    return !sums->all_or_none ||
           (cumsum_rule_may_flush(q->p, sums) && !format_is_subnormal(q->p->format, q->y));
}

static row_answer try_row(question *q, const arithmetic *sums) {
    row_answer answer;
    if (!may_return(q, sums))
        return ROW_FAILS;
    if (rule_is_short(q->p, q->how)) {
        if (try_every_order(q, sums, &answer))
            return answer;
        q->result.decided = false;
    }
    return is_sequence(q->how) ? try_sequence(q, sums) : try_bounds(q, sums);
}

/* The models that a row stands for, of those that nothing is known of. */
static uint32_t models_of_row(const question *q, const rule_row *row, uint32_t known) {
    return (MODEL(row->verdict) | row->also) & q->how->allowed & ~known;
}

static void try_rows(question *q, const rule_rows *table) {
    rule_result *r = &q->result;
    uint32_t models[ROW_FITS + 1] = {0}, known = 0;
    for (unsigned i = 0; i < table->count; i++) {
        const rule_row *row = &table->rows[i];
        if (!models_of_row(q, row, known))
            continue;
        const row_answer answer = try_row(q, row->sums);
        models[answer] |= models_of_row(q, row, known);
        if (answer != ROW_FAILS)
            known |= MODEL(row->verdict) | row->also;
    }
    if (!known && !q->how->profile && rule_is_short(q->p, q->how) && !rule_is_special(q->p))
        models[ROW_WIDER] = cumsum_wider_models(q->p, q->y, q->how);
    r->models = models[ROW_FITS] | models[ROW_UNKNOWN];
    if (models[ROW_FITS])
        r->verdict = rule_first_model(models[ROW_FITS]);
    else if (r->models)
        r->verdict = CUMSUM_VERDICT_MAY_OVERFLOW;
    else if (models[ROW_WIDER])
        r->verdict = CUMSUM_VERDICT_WIDER;
    if (!r->models)
        r->models = models[ROW_WIDER];
}

rule_result cumsum_rule(const exact_prefix *p, uint64_t y, const rule_options *how) {
    question q = {.p = p, .y = y, .how = how};
    const rule_rows profile = rule_rows_of_profile(how->profile);
    if (begin(p, y, how, &q.result))
        return q.result;
    q.result.decided = rule_is_short(p, how);
    try_rows(&q, how->profile ? &profile : rule_rows_of(p->format));
    return q.result;
}
