/* SPDX-License-Identifier: MIT */
/*
 * Verdict 1 for a profile, of all floating types: docs/oracle.md, "Profiles". The accumulator may
 * be wider than the type; the store into the type rounds as additions do. Of a few terms every
 * allowed order and choice is tried; a longer prefix has an interval.
 */
#include "rule.h"

/* Does the prefix have, or may a partial sum be, an infinity, which the profile need not know? */
static bool may_be_special(const exact_prefix *p, const arithmetic *how, rule_range range) {
    const binary_format *f = p->format;
    if (rule_is_special(p) || !format_is_finite(f, range.lower) ||
        !format_is_finite(f, range.upper))
        return true;
    return how->rounding != CUMSUM_ROUNDING_TOWARD_ZERO &&
           (cumsum_rule_side_may_overflow(p, how, false) ||
            cumsum_rule_side_may_overflow(p, how, true));
}

static rule_result indeterminate(rule_result r, const rule_options *how) {
    r.verdict = CUMSUM_VERDICT_INDETERMINATE;
    r.models = how->allowed;
    return r;
}

static rule_result passes(rule_result r, const rule_options *how, cumsum_verdict verdict) {
    r.verdict = verdict;
    r.models = how->allowed;
    return r;
}

static void show_range(rule_result *r, rule_range range) {
    r->lower = range.lower;
    r->upper = range.upper;
}

/* May y be a sum that is more precise than the accumulator? A single term is no sum. */
static bool may_be_wider(const exact_prefix *p, const arithmetic *how, uint64_t y) {
    return how->wider_allowed && format_is_finite(p->format, y) && p->nonzero > 1 &&
           !(how->flush_results == CUMSUM_FLUSH_MUST && format_is_subnormal(p->format, y));
}

/* Is y this sum, rounded and stored? */
static bool is_rounded_sum(const exact_prefix *sum, const arithmetic *how, uint64_t y,
                           rounding_direction direction) {
    const binary_format *f = sum->format;
    const uint64_t stored = cumsum_format_round_to(f, &sum->sum, f->quantum, direction);
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

/* A sequence is wider if it is S, rounded to nearest, or as near to S as the farther of two sums
 * that are allowed. Those that are infinite do not count. */
static bool is_wider_sequence(const exact_prefix *p, const arithmetic *how, const rule_result *r,
                              uint64_t y, rule_range allowed) {
    const binary_format *f = p->format;
    if (!may_be_wider(p, how, y))
        return false;
    if (cumsum_rule_within(f, y, r->expected, r->expected))
        return true;
    const wide distance = cumsum_rule_distance(p, y);
    const uint64_t ends[2] = {allowed.lower, allowed.upper};
    for (int i = 0; i < 2; i++) {
        if (!format_is_finite(f, ends[i]))
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
        all = cumsum_rule_reach(p, y, how, &sums);
    return all;
}

/* Is a sequential sum of such accumulators perhaps stored as y? They keep the bound of any order.
 */
static bool may_be_wider_sequence(const exact_prefix *p, const arithmetic *how, uint64_t y) {
    arithmetic sums = *how;
    while (widen_accumulator(&sums))
        if (cumsum_rule_in_range(p, &sums, y, cumsum_rule_interval(p, &sums, false)))
            return true;
    return false;
}

static uint64_t bits_of_value(const exact_prefix *p, double value) {
    return cumsum_round_sum(p->format, value, 0, TO_NEAREST);
}

/* Every order of a short prefix. False if there were too many values. */
static bool decide_profile(const exact_prefix *p, uint64_t y, const rule_options *how,
                           rule_result *r) {
    const reach_answer all = cumsum_rule_reach(p, y, how, how->profile);
    if (!all.complete)
        return false;
    if (how->profile->specials_absent && all.infinite) {
        *r = indeterminate(*r, how);
    } else if (all.found) {
        *r = passes(*r, how, CUMSUM_VERDICT_CONFORMANT);
    } else if (!rule_is_special(p)) {
        const reach_answer wider = reach_wider(p, y, how);
        if (!wider.complete)
            return false;
        if (all.lower <= all.upper)
            show_range(r, (rule_range){bits_of_value(p, all.lower), bits_of_value(p, all.upper)});
        if (wider.found || is_unrounded_sum(p, how->profile, y))
            *r = passes(*r, how, CUMSUM_VERDICT_WIDER);
    }
    r->decided = true;
    return true;
}

/* One sequence of additions: the least and the greatest sum are known for every length. */
static void follow_profile(const exact_prefix *p, uint64_t y, const rule_options *how,
                           rule_result *r) {
    const arithmetic *profile = how->profile;
    const rule_range range = {
        cumsum_round_sum(p->format, p->sequence.low, 0, rounding_end(profile->rounding, false)),
        cumsum_round_sum(p->format, p->sequence.high, 0, rounding_end(profile->rounding, true))};
    const bool finite =
        format_is_finite(p->format, range.lower) && format_is_finite(p->format, range.upper);
    show_range(r, range);
    if (profile->specials_absent && (p->sequence.infinite || !finite))
        *r = indeterminate(*r, how);
    else if (!format_is_nan(p->format, y) && cumsum_rule_in_range(p, profile, y, range))
        *r = passes(*r, how, CUMSUM_VERDICT_CONFORMANT);
    else if (is_wider_sequence(p, profile, r, y, range) ||
             (!format_is_nan(p->format, y) && may_be_wider_sequence(p, profile, y)))
        *r = passes(*r, how, CUMSUM_VERDICT_WIDER);
}

/* An infinity or a NaN is among them. An infinity stays, unless it meets the other one, which the
 * sum before it has become; more precise sums need not become one. */
static rule_result follow_special(const exact_prefix *p, uint64_t y, const rule_options *how,
                                  rule_result r) {
    const bool nan = format_is_nan(p->format, y), is_nan = isnan(p->sequence.low);
    const bool expected = nan ? format_is_nan(p->format, r.expected) : y == r.expected;
    r.verdict = CUMSUM_VERDICT_FAIL;
    r.models = 0;
    if (is_nan) {
        r.expected = p->format->infinity | (UINT64_C(1) << (p->format->precision - 2));
        show_range(&r, (rule_range){r.expected, r.expected});
    }
    if (nan ? p->sequence.may_be_nan : expected && !is_nan)
        return passes(r, how, expected ? CUMSUM_VERDICT_EXACT : CUMSUM_VERDICT_CONFORMANT);
    if (expected && how->profile->wider_allowed)
        return passes(r, how, CUMSUM_VERDICT_WIDER);
    return r;
}

static void bound_profile(const exact_prefix *p, uint64_t y, const rule_options *how,
                          rule_result *r) {
    const arithmetic *profile = how->profile;
    const binary_format *f = p->format;
    const bool special = rule_is_special(p), finite = format_is_finite(f, y);
    const rule_range range =
        special ? (rule_range){r->expected, r->expected} : cumsum_rule_interval(p, profile, false);
    show_range(r, range);
    if (profile->specials_absent && may_be_special(p, profile, range)) {
        *r = indeterminate(*r, how);
        return;
    }
    if (!special && !format_is_nan(f, y) && cumsum_rule_in_range(p, profile, y, range)) {
        *r = passes(*r, how, CUMSUM_VERDICT_CONFORMANT);
        return;
    }
    if (!finite) {
        if (cumsum_rule_may_overflow(p, profile, y))
            *r = indeterminate(*r, how);
        return;
    }
    /* A sum on the way may have stopped at the largest number. */
    const bool saturates = profile->rounding != CUMSUM_ROUNDING_NEAREST &&
                           (cumsum_rule_side_may_overflow(p, profile, false) ||
                            cumsum_rule_side_may_overflow(p, profile, true));
    if (!special && saturates && cumsum_rule_within_saturated(p, profile, y))
        *r = passes(*r, how, CUMSUM_VERDICT_CONFORMANT);
    else if (may_be_wider(p, profile, y) && cumsum_rule_within(f, y, r->expected, r->expected))
        *r = passes(*r, how, CUMSUM_VERDICT_WIDER); /* truncated sums need not be S, rounded */
}

rule_result cumsum_rule_profile(const exact_prefix *p, uint64_t y, const rule_options *how) {
    rule_result r;
    const bool known = cumsum_rule_begin(p, y, how, &r);
    const bool minus_zero = how->strict_zero && y == p->format->sign;
    if (how->profile->specials_absent && rule_is_special(p) && !minus_zero)
        return indeterminate(r, how);
    if (how->profile->order == CUMSUM_ALLOWED_SEQUENTIAL && rule_is_special(p) && !minus_zero)
        return follow_special(p, y, how, r);
    if (known)
        return r;
    if (rule_is_short(p, how) && decide_profile(p, y, how, &r))
        return r;
    if (how->profile->order == CUMSUM_ALLOWED_SEQUENTIAL)
        follow_profile(p, y, how, &r);
    else
        bound_profile(p, y, how, &r);
    return r;
}
