/* SPDX-License-Identifier: MIT */
/*
 * Verdict 1 for FLOAT16: docs/oracle.md, "FLOAT16". A device may add in binary32 and store the sum
 * in one of three ways, add in binary16 rounding to nearest, or add in binary16 truncating. All
 * five models are tried, so that the caller learns which ones fit every output of a tensor; the
 * first allowed one that fits is the verdict.
 */
#include "rule.h"

/* Widens the accepted interval by another one. */
static void widen(rule_result *r, uint32_t lower, uint32_t upper) {
    const binary_format *f = &binary16_format;
    if (format_rank(f, lower) < format_rank(f, r->lower))
        r->lower = lower;
    if (format_rank(f, upper) > format_rank(f, r->upper))
        r->upper = upper;
}

/* Tries a model whose outputs are those of an interval. */
static void try_interval(rule_result *r, cumsum_verdict model, uint32_t allowed, uint32_t y,
                         uint32_t lower, uint32_t upper, bool strict_zero) {
    const binary_format *f = &binary16_format;
    if (!format_is_nan(f, y) && cumsum_rule_within(f, y, lower, upper, strict_zero))
        r->models |= MODEL(model);
    if (allowed & MODEL(model))
        widen(r, lower, upper);
}

/* Tries a binary32 sum with each of the three stores. A store is monotonic, so the image of the
 * sum's interval ends at the images of its ends. The sum cannot overflow: 2^32 * 65504 < 2^48. */
static void try_binary32(rule_result *r, const exact_prefix *p, uint32_t allowed, uint32_t y,
                         bool strict_zero) {
    uint32_t lower, upper;
    cumsum_rule_interval(p, &binary32_format, &lower, &upper);
    for (int store = 0; store < 3; store++)
        try_interval(r, models_of_stores[store], allowed, y, binary16_store(lower, store),
                     binary16_store(upper, store), strict_zero);
}

/* Every addition truncated to binary16: |y - S| <= (m - 1) 2^-10 A. The unit error is twice that of
 * rounding to nearest, and the last addition contributes like the others. */
static bool within_truncating(const exact_prefix *p, uint32_t y, bool strict_zero) {
    if (!format_is_finite(&binary16_format, y) || (strict_zero && y == 0x8000u))
        return false;
    wide distance = cumsum_rule_distance(p, y);
    if (p->terms <= 1 || cumsum_exact_prefix_never_rounds(p, 11))
        return wide_is_zero(&distance);
    wide left = wide_shift_left(&distance, 10);
    wide right = wide_multiply(&p->magnitude, p->terms - 1);
    return wide_compare(&left, &right) <= 0;
}

cumsum_verdict cumsum_rule_first_model(uint32_t models) {
    for (int v = CUMSUM_VERDICT_BINARY32_NEAREST; v <= CUMSUM_VERDICT_BINARY16_TRUNCATING; v++)
        if (models & MODEL(v))
            return (cumsum_verdict)v;
    return CUMSUM_VERDICT_FAIL;
}

rule_result cumsum_rule_float16(const exact_prefix *p, uint32_t y, uint32_t allowed,
                                bool strict_zero) {
    const binary_format *f = &binary16_format;
    bool binary16_allowed = (allowed & MODELS_BINARY16) != 0;
    rule_result r;
    if (cumsum_rule_begin(p, y, binary16_allowed, MODELS_FLOAT16, &r))
        return r;
    try_binary32(&r, p, allowed, y, strict_zero);
    uint32_t lower, upper;
    cumsum_rule_interval(p, f, &lower, &upper);
    try_interval(&r, CUMSUM_VERDICT_BINARY16, allowed, y, lower, upper, strict_zero);
    if (within_truncating(p, y, strict_zero))
        r.models |= MODEL(CUMSUM_VERDICT_BINARY16_TRUNCATING);
    r.verdict = cumsum_rule_first_model(r.models & allowed);
    if (!format_is_finite(f, y) && cumsum_rule_may_overflow(p, &p->magnitude)) {
        r.models |= MODELS_BINARY16; /* an overflow on the way cannot be ruled out */
        if (r.verdict == CUMSUM_VERDICT_FAIL && binary16_allowed)
            r.verdict = CUMSUM_VERDICT_INDETERMINATE;
    }
    return r;
}
