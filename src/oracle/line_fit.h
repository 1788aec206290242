/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_ORACLE_LINE_FIT_H
#define CUMSUM_ORACLE_LINE_FIT_H

/*
 * The fast test of the rows of a type, by the fast sums of a line (line_sum.h): for each output it
 * sorts the rows into those that surely fit, those that surely do not, and those that it cannot
 * tell. docs/oracle.md, "Fast path".
 *
 * Invariant: a model counted as fitting fits by the rule, and one that is neither fitting nor
 * unsure does not fit. Where the rule tries every order, the test tries the likely ones.
 */

#include "compiler.h"
#include "doubt_watch.h"
#include "judge_steps.h"
#include "line_sum.h"
#include "rule.h"

/* An output and its distance from the fast sum. */
typedef struct line_output {
    uint64_t y;
    double value;
    double distance; /* |y - S|, */
    double doubt;    /* which may be wrong by so much and two roundings */
} line_output;

/* Sets of models. */
typedef struct line_fit {
    uint32_t yes;
    uint32_t unsure;
} line_fit;

/* Is y the sum of the few terms in one of the likely orders? Of three, Hillis and Steele's scan
 * adds the last two first. */
CUMSUM_ALWAYS_INLINE bool is_likely_sum(const line_sum *l, const arithmetic *how, double y) {
    const unsigned count = (unsigned)l->nonzero;
    const double *x = l->few;
    return y == cumsum_reach_in_sequence(x, count, how) ||
           (how->order != CUMSUM_ALLOWED_SEQUENTIAL && count > 2 &&
            y == (count == 3 ? arithmetic_add(x[0], arithmetic_add(x[1], x[2], how), how)
                             : cumsum_reach_in_blocks(x, count, how)));
}

/* Sums in the type itself: does y surely fit? `short_prefix` is the number of terms, if every
 * order of them is tried, or 0 where there are more. */
CUMSUM_ALWAYS_INLINE bool surely_fits(const line_sum *l, const binary_format *f,
                                      const arithmetic *sums, const line_output *o,
                                      uint64_t short_prefix) {
    const bool is_float = f->precision >= 24; /* line_sum.h keeps `rounds` for these */
    const double unit = f->unit_roundoff * (sums->rounding == CUMSUM_ROUNDING_TOWARD_ZERO ? 2 : 1);
    if (is_float ? !l->rounds : !line_sum_may_round(l, f))
        return o->distance == 0; /* every partial sum is a number of the format */
    if (is_float && short_prefix && l->nonzero < 3) /* one addition: S, correctly rounded */
        return f->precision == 53 ? o->value == l->high
                                  : l->low == 0 && o->value == (double)(float)l->high;
    if (l->nonzero <= short_prefix) /* every order is tried */
        return is_likely_sum(l, sums, o->value);
    const uint64_t heavy = is_float ? l->heavy : line_sum_heavy(l, f);
    return line_sum_in_range(l, f) &&
           o->distance <= line_sum_sure_part(l, heavy, unit) * l->magnitude - o->doubt;
}

CUMSUM_ALWAYS_INLINE int64_t stored_rank(const binary_format *f, double sum, int store) {
    return format_rank(f, half_store(f, binary32_bits((float)sum), store));
}

/* Sums of 16-bit terms in binary32. Stores are monotonic: y fits if it lies between the images of
 * the ends of an interval that the rule accepts, and can fit only if it lies between those of a
 * larger one. */
typedef struct binary32_sums {
    double sum;
    double reached; /* a sum that the device may have had; the rule accepts what S is stored as */
    double sure;    /* all sums that are so far from S are accepted */
    double most;    /* and none that are farther; 0: nothing rounds but the store */
} binary32_sums;

/* Of FLOAT16 line_sum.h keeps what r depends on, so that the two differ by one addition. */
CUMSUM_ALWAYS_INLINE binary32_sums sums_in_binary32(const line_sum *l, const binary_format *f,
                                                    uint64_t short_prefix) {
    const double sum = l->high + l->low, unit = binary32_format.unit_roundoff;
    binary32_sums b = {.sum = sum, .reached = sum};
    if (!l->rounds || l->nonzero <= 2)
        return b;
    const bool known = f->precision == 11 && l->nonzero > short_prefix;
    const uint64_t heavy = known ? line_sum_heavy(l, &binary32_format) : l->heavy;
    b.most = unit * l->magnitude * (double)(l->nonzero - (known ? heavy - 1 : 2)) * ROUND_UP;
    if (l->nonzero <= short_prefix)
        b.reached = cumsum_reach_in_sequence(l->few, (unsigned)l->nonzero, &arithmetic_binary32);
    else
        b.sure = line_sum_sure_part(l, heavy, unit) * l->magnitude;
    return b;
}

/* Does y lie between what the sums at this distance from S are stored as? */
CUMSUM_ALWAYS_INLINE bool is_stored_within(const binary_format *f, const binary32_sums *b,
                                           double distance, int store, int64_t rank) {
    return distance > 0 && stored_rank(f, b->sum - distance, store) <= rank &&
           rank <= stored_rank(f, b->sum + distance, store);
}

/* Is y, which is finite, farther from S than a store of any such sum can move it? A sum is stored
 * as the number before it, or the nearest one: less than the gap beyond y away, seen from 0. */
CUMSUM_ALWAYS_INLINE bool is_beyond_stores(const binary_format *f, const binary32_sums *b,
                                           const line_output *o) {
    return format_is_finite(f, o->y) && o->distance > (b->most + format_gap(f, o->y)) * ROUND_UP;
}

CUMSUM_ALWAYS_INLINE void test_stored(line_fit *fits, const rule_row *row, const binary_format *f,
                                      const binary32_sums *b, uint64_t y) {
    const uint32_t model = MODEL(row->verdict);
    const int store = arithmetic_half_store(row->sums);
    const int64_t rank = format_rank(f, y);
    if (stored_rank(f, b->reached, store) == rank)
        fits->yes |= model;
    else if (is_stored_within(f, b, b->most, store, rank))
        *(is_stored_within(f, b, b->sure, store, rank) ? &fits->yes : &fits->unsure) |= model;
}

/* FLOAT16: may sums to nearest surely be the infinity y, since some in the interval reach 65520? */
CUMSUM_ALWAYS_INLINE bool surely_overflows(const line_sum *l, const binary_format *f,
                                           const arithmetic *sums, uint64_t y, double sum) {
    const double beyond = y & f->sign ? -sum : sum;
    return f->precision == 11 && sums->rounding == CUMSUM_ROUNDING_NEAREST &&
           line_sum_may_round(l, f) &&
           beyond + line_sum_sure_part(l, line_sum_heavy(l, f), f->unit_roundoff) * l->magnitude >=
               65520;
}

/* Sums in the type itself, of 16 bits. The bounds are rounded down, so that y may still fit if it
 * is beyond them; and where nothing rounds if a sum has stopped on the way. */
CUMSUM_ALWAYS_INLINE void test_narrow(line_fit *fits, const rule_row *row, const line_sum *l,
                                      const binary_format *f, const line_output *o, double sum,
                                      uint64_t short_prefix) {
    const uint32_t model = MODEL(row->verdict);
    const bool saturates =
        row->sums->rounding == CUMSUM_ROUNDING_TOWARD_ZERO && !row->sums->overflows;
    const bool finite = format_is_finite(f, o->y); /* an overflow may explain the others */
    if (finite ? surely_fits(l, f, row->sums, o, short_prefix)
               : l->nonzero > short_prefix && surely_overflows(l, f, row->sums, o->y, sum))
        fits->yes |= model;
    else if (!finite || line_sum_may_round(l, f) || saturates)
        fits->unsure |= model;
}

/* FLOAT16: an infinity to which S is rounded fits all models but the saturating one, and a
 * truncating one if the terms of its sign reach 65536 together. */
static inline line_fit fit_overflow(const line_sum *l, double size) {
    const bool cut = size + l->magnitude >= 2 * 65536.0;
    return (line_fit){.yes = MODELS_BINARY32 | MODEL(CUMSUM_VERDICT_BINARY16) |
                             (cut ? MODEL(CUMSUM_VERDICT_BINARY16_TRUNCATING) : 0)};
}

/* A model needs to be tried if it has fitted every output so far, or if no allowed model before it
 * fits this one. */
static inline bool is_needed(const judge_state *s, const line_fit *fits, const rule_row *row) {
    return (s->judgement->models & MODEL(row->verdict)) || !(fits->yes & s->how.allowed);
}

/* FLOAT16 and BFLOAT16. */
CUMSUM_ALWAYS_INLINE line_fit fit_16_bit(const judge_state *s, const line_sum *l,
                                         const binary_format *f, const line_output *o,
                                         uint64_t short_prefix) {
    const rule_rows *table = f->precision == 8 ? &bfloat16_rows : &binary16_rows;
    const binary32_sums sums = sums_in_binary32(l, f, short_prefix);
    const double beyond = o->y & f->sign ? -sums.sum : sums.sum;
    const bool is_stored = !is_beyond_stores(f, &sums, o);
    line_fit fits = {0, 0};
    if (f->precision == 11 && !format_is_finite(f, o->y) && l->nonzero > short_prefix &&
        beyond >= 65520)
        return fit_overflow(l, fabs(sums.sum));
    for (unsigned i = 0; i < table->count; i++) {
        const rule_row *row = &table->rows[i];
        if (!is_needed(s, &fits, row))
            continue;
        if (row->sums->store != STORE_AS_ROUNDED && is_stored)
            test_stored(&fits, row, f, &sums, o->y);
        else if (row->sums->store == STORE_AS_ROUNDED)
            test_narrow(&fits, row, l, f, o, sums.sum, short_prefix);
    }
    return fits;
}

/* Profiles that the fast paths do not know. */

/* S is in the interval, and so is what it is stored as. */
static inline bool is_stored_sum(const line_sum *l, const binary_format *f, const arithmetic *sums,
                                 uint64_t y) {
    const rounding_direction direction = rounding_end(sums->rounding, false);
    double high = l->high;
    const double low = two_sum(&high, l->low);
    const uint64_t sum = cumsum_round_sum(sums->accumulator, high, low, direction);
    return l->slack == 0 &&
           y == cumsum_round_sum(f, format_value(sums->accumulator, sum), 0, direction);
}

/* Is |y - S| within the additions before the last one, counted with u? Where the accumulator is
 * wider than binary32 the count is not kept. */
static inline bool is_within_bound(const line_progress *p, const line_sum *l,
                                   const binary_format *f, const arithmetic *sums,
                                   const line_output *o) {
    double range = l->magnitude;
    if (o->distance == 0 && o->doubt == 0)
        return true;
    if (sums->accumulator->precision > f->precision && sums->accumulator->precision == 53)
        return false;
    if (!line_sum_may_round(l, sums->accumulator))
        return false;
    if (sums->order == CUMSUM_ALLOWED_CONTIGUOUS) {
        const double neighbours = range_size(&p->range) * WATCH_MARGIN - 2 * l->slack;
        range = neighbours < range ? neighbours : range;
    }
    const uint64_t heavy = line_sum_heavy(l, sums->accumulator);
    return o->distance <=
           line_sum_sure_part(l, heavy, sums->accumulator->unit_roundoff) * range - o->doubt;
}

/* Is no partial sum near the largest number of the accumulator? */
static inline bool is_far_from_overflow(const line_sum *l, const binary_format *f,
                                        const binary_format *sums) {
    return l->magnitude < format_largest(sums) / 4 && l->magnitude < format_largest(f) / 4 &&
           (double)l->nonzero * 2 * sums->unit_roundoff <= 1;
}

/* Does y surely conform? */
static inline bool surely_conforms_to(const judge_state *s, const line_progress *p,
                                      const line_sum *l, const binary_format *f,
                                      const line_output *o) {
    arithmetic how = *s->how.profile;
    const bool same = format_is(how.accumulator, f);
    const bool must =
        how.flush_inputs == CUMSUM_FLUSH_MUST || how.flush_results == CUMSUM_FLUSH_MUST;
    if (s->slowly || (must && (p->tiny || format_is_subnormal(f, o->y))) ||
        !format_is_finite(f, o->y) || !line_sum_in_range(l, f))
        return false;
    if (how.specials_absent && !is_far_from_overflow(l, f, how.accumulator))
        return false;
    if (how.rounding == CUMSUM_ROUNDING_EITHER)
        how.rounding = CUMSUM_ROUNDING_NEAREST; /* a choice that every such device may make */
    if (l->nonzero <= rule_short_prefix(&s->how))
        return same && is_likely_sum(l, &how, o->value);
    if (how.order == CUMSUM_ALLOWED_SEQUENTIAL)
        return same && p->sequence.low <= o->value && o->value <= p->sequence.high;
    return is_within_bound(p, l, f, &how, o) || is_stored_sum(l, f, &how, o->y);
}

#endif
