/* SPDX-License-Identifier: MIT */
/* Counts outputs of a FLOAT32 or FLOAT64 line that surely fail: docs/oracle.md, "Fast path". */
#include "screen.h"

/*
 * Is y, which is outside the bound for one more term, a FAIL? If nothing rounds, every value but S
 * is a FAIL, and no term is so small that flushing could explain it. Otherwise r - 1 is below n,
 * and with g = n u / (1 - n u) < 1.07 n u for n <= 2^20
 *
 *     |y - S| > g A + 2n w (1 + g) + 4 u |y| + 2n w
 *
 * is beyond what flushing explains, and beyond (r - 1) u A by more than the gap between y and its
 * neighbours, so that y is not RN(S + E) or RN(S - E) either. Neither rounds up to a NaN or an
 * infinity: no order overflows if (1 + n u) A is below half of the threshold.
 */
static bool is_beyond(const line_sum *l, const binary_format *f, uint64_t y, double distance) {
    const double n = (double)l->nonzero, unit = f->unit_roundoff * l->magnitude;
    const double least = format_least_normal(f);
    if (!format_is_finite(f, y))
        return l->magnitude < (f->precision == 24 ? 0x1p126 : 0x1p1000);
    if (!l->rounds)
        return distance > 0 && l->lowest >= least;
    const double value = fabs(format_value(f, y));
    return distance > 1.08 * n * unit + 4 * n * least + 4 * f->unit_roundoff * value;
}

/* Is the error surely at most h, to a relative 2^-20? Infinite errors do not count. |S| is at most
 * A. */
static bool is_no_larger(const judge_state *s, const line_sum *l, const binary_format *f,
                         uint64_t y, double distance) {
    const double h = s->judgement->h, unit = f->unit_roundoff;
    if (!format_is_finite(f, y))
        return true;
    if (format_value(f, y) == 0 && 1 / unit <= h)
        return true;
    return distance / (unit * l->magnitude) * (1 - 0x1p-21) <= h;
}

/* The nearest number to S, and is it surely that? */
static uint64_t rounded_sum(const line_sum *l, const binary_format *f, bool *certain) {
    double sum = l->high;
    const double rest = two_sum(&sum, l->low); /* where terms cancel, low is not small */
    const uint64_t bits = format_bits(f, sum);
    const double lost = f->precision == 53 || rest == 0 ? 0 : fabs(sum) * 0x1p-52;
    const double doubt = lost + 4 * l->slack, kept = f->precision == 53 ? rest : 0;
    *certain = format_bits(f, sum + (kept - doubt)) == bits &&
               format_bits(f, sum + (kept + doubt)) == bits;
    return bits;
}

/* Is the finding surely not the worst so far, or surely the worst and to be worked out later? It is
 * the worst if y and RN(S) are more steps apart, or as many and the place is an earlier one. */
static bool keeps_worst(judge_state *s, const line_sum *l, const binary_format *f,
                        uint64_t position, uint64_t y) {
    const uint64_t most = judge_worst_ulps(s), rank = judge_rank(s, position);
    const bool earlier = rank < s->worst_rank;
    bool certain;
    if (format_is_nan(f, y))
        return most == UINT64_MAX && !earlier;
    const uint64_t expected = rounded_sum(l, f, &certain);
    const uint64_t ulps = cumsum_ulp_distance(s->problem.type, expected, y);
    if (!certain)
        return ulps + 1 + earlier <= most;
    if (ulps + earlier > most) {
        s->worst_fail_ulps = ulps;
        s->worst_rank = rank;
        s->worst_fail_line = s->line;
        s->worst_fail_position = position;
    }
    return true;
}

bool cumsum_screen_fail(judge_state *s, const line_sum *l, uint64_t position, uint64_t y,
                        double distance, double doubt) {
    const binary_format *f = judge_format(s);
    uint32_t coordinates[CUMSUM_MAX_DIMENSIONS];
    if (s->slowly || s->judgement->counts[CUMSUM_VERDICT_FAIL] == 0 || l->special ||
        l->nonzero > UINT64_C(1) << 20 || !line_sum_in_range(l, f) ||
        !is_beyond(l, f, y, distance - doubt) || !is_no_larger(s, l, f, y, distance + doubt))
        return false;
    const uint64_t index = cumsum_judge_place(s, position, coordinates);
    if (index < s->first_index || !keeps_worst(s, l, f, position, y))
        return false;
    if (s->verdicts)
        *cumsum_judge_verdict(s, position) = CUMSUM_VERDICT_FAIL;
    s->judgement->counts[CUMSUM_VERDICT_FAIL]++;
    return true;
}
