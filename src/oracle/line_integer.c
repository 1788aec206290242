/* SPDX-License-Identifier: MIT */
/*
 * The loop over a line of integers. Addition modulo 2^N is associative, so every order of additions
 * gives the same bits (docs/oracle.md, "Integers"): an output is right or it is a FAIL,
 * and signed types are judged as unsigned ones of their width.
 */
#include "compiler.h"
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

/* Inlined for each width, so that it is a constant of the loop, and so is the kind of scan. Outputs
 * that are right are counted here: recording them one by one would take longer than judging them.
 */
CUMSUM_ALWAYS_INLINE void judge_scan(judge_state *s, uint32_t size, bool exclusive) {
    const uint64_t mask = UINT64_MAX >> (64 - 8 * size);
    uint64_t sum = 0, right = 0;
    for (uint64_t k = 0; k < s->problem.line_length; k++) {
        uint64_t x = load_element(s->line_input, s->input_step, k, size);
        uint64_t y = load_element(s->line_actual, s->actual_step, k, size);
        uint64_t next = (sum + x) & mask;
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

CUMSUM_ALWAYS_INLINE void judge_line(judge_state *s, uint32_t size) {
    if (s->problem.exclusive)
        judge_scan(s, size, true);
    else
        judge_scan(s, size, false);
}

void cumsum_judge_line_integer(judge_state *s) {
    switch (s->problem.element_size) {
    case 1:
        judge_line(s, 1);
        break;
    case 2:
        judge_line(s, 2);
        break;
    case 4:
        judge_line(s, 4);
        break;
    default:
        judge_line(s, 8);
        break;
    }
}
