/* SPDX-License-Identifier: MIT */
#include "rule.h"

/*
 * With subnormals flushed, an addition also loses up to w = 2^-126, and so does each of the m
 * terms: |y - S| <= g A + (2m - 1) w (1 + g), g = N u / (1 - N u), N = m - 1. Times 1 - N u and
 * 2^24, that is |y - S| (2^24 - N) <= N A + (2m - 1) w 2^24, in integers, for N < 2^24.
 */
static bool within_flush(const exact_prefix *p, uint32_t y) {
    /* Every sum, rounded or not, is a multiple of the lowest bit set in any term. Where that is w
     * or more, nothing is ever subnormal, and flushing excuses nothing. */
    if (wide_is_zero(&p->magnitude) || p->lowest >= 23)
        return false;
    if (!(y & 0x7F800000u) && (y & 0x7FFFFFu))
        return false; /* a flushed output is never subnormal */
    uint64_t n = p->terms - 1;
    wide distance = cumsum_rule_distance(p, y);
    wide count = wide_from_u64(2 * p->terms - 1);
    wide flushed = wide_shift_left(&count, 23); /* w is 2^23 quanta */
    if (n >= UINT64_C(1) << 24) {
        /* Longer lines: the errors grow by (1 + u)^N <= e^(Nu) <= 2^(1.5 Nu); rounded up to whole
         * bits, since it says little. */
        uint64_t growth = (3 * n + (UINT64_C(1) << 25) - 1) >> 25;
        wide lost = wide_add(&p->magnitude, &flushed);
        return wide_bit_length(&distance) <= wide_bit_length(&lost) + growth;
    }
    wide left = wide_multiply(&distance, (UINT64_C(1) << 24) - n);
    wide right = wide_multiply(&p->magnitude, n);
    flushed = wide_shift_left(&flushed, 24);
    right = wide_add(&right, &flushed);
    return wide_compare(&left, &right) <= 0;
}

rule_result cumsum_rule_float32(const exact_prefix *p, uint32_t y, uint32_t allowed,
                                bool strict_zero) {
    const binary_format *f = &binary32_format;
    rule_result r;
    if (cumsum_rule_special(p, y, true, MODELS_FLOAT32, &r))
        return r;
    r.models = 0;
    r.expected = cumsum_exact_prefix_round(p);
    cumsum_rule_interval(p, f, &r.lower, &r.upper);
    if (!format_is_nan(f, y) && cumsum_rule_within(f, y, r.lower, r.upper, strict_zero))
        r.models |= MODELS_FLOAT32; /* flushing where nothing is subnormal changes nothing */
    else if (format_is_finite(f, y) && within_flush(p, y))
        r.models |= MODEL(CUMSUM_VERDICT_CONFORMANT_FLUSH);
    if (r.models & allowed & MODEL(CUMSUM_VERDICT_CONFORMANT))
        r.verdict = CUMSUM_VERDICT_CONFORMANT;
    else if (r.models & allowed)
        r.verdict = CUMSUM_VERDICT_CONFORMANT_FLUSH;
    else if (!format_is_finite(f, y) && cumsum_rule_may_overflow(p, &p->magnitude))
        r = (rule_result){CUMSUM_VERDICT_INDETERMINATE, MODELS_FLOAT32, r.expected, r.lower,
                          r.upper};
    else
        r.verdict = CUMSUM_VERDICT_FAIL;
    return r;
}
