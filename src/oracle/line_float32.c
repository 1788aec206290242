/* SPDX-License-Identifier: MIT */
#include <cumsum/oracle.h>

#include "error_class.h"
#include "judge_state.h"
#include "tally.h"

#define UNIT 0x1p-24 /* u of binary32 */

/* The state of one line. */
typedef struct line {
    tally sum;
    uint64_t terms;
    unsigned log2_terms;
    bool special;  /* an infinity or a NaN was among the terms */
    bool rounds;   /* some order of additions may round: A > 2^24 * lowest */
    double lowest; /* the lowest bit set in any term, until an order may round */
} line;

/* 2^q for the lowest bit 2^q of a finite, non-zero value. */
static double lowest_bit(uint32_t bits) {
    unsigned shift;
    uint32_t significand = format_significand(&binary32_format, bits, &shift);
    return ldexp((double)(significand & -significand), (int)shift - 149);
}

static void watch_rounding(line *l, uint32_t bits) {
    if (bits & 0x7FFFFFFFu) {
        double lowest = lowest_bit(bits);
        if (lowest < l->lowest)
            l->lowest = lowest;
    }
    l->rounds = l->sum.magnitude > 0x1p24 * l->lowest;
}

static inline void add_term(line *l, uint32_t bits) {
    if (!format_is_finite(&binary32_format, bits))
        l->special = true;
    tally_add(&l->sum, (double)binary32_value(bits));
    l->terms++;
    if (l->terms > UINT64_C(1) << l->log2_terms)
        l->log2_terms++;
    if (!l->rounds && !l->special)
        watch_rounding(l, bits);
}

/* The cheap test that is never wrong: does y surely lie within the bound? */
static inline bool surely_conformant(const line *l, double y, double distance) {
    if (!l->rounds)
        return distance == 0; /* the sum is exact, in high alone */
    if (l->terms < 3)         /* one addition: its result has to be rounded right */
        return l->sum.low == 0 && y == (double)(float)l->sum.high;
    double bound = (double)(l->terms - 2) * (UNIT * ROUND_DOWN) * l->sum.magnitude;
    return distance <= bound - 2 * l->sum.slack;
}

static void rate(judge_state *s, const line *l, uint64_t position, uint32_t y, double distance) {
    rounded is_rounded = ROUNDED_UNSURE;
    if (s->judgement->error_class == CUMSUM_CLASS_CORRECTLY_ROUNDED &&
        format_is_finite(&binary32_format, y))
        is_rounded = cumsum_is_rounded(&binary32_format, y, distance, 2 * l->sum.slack,
                                       l->sum.low == 0 && l->sum.slack == 0);
    cumsum_rate_output(s, position, y, is_rounded, distance, UNIT * l->sum.magnitude,
                       l->log2_terms);
}

static inline void check(judge_state *s, const line *l, uint64_t position) {
    if (cumsum_judge_overwritten(s, position))
        return;
    uint32_t y = load_32(s->line_actual, s->actual_step, position);
    double value = (double)binary32_value(y), distance = tally_distance(&l->sum, value);
    if (!l->special && surely_conformant(l, value, distance) &&
        !(s->options.strict_zero && y == 0x80000000u)) {
        s->judgement->counts[CUMSUM_VERDICT_CONFORMANT]++;
    } else {
        cumsum_verdict verdict = cumsum_judge_exactly(s, position).verdict;
        if (verdict != CUMSUM_VERDICT_CONFORMANT && verdict != CUMSUM_VERDICT_CONFORMANT_FLUSH)
            return;
    }
    if (distance > 0 || l->sum.slack > 0)
        rate(s, l, position, y, distance);
}

static inline void judge_line(judge_state *s, bool exclusive) {
    line l = {.lowest = INFINITY};
    for (uint64_t k = 0; k < s->problem.line_length; k++) {
        if (exclusive)
            check(s, &l, k);
        add_term(&l, load_32(s->line_input, s->input_step, k));
        if (!exclusive)
            check(s, &l, k);
    }
}

void cumsum_judge_line_float32(judge_state *s) {
    if (s->problem.exclusive)
        judge_line(s, true);
    else
        judge_line(s, false);
}
