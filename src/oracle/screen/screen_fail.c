/* SPDX-License-Identifier: MIT */
/* Counts outputs of a FLOAT32 line that surely fail: docs/oracle.md, "Fast path". */
#include "screen.h"

/*
 * Is y, which is outside the bound for one more term, a FAIL? If nothing rounds, every value but S
 * is a FAIL, and no term is so small that flushing could explain it. Otherwise r - 1 is below n,
 * and with g = n u / (1 - n u) < 1.07 n u for n <= 2^20
 *
 *     |y - S| > g A + 2n w (1 + g) + 2^-22 |y| + 2^-148
 *
 * is beyond what flushing explains, and beyond (r - 1) u A by more than the gap between y and its
 * neighbours, so that y is not RN(S + E) or RN(S - E) either. Neither rounds up to a NaN or an
 * infinity: no order overflows if (1 + n u) A is below 2^127.
 */
static bool is_beyond(const line_sum *l, uint64_t y, double distance) {
    const binary_format *f = &binary32_format;
    const double n = (double)l->nonzero, unit = f->unit_roundoff * l->magnitude;
    if (!format_is_finite(f, y))
        return l->magnitude < 0x1p126;
    if (!l->rounds)
        return distance > 0 && l->lowest >= 0x1p-126;
    const double value = fabs(format_value(f, y));
    return distance > 1.08 * n * unit + n * 0x1p-124 + value * 0x1p-22 + 0x1p-148;
}

/* Is the error surely at most h? Infinite errors do not count. |S| is at most A. */
static bool is_no_larger(const judge_state *s, const line_sum *l, uint64_t y, double distance) {
    const double h = s->judgement->h, unit = binary32_format.unit_roundoff;
    if (!format_is_finite(&binary32_format, y))
        return true;
    if (format_value(&binary32_format, y) == 0 && 1 / unit <= h)
        return true;
    return distance / (unit * l->magnitude) * ROUND_UP <= h;
}

/* Steps between y and RN(S), for more of which the finding would be the worst so far. */
static bool keeps_worst(judge_state *s, const line_sum *l, uint64_t position, uint64_t y) {
    const binary_format *f = &binary32_format;
    const uint64_t most = judge_worst_ulps(s);
    if (format_is_nan(f, y))
        return most == UINT64_MAX;
    double sum = l->high;
    const double rest = two_sum(&sum, l->low); /* where terms cancel, low is not small */
    const double lost = rest == 0 ? 0 : fabs(sum) * 0x1p-52; /* less is lost from sum */
    const double doubt = lost + 2 * l->slack;
    const uint64_t expected = format_bits(f, sum);
    const bool certain =
        format_bits(f, sum - doubt) == expected && format_bits(f, sum + doubt) == expected;
    const uint64_t ulps = cumsum_ulp_distance(CUMSUM_DATA_TYPE_FLOAT32, expected, y);
    if (!certain)
        return ulps + 1 <= most;
    if (ulps > most) {
        s->worst_fail_ulps = ulps;
        s->worst_fail_line = s->line;
        s->worst_fail_position = position;
    }
    return true;
}

bool cumsum_screen_fail(judge_state *s, const line_sum *l, uint64_t position, uint64_t y,
                        double distance) {
    uint32_t coordinates[CUMSUM_MAX_DIMENSIONS];
    if (s->slowly || s->severity < 2 || l->special || l->nonzero > UINT64_C(1) << 20 ||
        !is_beyond(l, y, distance - 2 * l->slack) ||
        !is_no_larger(s, l, y, distance + 2 * l->slack))
        return false;
    const uint64_t index = cumsum_judge_place(s, position, coordinates);
    if (index < s->first_index || !keeps_worst(s, l, position, y))
        return false;
    if (s->verdicts)
        s->verdicts[index] = CUMSUM_VERDICT_FAIL;
    s->judgement->counts[CUMSUM_VERDICT_FAIL]++;
    return true;
}
