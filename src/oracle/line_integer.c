/* SPDX-License-Identifier: MIT */
/*
 * The loop over a line of integers. Addition modulo 2^32 or 2^64 is associative, so every order of
 * additions gives the same bits (docs/oracle.md, "Integers"): an output is right or it is a FAIL,
 * and signed types are judged as unsigned ones of their width.
 */
#include "judge_steps.h"

/* The accepted interval holds one value. */
static void record_wrong(judge_state *s, uint64_t position, uint64_t expected, uint64_t actual) {
    cumsum_finding f = {.terms = position + !s->problem.exclusive,
                        .expected_bits = expected,
                        .actual_bits = actual,
                        .lower_bits = expected,
                        .upper_bits = expected};
    cumsum_judge_record(s, position, CUMSUM_VERDICT_FAIL, &f);
}

/* Inlined four times, so that the width and the kind of scan are constants of the loop. Outputs
 * that are right are counted here: recording them one by one would take longer than judging them.
 */
static inline void judge_line(judge_state *s, bool is_64, bool exclusive) {
    uint64_t sum = 0, right = 0;
    for (uint64_t k = 0; k < s->problem.line_length; k++) {
        uint64_t x = is_64 ? load_64(s->line_input, s->input_step, k)
                           : load_32(s->line_input, s->input_step, k);
        uint64_t y = is_64 ? load_64(s->line_actual, s->actual_step, k)
                           : load_32(s->line_actual, s->actual_step, k);
        uint64_t next = is_64 ? sum + x : (uint32_t)(sum + x);
        uint64_t expected = exclusive ? sum : next;
        sum = next;
        if (judge_overwritten(s, k))
            continue;
        if (y == expected)
            right++;
        else
            record_wrong(s, k, expected, y);
    }
    s->judgement->counts[CUMSUM_VERDICT_EXACT] += right;
}

void cumsum_judge_line_integer(judge_state *s) {
    bool is_64 = s->problem.element_size == 8;
    if (is_64 && s->problem.exclusive)
        judge_line(s, true, true);
    else if (is_64)
        judge_line(s, true, false);
    else if (s->problem.exclusive)
        judge_line(s, false, true);
    else
        judge_line(s, false, false);
}
