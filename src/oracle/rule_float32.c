/* SPDX-License-Identifier: MIT */
/*
 * Verdict 1 for FLOAT32: docs/oracle.md, "FLOAT32" and "FLOAT32 with denormals flushed". An output
 * conforms if it lies in the interval that every order of additions keeps to. If not, a device that
 * flushes subnormals may still have produced it, and an infinity or NaN may come from an overflow
 * on the way.
 */
#include "rule.h"

/*
 * With subnormals flushed, each of the m terms and each of the m - 1 additions also loses up to
 * w = 2^-126, and later additions carry that loss along:
 *
 *     |y - S| <= g A + (2m - 1) w (1 + g),    g = N u / (1 - N u),  N = m - 1
 *
 * Multiplied by 1 - N u and by 2^24 both sides are integers, for N < 2^24:
 *
 *     |y - S| (2^24 - N) <= N A + (2m - 1) w 2^24
 */
static bool within_flush(const exact_prefix *p, uint32_t y) {
    /* Every partial sum, rounded or not, is a multiple of the lowest bit set in any term. If that
     * bit is w or more, nothing is ever subnormal, and flushing explains nothing. */
    if (wide_is_zero(&p->magnitude) || p->lowest >= 23)
        return false;
    if (!(y & 0x7F800000u) && (y & 0x7FFFFFu))
        return false; /* a device that flushes never returns a subnormal */
    uint64_t n = p->terms - 1;
    wide distance = cumsum_rule_distance(p, y);
    wide count = wide_from_u64(2 * p->terms - 1);
    wide flushed = wide_shift_left(&count, 23); /* w is 2^23 quanta */
    if (n >= UINT64_C(1) << 24) {
        /* g is not defined. Errors grow by at most (1 + u)^N <= e^(N u) <= 2^(1.5 N u), here
         * rounded up to whole bits: the bound is loose at such lengths in any case. */
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
    if (cumsum_rule_begin(p, y, true, MODELS_FLOAT32, &r))
        return r;
    cumsum_rule_interval(p, f, &r.lower, &r.upper);
    /* Flushing where nothing is subnormal changes nothing, so that what fits without it fits both
     * models. */
    if (!format_is_nan(f, y) && cumsum_rule_within(f, y, r.lower, r.upper, strict_zero))
        r.models = MODELS_FLOAT32;
    else if (format_is_finite(f, y) && within_flush(p, y))
        r.models = MODEL(CUMSUM_VERDICT_CONFORMANT_FLUSH);
    if (r.models & allowed & MODEL(CUMSUM_VERDICT_CONFORMANT))
        r.verdict = CUMSUM_VERDICT_CONFORMANT;
    else if (r.models & allowed)
        r.verdict = CUMSUM_VERDICT_CONFORMANT_FLUSH;
    else if (!format_is_finite(f, y) && cumsum_rule_may_overflow(p, &p->magnitude)) {
        r.verdict = CUMSUM_VERDICT_INDETERMINATE;
        r.models = MODELS_FLOAT32;
    }
    return r;
}
