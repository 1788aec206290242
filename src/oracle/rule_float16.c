/* SPDX-License-Identifier: MIT */
#include "binary16.h"
#include "rule.h"

/* Widens [*lower, *upper] by another interval of binary16. */
static void widen(rule_result *r, uint32_t lower, uint32_t upper) {
    const binary_format *f = &binary16_format;
    if (format_rank(f, lower) < format_rank(f, r->lower))
        r->lower = lower;
    if (format_rank(f, upper) > format_rank(f, r->upper))
        r->upper = upper;
}

/* A model whose outputs lie in an interval: does y, and how far does it reach? */
static void try_interval(rule_result *r, cumsum_verdict model, uint32_t allowed, uint32_t y,
                         uint32_t lower, uint32_t upper, bool strict_zero) {
    const binary_format *f = &binary16_format;
    if (!format_is_nan(f, y) && cumsum_rule_within(f, y, lower, upper, strict_zero))
        r->models |= MODEL(model);
    if (allowed & MODEL(model))
        widen(r, lower, upper);
}

/* A binary32 sum, stored by each of the three stores. They are monotonic, so the images of the
 * sum's interval end at the images of its ends. A binary32 sum of fewer than 2^32 halves is far
 * from overflow. */
static void try_binary32(rule_result *r, const exact_prefix *p, uint32_t allowed, uint32_t y,
                         bool strict_zero) {
    static const struct {
        cumsum_verdict model;
        int store;
    } stores[] = {{CUMSUM_VERDICT_BINARY32_NEAREST, CUMSUM_HALF_STORE_NEAREST_EVEN},
                  {CUMSUM_VERDICT_BINARY32_ZERO, CUMSUM_HALF_STORE_TOWARD_ZERO},
                  {CUMSUM_VERDICT_BINARY32_IEEE, CUMSUM_HALF_STORE_IEEE}};
    uint32_t lower, upper;
    cumsum_rule_interval(p, &binary32_format, &lower, &upper);
    for (int i = 0; i < 3; i++)
        try_interval(r, stores[i].model, allowed, y, format_store_half(lower, stores[i].store),
                     format_store_half(upper, stores[i].store), strict_zero);
}

/* Every addition truncated to binary16: |y - S| <= (m - 1) 2^-10 A. */
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

#define MODELS_NARROW (MODEL(CUMSUM_VERDICT_BINARY16) | MODEL(CUMSUM_VERDICT_BINARY16_TRUNCATING))

rule_result cumsum_rule_float16(const exact_prefix *p, uint32_t y, uint32_t allowed,
                                bool strict_zero) {
    const binary_format *f = &binary16_format;
    bool may_be_narrow = (allowed & MODELS_NARROW) != 0;
    rule_result r;
    if (cumsum_rule_special(p, y, may_be_narrow, MODELS_FLOAT16, &r))
        return r;
    r.models = 0;
    r.expected = cumsum_exact_prefix_round(p);
    r.lower = r.upper = r.expected;
    try_binary32(&r, p, allowed, y, strict_zero);
    uint32_t lower, upper;
    cumsum_rule_interval(p, f, &lower, &upper);
    try_interval(&r, CUMSUM_VERDICT_BINARY16, allowed, y, lower, upper, strict_zero);
    if (within_truncating(p, y, strict_zero))
        r.models |= MODEL(CUMSUM_VERDICT_BINARY16_TRUNCATING);
    r.verdict = cumsum_rule_first_model(r.models & allowed);
    if (!format_is_finite(f, y) && cumsum_rule_may_overflow(p, &p->magnitude)) {
        r.models |= MODELS_NARROW; /* whatever fits, this does not rule them out */
        if (r.verdict == CUMSUM_VERDICT_FAIL && may_be_narrow)
            r.verdict = CUMSUM_VERDICT_INDETERMINATE;
    }
    return r;
}
