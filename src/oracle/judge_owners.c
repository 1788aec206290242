/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "judge_state.h"

/*
 * DirectML accepts some outputs of which two elements share an address. What is there afterwards is
 * the element that was written last, in row-major order of lines (docs/validation.md); the others
 * cannot be judged. The layouts that may be such are rare, and most of them are not.
 */

/* Marks every address with the last line that writes it; returns how many were written twice. */
static uint64_t mark(judge_state *s) {
    const cumsum_problem *p = &s->problem;
    uint64_t stride = p->output_strides[p->axis], shared = 0;
    for (uint64_t line = 0; line < p->lines; line++) {
        uint64_t input_offset, offset;
        cumsum_problem_line_offsets(p, line, &input_offset, &offset);
        for (uint64_t k = 0; k < p->line_length; k++) {
            uint32_t *owner = &s->owners[offset + k * stride];
            shared += *owner != UINT32_MAX;
            *owner = (uint32_t)line; /* below 2^32 - 1: there are no more elements */
        }
    }
    return shared;
}

/* Fills the overwritten places of the verdicts. */
static void mark_verdicts(judge_state *s) {
    for (uint64_t line = 0; line < s->problem.lines; line++) {
        cumsum_judge_start_line(s, line);
        for (uint64_t k = 0; k < s->problem.line_length; k++)
            if (cumsum_judge_overwritten(s, k))
                cumsum_judge_mark(s, k, CUMSUM_VERDICT_COUNT);
    }
}

cumsum_status cumsum_judge_find_owners(judge_state *s) {
    if (!s->problem.output_may_overlap)
        return CUMSUM_OK;
    size_t bytes = (size_t)s->problem.output_extent * sizeof *s->owners;
    s->owners = malloc(bytes);
    if (!s->owners)
        return CUMSUM_OUT_OF_MEMORY;
    memset(s->owners, 0xFF, bytes);
    s->judgement->overwritten = mark(s);
    if (s->judgement->overwritten == 0) {
        free(s->owners);
        s->owners = NULL;
    } else if (s->verdicts) {
        mark_verdicts(s);
    }
    return CUMSUM_OK;
}
