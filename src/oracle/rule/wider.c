/* SPDX-License-Identifier: MIT */
/*
 * Outputs that no sum of the allowed arithmetics gives, but a more precise one does:
 * docs/oracle.md, "Short prefixes" and "Profiles". They pass, with a verdict of their own.
 */
#include "rule.h"

static bool is_value(const exact_prefix *p, uint64_t y, uint64_t value) {
    return cumsum_rule_within(p->format, y, value, value);
}

/* S of the terms that are not subnormal, rounded once, and flushed. */
static uint64_t flushed_sum(const exact_prefix *p) {
    const exact_prefix kept = cumsum_exact_prefix_normal(p);
    const uint64_t sum = cumsum_exact_prefix_round(&kept);
    return format_is_subnormal(p->format, sum) ? 0 : sum;
}

/* The exact sum, or for FLOAT32 one in binary64, each rounded once. */
static uint32_t wider_float_models(const exact_prefix *p, uint64_t y, const rule_options *how) {
    const rule_row *flushing = &rule_rows_of(p->format)->rows[1];
    if (is_value(p, y, cumsum_rule_expected(p)) ||
        (p->format->precision == 24 && rule_reach(p, y, how, &arithmetic_binary64).found))
        return MODELS_FLOAT;
    return cumsum_rule_may_flush(p, flushing->sums) && !format_is_subnormal(p->format, y) &&
                   is_value(p, y, flushed_sum(p))
               ? MODEL(flushing->verdict)
               : 0;
}

/* The exact sum, rounded once to the type, or to binary32 and then stored. BFLOAT16's store to
 * nearest even is the conversion of IEEE 754, as that of the third row of FLOAT16 is. */
static uint32_t wider_16_bit_models(const exact_prefix *p, uint64_t y) {
    const bool bfloat16 = p->format->precision == 8, once = is_value(p, y, cumsum_rule_expected(p));
    const uint32_t sum =
        (uint32_t)cumsum_format_round(&binary32_format, &p->sum, p->format->quantum, TO_NEAREST);
    uint32_t models = 0;
    for (int store = 0; store < 3; store++)
        if (is_value(p, y, half_store(p->format, sum, store)))
            models |= MODEL(models_of_stores[store]);
    if (once)
        models |= bfloat16 ? MODEL(CUMSUM_VERDICT_BINARY32_NEAREST) | MODEL(CUMSUM_VERDICT_BFLOAT16)
                           : MODEL(CUMSUM_VERDICT_BINARY32_IEEE) | MODEL(CUMSUM_VERDICT_BINARY16);
    return models;
}

uint32_t cumsum_wider_models(const exact_prefix *p, uint64_t y, const rule_options *how) {
    if (format_is_nan(p->format, y))
        return 0;
    return how->allowed &
           (p->format->precision < 24 ? wider_16_bit_models(p, y) : wider_float_models(p, y, how));
}

/* Profiles. */

/* May y be a sum that is more precise than the accumulator? A single term is no sum. */
static bool may_be_wider(const exact_prefix *p, const arithmetic *how, uint64_t y) {
    return how->wider_allowed && format_is_finite(p->format, y) && p->nonzero > 1 &&
           !(how->flush_results == CUMSUM_FLUSH_MUST && format_is_subnormal(p->format, y));
}

/* Is y this sum, rounded and stored? */
static bool is_rounded_sum(const exact_prefix *sum, const arithmetic *how, uint64_t y,
                           rounding_direction direction) {
    const binary_format *f = sum->format;
    const uint64_t stored = cumsum_format_round(f, &sum->sum, f->quantum, direction);
    const bool flushed = format_is_subnormal(f, stored) && arithmetic_flushes(how);
    return cumsum_rule_within(f, y, stored, stored) || (flushed && cumsum_rule_within(f, y, 0, 0));
}

/* Is y what an accumulator gives that never rounds, and is rounded to nearest or as additions are?
 * It adds all of a few terms, or, if it flushes, those that are not subnormal. */
static bool is_unrounded_sum(const exact_prefix *p, const arithmetic *how, uint64_t y) {
    const bool must = how->flush_inputs == CUMSUM_FLUSH_MUST, may = arithmetic_flushes(how);
    if (!may_be_wider(p, how, y))
        return false;
    for (int flushed = must; flushed <= may; flushed++) {
        const exact_prefix sum = flushed ? cumsum_exact_prefix_normal(p) : *p;
        if (is_rounded_sum(&sum, how, y, TO_NEAREST) ||
            is_rounded_sum(&sum, how, y, rounding_end(how->rounding, false)) ||
            is_rounded_sum(&sum, how, y, rounding_end(how->rounding, true)))
            return true;
    }
    return false;
}

/* Is y as near to S as the farther of two sums of a sequence that are allowed, flushed or not?
 * Those that are infinite do not count. */
static bool is_as_near(const exact_prefix *p, const arithmetic *how, uint64_t y,
                       rule_range allowed) {
    if (!may_be_wider(p, how, y))
        return false;
    const wide distance = cumsum_rule_distance(p, y);
    allowed = cumsum_rule_flushed(p, how, allowed);
    const uint64_t ends[2] = {allowed.lower, allowed.upper};
    for (int i = 0; i < 2; i++) {
        if (!format_is_finite(p->format, ends[i]))
            continue;
        const wide farthest = cumsum_rule_distance(p, ends[i]);
        if (wide_compare(&distance, &farthest) <= 0)
            return true;
    }
    return false;
}

/* The same arithmetic with the next wider accumulator, binary32 or binary64. False if there is
 * none, or none is allowed. */
static bool widen_accumulator(arithmetic *sums) {
    if (!sums->wider_allowed || sums->accumulator->precision == 53)
        return false;
    sums->accumulator = sums->accumulator->precision < 24 ? &binary32_format : &binary64_format;
    return true;
}

/* What every order of a few terms gives with such accumulators. */
static reach_answer reach_wider(const exact_prefix *p, uint64_t y, const rule_options *how) {
    reach_answer all = {.complete = true};
    arithmetic sums = *how->profile;
    while (all.complete && !all.found && widen_accumulator(&sums))
        all = rule_reach(p, y, how, &sums);
    return all;
}

/* Is a sequential sum of such accumulators perhaps stored as y? They keep the bound of any order.
 */
static bool may_be_wider_sequence(const exact_prefix *p, const arithmetic *how, uint64_t y) {
    arithmetic sums = *how;
    while (widen_accumulator(&sums))
        if (cumsum_rule_in_range(p, &sums, y,
                                 cumsum_rule_stored(p, &sums, cumsum_rule_interval(p, &sums))))
            return true;
    return false;
}

bool cumsum_is_wider(const exact_prefix *p, uint64_t y, const rule_options *how, bool *complete) {
    const reach_answer all = reach_wider(p, y, how);
    *complete = all.complete;
    return all.complete && (all.found || is_unrounded_sum(p, how->profile, y));
}

/* Truncated sums need not be S, rounded. */
bool cumsum_may_be_wider(const exact_prefix *p, uint64_t y, const arithmetic *profile,
                         rule_range allowed) {
    if (may_be_wider(p, profile, y) && is_value(p, y, cumsum_rule_expected(p)))
        return true;
    return profile->order == CUMSUM_ALLOWED_SEQUENTIAL &&
           (is_as_near(p, profile, y, allowed) || may_be_wider_sequence(p, profile, y));
}
