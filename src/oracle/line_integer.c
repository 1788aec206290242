/* SPDX-License-Identifier: MIT */
#include "judge_state.h"

/* A wrong integer: the expected value is the only one that is allowed. */
static void record_wrong(judge_state *s, uint64_t position, uint64_t expected, uint64_t actual) {
    cumsum_finding f = {.terms = position + !s->problem.exclusive,
                        .expected_bits = expected,
                        .actual_bits = actual,
                        .lower_bits = expected,
                        .upper_bits = expected};
    cumsum_judge_record(s, position, CUMSUM_VERDICT_FAIL, &f);
}

/* One loop for both widths and both kinds of scan, which are constants where it is inlined. */
static inline void judge_line(judge_state *s, bool is_64, bool exclusive) {
    uint64_t sum = 0, right = 0;
    for (uint64_t k = 0; k < s->problem.line_length; k++) {
        uint64_t x = is_64 ? load_64(s->line_input, s->input_step, k)
                           : load_32(s->line_input, s->input_step, k);
        uint64_t y = is_64 ? load_64(s->line_actual, s->actual_step, k)
                           : load_32(s->line_actual, s->actual_step, k);
        uint64_t next = is_64 ? sum + x : (uint32_t)(sum + x);
        uint64_t expected = exclusive ? sum : next;
        if (cumsum_judge_overwritten(s, k))
            ;
        else if (y == expected)
            right++;
        else
            record_wrong(s, k, expected, y);
        sum = next;
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
