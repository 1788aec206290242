/* SPDX-License-Identifier: MIT */
/*
 * Verdict 1 for FLOAT32 and FLOAT64, whose sums are numbers of the type itself: docs/oracle.md,
 * "FLOAT32 and FLOAT64" and "Denormals flushed". An output conforms if it lies in the interval that
 * every order of additions keeps to. If not, a device that flushes subnormals may still have
 * produced it, and an infinity or NaN may come from an overflow on the way. Of a few terms every
 * order is tried ("Short prefixes"), and what none gives fails.
 */
#include "rule.h"

static bool is_binary64(const exact_prefix *p) {
    return p->format->precision == 53;
}

static const arithmetic *kept_arithmetic(const exact_prefix *p) {
    return is_binary64(p) ? &arithmetic_binary64 : &arithmetic_binary32;
}

static const arithmetic *flushing_arithmetic(const exact_prefix *p) {
    return is_binary64(p) ? &arithmetic_binary64_flush : &arithmetic_binary32_flush;
}

/* A device that flushes returns no subnormal. */
static bool may_flush(const exact_prefix *p, uint64_t y) {
    return cumsum_rule_may_flush(p, flushing_arithmetic(p)) && !format_is_subnormal(p->format, y);
}

/* The bound of a device that flushes. */
static bool within_flush(const exact_prefix *p, uint64_t y) {
    const arithmetic *how = flushing_arithmetic(p);
    return cumsum_rule_in_range(p, how, y, cumsum_rule_interval(p, how, false));
}

/* S of the terms that are not subnormal, rounded once, and flushed. */
static uint64_t flushed_sum(const exact_prefix *p) {
    const exact_prefix kept = cumsum_exact_prefix_normal(p);
    uint64_t sum = cumsum_exact_prefix_round(&kept);
    return format_is_subnormal(p->format, sum) ? 0 : sum;
}

static bool same_value(const exact_prefix *p, uint64_t a, uint64_t b) {
    return a == b || ((a | b) & ~p->format->sign) == 0;
}

/* No order of additions in the format gives y. A more precise sum may: the exact one, or for
 * FLOAT32 one in binary64, each rounded once. */
static void try_wider(const exact_prefix *p, uint64_t y, const rule_options *how, rule_result *r) {
    if (same_value(p, y, r->expected) ||
        (!is_binary64(p) && cumsum_rule_reach(p, y, how, &arithmetic_binary64).found))
        r->models = MODELS_FLOAT & how->allowed;
    else if (may_flush(p, y) && same_value(p, y, flushed_sum(p)))
        r->models = MODEL(CUMSUM_VERDICT_CONFORMANT_FLUSH) & how->allowed;
    if (r->models)
        r->verdict = CUMSUM_VERDICT_WIDER;
}

/* The least and the greatest output of all orders, and S. */
static void show_reached(const exact_prefix *p, rule_result *r, const reach_answer *all) {
    const binary_format *f = p->format;
    if (all->lower > all->upper)
        return;
    uint64_t lower = format_bits(f, all->lower), upper = format_bits(f, all->upper);
    r->lower = format_rank(f, lower) < format_rank(f, r->expected) ? lower : r->expected;
    r->upper = format_rank(f, upper) > format_rank(f, r->expected) ? upper : r->expected;
}

/* Every order of a short prefix. An output that is reached without flushing fits both models. */
static void decide_float(const exact_prefix *p, uint64_t y, const rule_options *how,
                         rule_result *r) {
    reach_answer all = cumsum_rule_reach(p, y, how, kept_arithmetic(p));
    r->decided = true;
    if (all.found) {
        r->models = MODELS_FLOAT & how->allowed;
        return;
    }
    if (may_flush(p, y) && (how->allowed & MODEL(CUMSUM_VERDICT_CONFORMANT_FLUSH))) {
        reach_answer flushed = cumsum_rule_reach(p, y, how, flushing_arithmetic(p));
        r->decided = flushed.complete;
        if (flushed.complete ? flushed.found : within_flush(p, y))
            r->models = MODEL(CUMSUM_VERDICT_CONFORMANT_FLUSH);
    }
    if (!r->models && !rule_is_special(p)) {
        show_reached(p, r, &all);
        try_wider(p, y, how, r);
    }
}

/* The bounds of a longer one. */
static void bound_float(const exact_prefix *p, uint64_t y, const rule_options *how,
                        rule_result *r) {
    const binary_format *f = p->format;
    if (!rule_is_special(p)) {
        const rule_range range = cumsum_rule_interval(p, kept_arithmetic(p), true);
        r->lower = range.lower;
        r->upper = range.upper;
        if (!format_is_nan(f, y) && cumsum_rule_within(f, y, r->lower, r->upper))
            r->models = MODELS_FLOAT & how->allowed;
        else if (format_is_finite(f, y) && may_flush(p, y) && within_flush(p, y))
            r->models = MODEL(CUMSUM_VERDICT_CONFORMANT_FLUSH) & how->allowed;
    }
    if (!r->models && !format_is_finite(f, y) &&
        cumsum_rule_may_overflow(p, kept_arithmetic(p), y)) {
        r->verdict = CUMSUM_VERDICT_INDETERMINATE;
        r->models = how->allowed;
    }
}

rule_result cumsum_rule_float(const exact_prefix *p, uint64_t y, const rule_options *how) {
    rule_result r;
    if (cumsum_rule_begin(p, y, how, &r))
        return r;
    if (rule_is_short(p, how))
        decide_float(p, y, how, &r);
    else
        bound_float(p, y, how, &r);
    if (r.verdict != CUMSUM_VERDICT_FAIL)
        return r;
    if (r.models & MODEL(CUMSUM_VERDICT_CONFORMANT))
        r.verdict = CUMSUM_VERDICT_CONFORMANT;
    else if (r.models)
        r.verdict = CUMSUM_VERDICT_CONFORMANT_FLUSH;
    return r;
}
