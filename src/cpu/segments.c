/* SPDX-License-Identifier: MIT */
/*
 * Executes segments. Short ones wait on a stage until there are enough of about one length, and are
 * lines of a panel then, the initial value before them. Others are lines of panels, too: segments
 * of one length that follow each other in a line, or one segment of many lines, whichever gives a
 * panel more lines. From an initial value these are pieces of lines (carry_execute.c), each of
 * which begins from the carry of that value alone. Threads share the lines.
 */
#include <cumsum/segments.h>

#include <stddef.h>
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
    uint64_t least_staged, most_staged; /* elements of a segment that is summed by way of a stage */
} segments_run;

/* Sums the elements [begin, end) of `count` lines from number `first` on, from the initial value.
 */
static void move_segment(const segments_run *run, uint64_t begin, uint64_t end, uint64_t first,
                         uint64_t count) {
    const cumsum_problem *problem = &run->job.plan->problem;
    piece_job job = run->job;
    job.first = problem->decreasing ? problem->line_length - end : begin;
    job.count = end - begin;
    if (!job.count)
        return;
    for (uint64_t line = first; line < first + count; line++)
        memcpy(cumsum_carry_of_line(job.carry, line), run->start, job.carry->size);
    cumsum_move_piece(&job, first, count);
}

/* Short segments are copied into rows of equal length, the initial value before each, and the rows
 * are scanned together. What a row has beyond its segment comes last in traversal order, and in
 * every order of additions an output depends on the elements up to its own alone (line_state.h): no
 * output that is copied back depends on it. It is zeros, since the exact order takes longer for
 * other magnitudes. Rows of one kind have the same number of units, and one more for an initial
 * value. */
#define STAGE_UNIT     UINT64_C(64) /* bytes */
#define STAGE_BYTES    UINT64_C(65536)
#define STAGE_KINDS    12
#define STAGE_SEGMENTS 32 /* of a kind that wait until there are enough */

static const uint8_t stage_units[STAGE_KINDS] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64};

/* The first kind with so many units, up to 64. */
static unsigned stage_kind(uint64_t units) {
    unsigned kind = 0;
    while (stage_units[kind] < units)
        kind++;
    return kind;
}

/* Where a segment that waits begins in memory, and its bytes. */
typedef struct staged_segment {
    const unsigned char *input;
    unsigned char *output;
    size_t bytes;
} staged_segment;

typedef struct segment_stage {
    const segments_run *run;
    void *scratch;
    uint32_t waiting[STAGE_KINDS];
    staged_segment segments[STAGE_KINDS][STAGE_SEGMENTS];
    unsigned char rows[STAGE_BYTES];
} segment_stage;

static size_t stage_row(const segment_stage *stage, unsigned kind) {
    return (size_t)((stage_units[kind] + (stage->run->start ? UINT64_C(1) : 0)) * STAGE_UNIT);
}

/* Sums the segments of a kind that wait. */
static void sum_staged(segment_stage *stage, unsigned kind) {
    const cumsum_plan *plan = stage->run->job.plan;
    const bool decreasing = plan->problem.decreasing, has_initial = stage->run->start != NULL;
    const size_t size = plan->problem.element_size, row = stage_row(stage, kind);
    const size_t before = has_initial ? size : 0;
    const size_t gap = row - (kind ? stage_units[kind - 1] * STAGE_UNIT : 0);
    const uint64_t count = stage->waiting[kind];
    unsigned char *const first = stage->rows + (decreasing ? row - size : 0);
    const int64_t step = decreasing ? -(int64_t)size : (int64_t)size;
    for (uint64_t i = 0; i < count; i++) {
        const staged_segment *segment = &stage->segments[kind][i];
        unsigned char *to = stage->rows + i * row;
        memset(to + (decreasing ? 0 : row - gap), 0, gap);
        memcpy(to + (decreasing ? row - before - segment->bytes : before), segment->input,
               segment->bytes);
        if (has_initial)
            memcpy(first + i * row, stage->run->segments.initial, size);
    }
    const cumsum_panel panel = {.input = first,
                                .output = first,
                                .lines = count,
                                .input_line_step = (int64_t)row,
                                .output_line_step = (int64_t)row,
                                .groups = 1,
                                .length = row / size,
                                .input_step = step,
                                .output_step = step,
                                .scratch = stage->scratch};
    plan->compute_panel(&panel, has_initial ? &plan->arithmetic : &plan->panel_arithmetic);
    for (uint64_t i = 0; i < count; i++) {
        const staged_segment *segment = &stage->segments[kind][i];
        memcpy(segment->output,
               stage->rows + i * row + (decreasing ? row - before - segment->bytes : before),
               segment->bytes);
    }
    stage->waiting[kind] = 0;
}

/* Lets a segment wait, as the panel of one line; false if it does not belong on the stage. */
static bool stage_segment(segment_stage *stage, const cumsum_panel *segment) {
    if (!stage || segment->length < stage->run->least_staged ||
        segment->length > stage->run->most_staged)
        return false;
    const size_t bytes = (size_t)segment->length * stage->run->job.plan->problem.element_size;
    const unsigned kind = stage_kind((bytes + STAGE_UNIT - 1) / STAGE_UNIT);
    const int64_t lowest = segment->input_step < 0 ? (int64_t)segment->length - 1 : 0;
    const uint32_t number = stage->waiting[kind]++;
    stage->segments[kind][number] =
        (staged_segment){segment->input + lowest * segment->input_step,
                         segment->output + lowest * segment->output_step, bytes};
    if (number + 1 == STAGE_SEGMENTS || (number + 2) * stage_row(stage, kind) > STAGE_BYTES)
        sum_staged(stage, kind);
    return true;
}

/* Sums lines from number `first` on, which have the same ends, from the initial value. */
static void move_segments_of(const segments_run *run, const segment_ends *ends, uint64_t first,
                             uint64_t count) {
    uint64_t begin = 0;
    for (uint64_t i = 0; i < ends->count; i++) {
        move_segment(run, begin, ends->ends[i], first, count);
        begin = ends->ends[i];
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

/* Fewer segments of one length are staged rather than summed as a panel. */
#define EQUAL_SEGMENTS 8

/* Sums the segments of one line. In memory they follow each other from the first one on, in either
 * direction. */
static void sum_segments_of_line(const segments_run *run, const segment_ends *ends, uint64_t number,
                                 segment_stage *stage) {
    const cumsum_plan *plan = run->job.plan;
    const cumsum_panel line = cumsum_line_of_piece(&run->job, number);
    const bool decreasing = plan->problem.decreasing;
    uint64_t begin = 0, same;
    for (uint64_t i = 0; i < ends->count; i += same) {
        const uint64_t end = ends->ends[i], length = end - begin;
        const int64_t first = (int64_t)(decreasing ? line.length - end : begin);
        const int64_t step = decreasing ? -(int64_t)length : (int64_t)length;
        cumsum_panel panel = line;
        same = run->start ? 1 : equal_segments(ends, i, begin);
        same = same < EQUAL_SEGMENTS ? 1 : same;
        panel.input += first * line.input_step;
        panel.output += first * line.output_step;
        panel.input_line_step = step * line.input_step;
        panel.output_line_step = step * line.output_step;
        panel.length = length;
        panel.lines = same;
        const bool waits = same == 1 && length && stage_segment(stage, &panel);
        if (run->start && !waits)
            move_segment(run, begin, end, number, 1);
        else if (length && !waits)
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

/* A stage for one thread; NULL without memory for it, which takes longer. */
static segment_stage *open_stage(const segments_run *run) {
    segment_stage *stage = malloc(sizeof *stage);
    if (!stage)
        return NULL;
    memset(stage, 0, offsetof(segment_stage, rows));
    stage->run = run;
    stage->scratch = cumsum_scratch_take(&run->job.plan->scratch);
    return stage;
}

static void close_stage(segment_stage *stage) {
    for (unsigned kind = 0; stage && kind < STAGE_KINDS; kind++)
        if (stage->waiting[kind])
            sum_staged(stage, kind);
    if (stage)
        cumsum_scratch_give_back(stage->scratch);
    free(stage);
}

static void move_segments(const segments_run *run, uint64_t first, uint64_t count) {
    const cumsum_fp_environment found = cumsum_fp_enter();
    segment_ends ends = cumsum_segment_ends(&run->segments, first, NULL);
    if (run->start && !run->segments.per_line && !run->least_staged) {
        move_segments_of(run, &ends, first, count);
    } else if (run->by_segments) {
        sum_segment_of_lines(run, &ends, first, count);
    } else {
        segment_stage *stage = run->least_staged ? open_stage(run) : NULL;
        for (uint64_t line = first; line < first + count; line++) {
            if (line > first)
                ends = cumsum_segment_ends(&run->segments, line, &ends);
            sum_segments_of_line(run, &ends, line, stage);
        }
        close_stage(stage);
    }
    cumsum_fp_leave(found);
}

/* Segments are staged where the elements of a line are neighbours, and where it was measured that
 * they take longer one by one: short ones, and in the sequential order of floats longer ones. */
static void choose_staged(segments_run *run) {
    const cumsum_plan *plan = run->job.plan;
    const cumsum_problem *problem = &plan->problem;
    const bool sequential = plan->panel_arithmetic.numerics.order == CUMSUM_ORDER_SEQUENTIAL;
    const bool plain = sequential && problem->type != CUMSUM_DATA_TYPE_FLOAT16;
    if (problem->input_strides[problem->axis] != 1 || problem->output_strides[problem->axis] != 1)
        return;
    run->least_staged = plain && !run->start ? 32 : 1;
    run->most_staged = (plan->floating_point && sequential ? 4096
                        : run->start                       ? 1024
                                                           : 512) /
                       problem->element_size;
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
    if (!plan)
        return cumsum_diagnose_argument(diagnostic, "plan", 0, "NULL", "must be given");
    cumsum_status status = cumsum_segments_check(segments, &plan->problem, diagnostic);
    if (status == CUMSUM_OK && segments->initial && plan->problem.type == CUMSUM_DATA_TYPE_FLOAT64)
        status =
            cumsum_diagnose_unsupported(diagnostic, "DataType", CUMSUM_DATA_TYPE_FLOAT64, "FLOAT64",
                                        "there are no sums of this type from an initial value");
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
    choose_staged(&run);
    if (has_room)
        cumsum_plan_share_lines(plan, plan->problem.lines, segments_task, &run);
    cumsum_carry_destroy(run.job.carry);
    free(run.start);
    return has_room ? CUMSUM_OK : cumsum_carry_no_memory(diagnostic);
}
