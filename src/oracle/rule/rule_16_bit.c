/* SPDX-License-Identifier: MIT */
/*
 * Verdict 1 for FLOAT16 and BFLOAT16, whose sums may be wider than the type: docs/oracle.md,
 * "FLOAT16" and "BFLOAT16". A device may add in binary32 and store the sum in one of several ways,
 * or add in the type itself, rounding to nearest; for FLOAT16 also truncating, where an overflow
 * gives infinity or 65504. All allowed models are tried, so that the caller learns which ones fit
 * every output of a tensor; the first that fits is the verdict.
 */
#include "rule.h"

static bool is_bfloat16(const exact_prefix *p) {
    return p->format->precision == 8;
}

/* The model of sums in the type itself, rounded to nearest. */
static cumsum_verdict narrow_model_of(const exact_prefix *p) {
    return is_bfloat16(p) ? CUMSUM_VERDICT_BFLOAT16 : CUMSUM_VERDICT_BINARY16;
}

static const arithmetic *narrow_arithmetic_of(const exact_prefix *p) {
    return is_bfloat16(p) ? &arithmetic_bfloat16 : &arithmetic_binary16;
}

/* Widens the accepted interval by another one. */
static void widen(rule_result *r, const binary_format *f, uint64_t lower, uint64_t upper) {
    if (format_rank(f, lower) < format_rank(f, r->lower))
        r->lower = lower;
    if (format_rank(f, upper) > format_rank(f, r->upper))
        r->upper = upper;
}

/* Tries a model whose outputs are those of an interval. */
static void try_interval(rule_result *r, const binary_format *f, cumsum_verdict model,
                         const rule_options *how, uint64_t y, uint64_t lower, uint64_t upper) {
    if (!(how->allowed & MODEL(model)))
        return;
    if (!format_is_nan(f, y) && cumsum_rule_within(f, y, lower, upper))
        r->models |= MODEL(model);
    widen(r, f, lower, upper);
}

/* Tries a binary32 sum with each of the stores. A store is monotonic, so the image of the sum's
 * interval ends at the images of its ends. A sum of FLOAT16 cannot overflow: 2^32 * 65504 < 2^48.
 */
static void bound_binary32(rule_result *r, const exact_prefix *p, uint64_t y,
                           const rule_options *how) {
    const binary_format *f = p->format;
    const rule_range sums = cumsum_rule_interval(p, &arithmetic_binary32, true);
    for (int store = 0; store < 3; store++)
        try_interval(r, f, models_of_stores[store], how, y,
                     half_store(f, (uint32_t)sums.lower, store),
                     half_store(f, (uint32_t)sums.upper, store));
}

/* Every addition truncated to binary16, without an overflow: |y - S| <= r 2^-10 A. The unit error
 * is twice that of rounding to nearest, and the last addition contributes like the others. Of terms
 * of one sign no sum is larger than y or has another sign. */
static bool within_truncating(const exact_prefix *p, uint64_t y) {
    wide distance = cumsum_rule_distance(p, y), largest = p->magnitude;
    if (cumsum_rule_one_sign(p)) {
        wide value = format_zero(p->format);
        format_accumulate(p->format, &value, y);
        if (wide_is_negative(&value) != wide_is_negative(&p->sum))
            return wide_is_zero(&distance);
        value = wide_abs(&value);
        largest = wide_compare(&value, &largest) < 0 ? value : largest;
    }
    wide left = wide_shift_left(&distance, 10);
    wide right = wide_multiply(&largest, cumsum_exact_prefix_roundings(p, 11));
    return wide_compare(&left, &right) <= 0;
}

cumsum_verdict cumsum_rule_first_model(uint32_t models) {
    for (int v = CUMSUM_VERDICT_BINARY32_NEAREST; v <= CUMSUM_VERDICT_BFLOAT16; v++)
        if (models & MODEL(v))
            return (cumsum_verdict)v;
    return CUMSUM_VERDICT_FAIL;
}

/* Bounds, where the terms are too many to try every order. */
static void bound_16_bit(rule_result *r, const exact_prefix *p, uint64_t y,
                         const rule_options *how) {
    const binary_format *f = p->format;
    const bool finite = format_is_finite(f, y);
    if (!rule_is_special(p)) {
        bound_binary32(r, p, y, how);
        const rule_range sums = cumsum_rule_interval(p, narrow_arithmetic_of(p), true);
        try_interval(r, f, narrow_model_of(p), how, y, sums.lower, sums.upper);
        const uint32_t truncating = MODELS_TRUNCATING & how->allowed;
        if (truncating && finite && within_truncating(p, y))
            r->models |= truncating;
        else if (truncating && finite &&
                 cumsum_rule_within_saturated(p, &arithmetic_binary16_saturating, y))
            r->models |= MODEL(CUMSUM_VERDICT_BINARY16_SATURATING) & how->allowed;
    }
    r->verdict = cumsum_rule_first_model(r->models);
    if (finite)
        return;
    /* An overflow on the way cannot be ruled out. */
    uint32_t overflow = 0;
    if (cumsum_rule_may_overflow(p, &arithmetic_binary32, y))
        overflow |= MODELS_BINARY32;
    if (cumsum_rule_may_overflow(p, narrow_arithmetic_of(p), y))
        overflow |= MODEL(narrow_model_of(p));
    if (!is_bfloat16(p) && cumsum_rule_may_overflow(p, &arithmetic_binary16_truncating, y))
        overflow |= MODEL(CUMSUM_VERDICT_BINARY16_TRUNCATING);
    overflow &= how->allowed;
    if (overflow && r->verdict == CUMSUM_VERDICT_FAIL)
        r->verdict = CUMSUM_VERDICT_INDETERMINATE;
    r->models |= overflow;
}

/* Widens the interval by all sums, stored. */
static void widen_reached(rule_result *r, const exact_prefix *p, const reach_answer *all,
                          int store) {
    const binary_format *f = p->format;
    if (all->lower <= all->upper)
        widen(r, f, half_store(f, binary32_bits((float)all->lower), store),
              half_store(f, binary32_bits((float)all->upper), store));
}

/* An accumulator of 16 bits, every order of a short prefix. */
static void reach_narrow(rule_result *r, const exact_prefix *p, uint64_t y, const rule_options *how,
                         cumsum_verdict model, const arithmetic *sums) {
    if (!(how->allowed & MODEL(model)))
        return;
    reach_answer all = cumsum_rule_reach(p, y, how, sums);
    if (all.found)
        r->models |= MODEL(model);
    else
        widen_reached(r, p, &all, CUMSUM_HALF_STORE_IEEE);
}

/* The models whose last rounding gives y from the exact sum: a more precise accumulator. */
static uint32_t wider_models(const exact_prefix *p, uint64_t y, uint64_t expected) {
    uint32_t models = 0;
    const uint32_t sum =
        (uint32_t)cumsum_format_round(&binary32_format, &p->sum, p->format->quantum);
    for (int store = 0; store < 3; store++) {
        const uint32_t stored = half_store(p->format, sum, store);
        if (cumsum_rule_within(p->format, y, stored, stored))
            models |= MODEL(models_of_stores[store]);
    }
    if (cumsum_rule_within(p->format, y, expected, expected))
        models |= MODEL(models_of_stores[is_bfloat16(p) ? CUMSUM_HALF_STORE_NEAREST_EVEN
                                                        : CUMSUM_HALF_STORE_IEEE]) |
                  MODEL(narrow_model_of(p));
    return models;
}

static void decide_16_bit(rule_result *r, const exact_prefix *p, uint64_t y,
                          const rule_options *how) {
    r->decided = true;
    if (how->allowed & MODELS_BINARY32) {
        reach_answer all = cumsum_rule_reach(p, y, how, &arithmetic_stored_binary32);
        for (int store = 0; store < 3; store++) {
            const uint32_t model = MODEL(models_of_stores[store]) & how->allowed;
            if (all.found & 1u << store)
                r->models |= model;
            else if (model)
                widen_reached(r, p, &all, store);
        }
    }
    reach_narrow(r, p, y, how, narrow_model_of(p), narrow_arithmetic_of(p));
    reach_narrow(r, p, y, how, CUMSUM_VERDICT_BINARY16_TRUNCATING, &arithmetic_binary16_truncating);
    reach_narrow(r, p, y, how, CUMSUM_VERDICT_BINARY16_SATURATING, &arithmetic_binary16_saturating);
    r->verdict = cumsum_rule_first_model(r->models);
    if (r->models || rule_is_special(p) || format_is_nan(p->format, y))
        return;
    r->models = wider_models(p, y, r->expected) & how->allowed;
    if (r->models)
        r->verdict = CUMSUM_VERDICT_WIDER;
}

rule_result cumsum_rule_16_bit(const exact_prefix *p, uint64_t y, const rule_options *how) {
    rule_result r;
    if (cumsum_rule_begin(p, y, how, &r))
        return r;
    if (rule_is_short(p, how))
        decide_16_bit(&r, p, y, how);
    else
        bound_16_bit(&r, p, y, how);
    return r;
}
