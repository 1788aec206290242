/* SPDX-License-Identifier: MIT */
/*
 * The loop over a FLOAT32 line. It accepts an output at once if the fast sum (line_sum.h) proves
 * that it lies within the bound of verdict 1; every other output, and so every one that may fail,
 * goes to the exact rule. docs/oracle.md, "Fast path".
 *
 * Invariant: the fast test never accepts what the rule rejects. unit.test_oracle_trees compares the
 * two on every output.
 */
#include "compiler.h"
#include "judge_output.h"
#include "judge_steps.h"

/* Does y surely conform? `short_prefix` is the number of terms of which every order is tried, or 0
 * where there are more. */
CUMSUM_ALWAYS_INLINE bool surely_conforms(const line_sum *l, double y, double distance,
                                          uint64_t short_prefix) {
    if (!l->rounds)
        return distance == 0; /* every partial sum is a binary32 number: S is in `high` alone */
    if (short_prefix && l->nonzero < 3) /* one addition: the result is S, correctly rounded */
        return l->low == 0 && y == (double)(float)l->high;
    if (l->nonzero <= short_prefix) /* every order is tried; these are the likely ones */
        return y == cumsum_reach_in_sequence(l->few, (unsigned)l->nonzero, REACH_BINARY32) ||
               y == cumsum_reach_in_blocks(l->few, (unsigned)l->nonzero, REACH_BINARY32);
    double unit = binary32_format.unit_roundoff * ROUND_DOWN;
    double bound = line_sum_earlier_roundings(l, l->heavy) * unit * l->magnitude;
    return distance <= bound - 2 * l->slack;
}

CUMSUM_ALWAYS_INLINE void judge_output(judge_state *s, const line_sum *l, uint64_t position,
                                       uint64_t short_prefix) {
    if (judge_overwritten(s, position))
        return;
    uint32_t y = load_32(s->line_actual, s->actual_step, position);
    double value = (double)binary32_value(y), distance = line_sum_distance(l, value);
    if (!l->special && surely_conforms(l, value, distance, short_prefix) &&
        !(s->options.strict_zero && y == 0x80000000u)) {
        s->judgement->counts[CUMSUM_VERDICT_CONFORMANT]++;
    } else {
        cumsum_verdict verdict = cumsum_judge_exactly(s, position);
        if (verdict == CUMSUM_VERDICT_EXACT || verdict >= CUMSUM_VERDICT_INDETERMINATE)
            return;
    }
    if (distance != 0 || l->slack > 0)
        judge_rate(s, l, &binary32_format, position, y, distance);
}

CUMSUM_ALWAYS_INLINE void judge_element(judge_state *s, line_sum *l, uint64_t position,
                                        bool exclusive, uint64_t short_prefix) {
    if (exclusive)
        judge_output(s, l, position, short_prefix);
    uint32_t bits = load_32(s->line_input, s->input_step, position);
    double value = (double)binary32_value(bits);
    if (short_prefix)
        line_sum_keep(l, value);
    line_sum_add(l, &binary32_format, bits, value);
    if (!exclusive)
        judge_output(s, l, position, short_prefix);
}

/* Inlined twice, so that `exclusive` is a constant of the loops: one for the short prefixes, and
 * one that need not look for them. */
CUMSUM_ALWAYS_INLINE void judge_line(judge_state *s, bool exclusive) {
    const uint64_t short_prefix = s->how.values ? REACH_MOST : REACH_ALWAYS;
    double few[REACH_MOST];
    line_sum l = line_sum_empty(few);
    uint64_t k = 0;
    for (; k < s->problem.line_length && l.nonzero <= short_prefix; k++)
        judge_element(s, &l, k, exclusive, short_prefix);
    for (; k < s->problem.line_length; k++)
        judge_element(s, &l, k, exclusive, 0);
}

void cumsum_judge_line_float32(judge_state *s) {
    if (s->problem.exclusive)
        judge_line(s, true);
    else
        judge_line(s, false);
}
