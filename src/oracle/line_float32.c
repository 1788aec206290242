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

static inline float as_float(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* 2^q for the lowest bit 2^q of a finite, non-zero value. */
static double lowest_bit(uint32_t bits) {
    unsigned shift;
    uint32_t significand = format_significand(&cumsum_binary32_format, bits, &shift);
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
    if (!format_is_finite(&cumsum_binary32_format, bits))
        l->special = true;
    tally_add(&l->sum, (double)as_float(bits));
    l->terms++;
    if (l->terms > UINT64_C(1) << l->log2_terms)
        l->log2_terms++;
    if (!l->rounds && !l->special)
        watch_rounding(l, bits);
}

/* Is y the exact sum, rounded once? 1 yes, 0 no, -1 too close to a tie to tell. */
static int correctly_rounded(const line *l, uint32_t y, double distance) {
    double gap = ldexp(1, (int)(((y >> 23) & 0xFF) ? ((y >> 23) & 0xFF) : 1) - 150);
    double below = (y & 0x7FFFFFu) ? gap / 2 : gap / 4; /* at a power of two, half as far */
    if (distance == gap / 2 && below == gap / 2 && l->sum.low == 0 && l->sum.slack == 0)
        return !(y & 1); /* a tie: the difference of two numbers this close is exact */
    double doubt = 2 * l->sum.slack + distance * 0x1p-50;
    if (distance + doubt < below)
        return 1;
    return distance - doubt > gap / 2 ? 0 : -1;
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
    if (s->judgement->error_class == CUMSUM_CLASS_CORRECTLY_ROUNDED) {
        int rounded = correctly_rounded(l, y, distance);
        if (rounded < 0) {
            cumsum_judge_catch_up(s, position);
            rounded =
                cumsum_rule_within(&cumsum_binary32_format, y, cumsum_exact_prefix_round(&s->exact),
                                   cumsum_exact_prefix_round(&s->exact), false);
        }
        if (!rounded)
            s->judgement->error_class = CUMSUM_CLASS_ONE;
    }
    class_update(s, position, distance, UNIT * l->sum.magnitude, l->log2_terms);
}

static inline void check(judge_state *s, const line *l, uint64_t position) {
    if (cumsum_judge_overwritten(s, position))
        return;
    uint32_t y = load_32(s->line_actual, s->actual_step, position);
    double value = (double)as_float(y), distance = tally_distance(&l->sum, value);
    if (!l->special && surely_conformant(l, value, distance) &&
        !(s->options.strict_zero && y == 0x80000000u)) {
        s->judgement->counts[CUMSUM_VERDICT_CONFORMANT]++;
        if (distance > 0 && format_is_finite(&cumsum_binary32_format, y))
            rate(s, l, position, y, distance);
        return;
    }
    rule_result r = cumsum_judge_exactly(s, position);
    if (r.verdict == CUMSUM_VERDICT_FAIL)
        s->judgement->error_class = CUMSUM_CLASS_FAIL;
    else if (format_is_finite(&cumsum_binary32_format, y) && distance > 0)
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
