/* SPDX-License-Identifier: MIT */
/*
 * The loop over a FLOAT32 line. It accepts an output at once if the fast sum (line_sum.h) proves
 * that it lies within the bound of verdict 1, |y - S| <= (m - 2) u A; every other output, and so
 * every one that may fail, goes to the exact rule. docs/oracle.md, "Fast path".
 *
 * Invariant: the fast test never accepts what the rule rejects. unit.test_oracle_trees compares the
 * two on every output.
 */
#include "judge_output.h"
#include "judge_steps.h"

/* Does y surely conform? */
static inline bool surely_conforms(const line_sum *l, double y, double distance) {
    if (!l->rounds)
        return distance == 0; /* every partial sum is a binary32 number: S is in `high` alone */
    if (l->terms < 3)         /* one addition: the result is S, correctly rounded */
        return l->low == 0 && y == (double)(float)l->high;
    double unit = binary32_format.unit_roundoff * ROUND_DOWN;
    double bound = (double)(l->terms - 2) * unit * l->magnitude;
    return distance <= bound - 2 * l->slack;
}

static inline void judge_output(judge_state *s, const line_sum *l, uint64_t position) {
    if (judge_overwritten(s, position))
        return;
    uint32_t y = load_32(s->line_actual, s->actual_step, position);
    double value = (double)binary32_value(y), distance = line_sum_distance(l, value);
    if (!l->special && surely_conforms(l, value, distance) &&
        !(s->options.strict_zero && y == 0x80000000u)) {
        s->judgement->counts[CUMSUM_VERDICT_CONFORMANT]++;
    } else {
        cumsum_verdict verdict = cumsum_judge_exactly(s, position);
        if (verdict != CUMSUM_VERDICT_CONFORMANT && verdict != CUMSUM_VERDICT_CONFORMANT_FLUSH)
            return;
    }
    if (distance > 0 || l->slack > 0)
        judge_rate(s, l, &binary32_format, position, y, distance);
}

/* Inlined twice, so that `exclusive` is a constant of the loop. */
static inline void judge_line(judge_state *s, bool exclusive) {
    line_sum l = LINE_SUM_EMPTY;
    for (uint64_t k = 0; k < s->problem.line_length; k++) {
        if (exclusive)
            judge_output(s, &l, k);
        uint32_t bits = load_32(s->line_input, s->input_step, k);
        line_sum_add(&l, &binary32_format, bits, (double)binary32_value(bits));
        if (!exclusive)
            judge_output(s, &l, k);
    }
}

void cumsum_judge_line_float32(judge_state *s) {
    if (s->problem.exclusive)
        judge_line(s, true);
    else
        judge_line(s, false);
}
