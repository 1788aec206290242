/* SPDX-License-Identifier: MIT */
/*
 * cumsum_exact_sums: the exact sums of a whole tensor, each rounded once, of every type that
 * cumsum_judge takes. They are what the oracle calls the expected values.
 */
#include <cumsum/oracle.h>

#include "diagnose.h"
#include "judge_state.h"
#include "validate.h"

static void store_bits(unsigned char *at, uint64_t bits, uint32_t size) {
    const uint8_t bits8 = (uint8_t)bits;
    const uint16_t bits16 = (uint16_t)bits;
    const uint32_t bits32 = (uint32_t)bits;
    if (size == 1)
        memcpy(at, &bits8, 1);
    else if (size == 2)
        memcpy(at, &bits16, 2);
    else if (size == 4)
        memcpy(at, &bits32, 4);
    else
        memcpy(at, &bits, 8);
}

/* The line's outputs lie where those of the tensor that would be judged lie. */
static void sum_line(judge_state *s, unsigned char *output) {
    const uint64_t line_offset = (uint64_t)(s->line_actual - s->actual);
    const bool is_float = judge_format(s) != NULL;
    uint64_t sum = 0;
    for (uint64_t k = 0; k < s->problem.line_length; k++) {
        uint64_t before = sum;
        if (is_float)
            cumsum_judge_catch_up(s, k);
        else
            sum += judge_term(s, k);
        uint64_t bits =
            is_float ? cumsum_rule_expected(&s->exact) : (s->problem.exclusive ? before : sum);
        store_bits(output + (int64_t)line_offset + s->actual_step * (int64_t)k, bits,
                   s->problem.element_size);
    }
}

cumsum_status cumsum_exact_sums(const cumsum_operator_desc *desc, const void *input,
                                uint64_t input_in_bytes, void *output, uint64_t output_in_bytes,
                                cumsum_diagnostic *diagnostic) {
    judge_state s = {.input = input, .actual = output};
    if (!input || !output)
        return cumsum_diagnose_argument(diagnostic, !input ? "input" : "output", 0, "NULL",
                                        "must not be a null pointer");
    cumsum_status status = cumsum_problem_init_judged(&s.problem, desc, diagnostic);
    if (status == CUMSUM_OK)
        status = cumsum_judge_check_ranges(&s, input_in_bytes, output_in_bytes, diagnostic);
    if (status != CUMSUM_OK)
        return status;
    for (uint64_t line = 0; line < s.problem.lines; line++) {
        cumsum_judge_start_line(&s, line);
        sum_line(&s, output);
    }
    return CUMSUM_OK;
}
