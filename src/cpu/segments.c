/* SPDX-License-Identifier: MIT */
/*
 * Executes segments. Without an initial value they are lines of panels: segments of one length that
 * follow each other in a line, or one segment of many lines, whichever gives a panel more lines.
 * From an initial value they are pieces of lines (carry_execute.c), each of which begins from the
 * carry of that value alone. Threads share the lines.
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
    piece_job job; /* whole lines; its carry begins after the initial value */
    cumsum_segments segments;
    unsigned char *start; /* the carry of a line after the initial value; NULL: there is none */
    bool by_segments;     /* a panel has one segment of many lines: sum_segment_of_lines */
} segments_run;

/* Sums lines from number `first` on, which have the same ends, from the initial value. */
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

/* How many segments from number i on, which begins at `begin`, have its length. */
static uint64_t equal_segments(const segment_ends *ends, uint64_t i, uint64_t begin) {
    const uint64_t length = ends->ends[i] - begin;
    uint64_t same = 1;
    while (i + same < ends->count && ends->ends[i + same] - ends->ends[i + same - 1] == length)
        same++;
    return same;
}

/* Sums the segments of one line. In memory they follow each other from the first one on, in either
 * direction. */
static void sum_segments_of_line(const segments_run *run, const segment_ends *ends,
                                 uint64_t number) {
    const cumsum_plan *plan = run->job.plan;
    const cumsum_panel line = cumsum_line_of_piece(&run->job, number);
    const bool decreasing = plan->problem.decreasing;
    uint64_t begin = 0, same;
    for (uint64_t i = 0; i < ends->count; i += same) {
        const uint64_t end = ends->ends[i], length = end - begin;
        const int64_t first = (int64_t)(decreasing ? line.length - end : begin);
        const int64_t step = decreasing ? -(int64_t)length : (int64_t)length;
        cumsum_panel panel = line;
        same = equal_segments(ends, i, begin);
        panel.input += first * line.input_step;
        panel.output += first * line.output_step;
        panel.input_line_step = step * line.input_step;
        panel.output_line_step = step * line.output_step;
        panel.length = length;
        panel.lines = same;
        if (length)
            plan->compute_panel(&panel, &plan->panel_arithmetic);
        begin = ends->ends[i + same - 1];
    }
}

/* Sums lines that have the same ends: the first segment of all lines, then the second. */
static void sum_segment_of_lines(const segments_run *run, const segment_ends *ends, uint64_t first,
                                 uint64_t count) {
    cumsum_plan part = *run->job.plan;
    cumsum_shape *shape = &part.shape;
    const cumsum_shape whole = *shape;
    void *const scratch = cumsum_scratch_take(&run->job.plan->scratch);
    uint64_t begin = 0;
    for (uint64_t i = 0; i < ends->count; i++) {
        const uint64_t end = ends->ends[i];
        const int64_t k = (int64_t)(part.problem.decreasing ? whole.length - end : begin);
        shape->length = end - begin;
        shape->input_origin = whole.input_origin + k * whole.input_step;
        shape->output_origin = whole.output_origin + k * whole.output_step;
        if (end > begin)
            cumsum_plan_compute_lines(&part, run->job.binding, first, count, scratch);
        begin = end;
    }
    cumsum_scratch_give_back(scratch);
}

/* Whether a panel has more lines as one segment of many lines than as segments of one line. */
static bool goes_by_segments(const segments_run *run) {
    const segment_ends ends = {run->segments.ends, run->segments.count};
    uint64_t begin = 0, panels = 0;
    if (run->segments.per_line)
        return false;
    for (uint64_t i = 0, same; i < ends.count; i += same, panels++) {
        same = equal_segments(&ends, i, begin);
        begin = ends.ends[i + same - 1];
    }
    return run->job.plan->problem.lines * panels > ends.count;
}

static void move_segments(const segments_run *run, uint64_t first, uint64_t count) {
    const cumsum_fp_environment found = cumsum_fp_enter();
    segment_ends ends = cumsum_segment_ends(&run->segments, first, NULL);
    if (run->start && !run->segments.per_line)
        move_segments_of(run, &ends, first, count);
    else if (run->by_segments)
        sum_segment_of_lines(run, &ends, first, count);
    else
        for (uint64_t line = first; line < first + count; line++) {
            if (line > first)
                ends = cumsum_segment_ends(&run->segments, line, &ends);
            if (run->start)
                move_segments_of(run, &ends, line, 1);
            else
                sum_segments_of_line(run, &ends, line);
        }
    cumsum_fp_leave(found);
}

static void segments_task(void *context, size_t first, size_t count) {
    cumsum_pool_acquire(context);
    move_segments(context, first, count);
    cumsum_pool_release(context);
}

/* Makes the carries of all lines, and the one after the initial value. False without memory. */
static bool take_initial(segments_run *run, const void *initial) {
    piece_job *job = &run->job;
    uint64_t element[2] = {0}; /* aligned */
    memcpy(element, initial, job->plan->problem.element_size);
    job->carry = cumsum_carry_allocate(job->plan, 0, false, 0);
    unsigned char *start = job->carry ? malloc(job->carry->size) : NULL;
    if (!start)
        return false;
    const cumsum_fp_environment found = cumsum_fp_enter();
    cumsum_move_element(job, (const unsigned char *)element);
    cumsum_fp_leave(found);
    job->carry->end = 1;
    memcpy(start, cumsum_carry_of_line(job->carry, 0), job->carry->size);
    run->start = start;
    return true;
}

static cumsum_status check_segments_call(const cumsum_plan *plan, const cumsum_segments *segments,
                                         const cumsum_binding *binding,
                                         cumsum_diagnostic *diagnostic) {
    cumsum_carry *none;
    if (!plan)
        return cumsum_diagnose_argument(diagnostic, "plan", 0, "NULL", "must be given");
    cumsum_status status = cumsum_segments_check(segments, &plan->problem, diagnostic);
    if (status == CUMSUM_OK && segments->initial)
        status = cumsum_carry_check_creation(plan, &none, diagnostic);
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
    run.job.count = plan->problem.line_length;
    run.by_segments = !segments->initial && goes_by_segments(&run);
    const bool has_room = !segments->initial || take_initial(&run, segments->initial);
    if (has_room)
        cumsum_plan_share_lines(plan, plan->problem.lines, segments_task, &run);
    cumsum_carry_destroy(run.job.carry);
    free(run.start);
    return has_room ? CUMSUM_OK : cumsum_carry_no_memory(diagnostic);
}
