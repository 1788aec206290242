/* SPDX-License-Identifier: MIT */
/*
 * Outputs whose elements share addresses. DirectML accepts some such layouts; a shared element then
 * holds what the last line wrote, in row-major order of lines (docs/validation.md, "Output elements
 * that collide"). Only that writer's output can be judged, so the others are counted and skipped.
 *
 * The test of cumsum_problem_init is a cheap one that may name a layout whose elements never meet.
 * So the writers are worked out address by address, and dropped if there is one for each.
 */
#include <stdlib.h>

#include "judge_steps.h"

static uint64_t outputs_of_line(const judge_state *s) {
    return s->sums ? 1 : s->problem.line_length;
}

/* Gives every address the last line that writes it; returns how many writes were overwritten. A
 * line number is below 2^32 - 1, since a tensor has no more elements; that value means none. */
static uint64_t find_writers(judge_state *s) {
    const cumsum_problem *p = &s->problem;
    const uint64_t stride = s->sums ? 0 : p->output_strides[p->axis];
    const uint64_t outputs = outputs_of_line(s);
    uint64_t overwritten = 0;
    for (uint64_t line = 0; line < p->lines; line++) {
        uint64_t input_offset, offset;
        cumsum_problem_line_offsets(p, line, &input_offset, &offset);
        for (uint64_t k = 0; k < outputs; k++) {
            uint32_t *writer = &s->last_writer[offset + k * stride];
            overwritten += *writer != UINT32_MAX;
            *writer = (uint32_t)line;
        }
    }
    return overwritten;
}

/* Marks the overwritten outputs in the caller's array of verdicts. */
static void mark_overwritten(judge_state *s) {
    for (uint64_t line = 0; line < s->problem.lines; line++) {
        cumsum_judge_start_line(s, line);
        for (uint64_t k = 0; k < outputs_of_line(s); k++)
            if (judge_overwritten(s, k))
                *cumsum_judge_verdict(s, k) = CUMSUM_VERDICT_COUNT;
    }
}

void cumsum_judge_find_last_writers(judge_state *s) {
    if (!s->problem.output_may_overlap)
        return;
    size_t bytes = (size_t)s->problem.output_extent * sizeof *s->last_writer;
    s->last_writer = malloc(bytes);
    s->out_of_memory = !s->last_writer;
    if (s->out_of_memory)
        return;
    memset(s->last_writer, 0xFF, bytes);
    s->judgement->overwritten = find_writers(s);
    if (s->judgement->overwritten == 0) {
        free(s->last_writer);
        s->last_writer = NULL;
    } else if (s->verdicts) {
        mark_overwritten(s);
    }
}
