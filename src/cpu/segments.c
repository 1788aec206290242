/* SPDX-License-Identifier: MIT */
/*
 * Executes segments: pieces of lines (carry_execute.c), each of which begins from a carry of no
 * elements, or of the initial value alone. Threads share the lines.
 */
#include <cumsum/segments.h>

#include <stdlib.h>
#include <string.h>

#include "diagnose.h"
#include "fp_environment.h"
#include "pieces.h"
#include "pool_order.h"
#include "segment_ends.h"

typedef struct segments_run {
    piece_job job; /* of no elements; its carry's end is that of `start` */
    cumsum_segments segments;
    const unsigned char *start; /* the carry of a line before the first element of a segment */
} segments_run;

/* Lines from number `first` on that have the same ends. */
static void move_segments_of(const segments_run *run, const segment_ends *ends, uint64_t first,
                             uint64_t count) {
    const cumsum_problem *problem = &run->job.plan->problem;
    const size_t size = run->job.carry->size;
    uint64_t begin = 0;
    for (uint64_t i = 0; i < ends->count; i++) {
        const uint64_t end = ends->ends[i];
        piece_job job = run->job;
        job.first = problem->decreasing ? problem->line_length - end : begin;
        job.count = end - begin;
        begin = end;
        for (uint64_t line = first; line < first + count && job.count; line++)
            memcpy(cumsum_carry_of_line(job.carry, line), run->start, size);
        if (job.count)
            cumsum_move_piece(&job, first, count);
    }
}

static void move_segments(const segments_run *run, uint64_t first, uint64_t count) {
    const cumsum_fp_environment found = cumsum_fp_enter();
    segment_ends ends = cumsum_segment_ends(&run->segments, first, NULL);
    if (!run->segments.per_line)
        move_segments_of(run, &ends, first, count);
    for (uint64_t line = first; line < first + count && run->segments.per_line; line++) {
        if (line > first)
            ends = cumsum_segment_ends(&run->segments, line, &ends);
        move_segments_of(run, &ends, line, 1);
    }
    cumsum_fp_leave(found);
}

static void segments_task(void *context, size_t first, size_t count) {
    cumsum_pool_acquire(context);
    move_segments(context, first, count);
    cumsum_pool_release(context);
}

/* The carry of the first line becomes that of each segment's beginning. */
static void take_initial(piece_job *job, const void *initial) {
    uint64_t element[2] = {0}; /* aligned */
    memcpy(element, initial, job->plan->problem.element_size);
    const cumsum_fp_environment found = cumsum_fp_enter();
    cumsum_move_element(job, (const unsigned char *)element);
    cumsum_fp_leave(found);
    job->carry->end = 1;
}

static cumsum_status check_segments_call(const cumsum_plan *plan, const cumsum_segments *segments,
                                         const cumsum_binding *binding,
                                         cumsum_diagnostic *diagnostic) {
    cumsum_carry *none;
    cumsum_status status = cumsum_carry_check_creation(plan, &none, diagnostic);
    if (status == CUMSUM_OK)
        status = cumsum_segments_check(segments, &plan->problem, diagnostic);
    return status == CUMSUM_OK ? cumsum_binding_check(&plan->problem, binding, diagnostic) : status;
}

cumsum_status cumsum_execute_segments(const cumsum_plan *plan, const cumsum_segments *segments,
                                      const void *input, uint64_t input_in_bytes, void *output,
                                      uint64_t output_in_bytes, cumsum_diagnostic *diagnostic) {
    const cumsum_binding binding = {.input = input,
                                    .input_in_bytes = input_in_bytes,
                                    .output = output,
                                    .output_in_bytes = output_in_bytes};
    const cumsum_status status = check_segments_call(plan, segments, &binding, diagnostic);
    if (status != CUMSUM_OK)
        return status;
    segments_run run = {.job = {.plan = plan, .binding = &binding, .writes = true},
                        .segments = cumsum_segments_of(segments, &plan->problem.line_length)};
    run.job.carry = cumsum_carry_allocate(plan, 0, false, 0);
    unsigned char *start = run.job.carry ? malloc(run.job.carry->size) : NULL;
    if (start) {
        if (segments->initial)
            take_initial(&run.job, segments->initial);
        memcpy(start, cumsum_carry_of_line(run.job.carry, 0), run.job.carry->size);
        run.start = start;
        cumsum_plan_share_lines(plan, plan->problem.lines, segments_task, &run);
    }
    cumsum_carry_destroy(run.job.carry);
    free(start);
    return start ? CUMSUM_OK : cumsum_carry_no_memory(diagnostic);
}
