/* SPDX-License-Identifier: MIT */
/*
 * Executes pieces from a carry, and moves a carry or a total over pieces without outputs.
 *
 * A line of a piece is a panel of one line. The kernel takes it, as a segment (segment.h) or as a
 * panel from a carry, in the blocked order its whole blocks or tiles; line_state.c takes what is
 * left. All move the same carry. Once the arguments have been accepted nothing can fail, and
 * nothing is allocated.
 */
#include "pieces.h"

#include "compiler.h"
#include "diagnose.h"
#include "fp_environment.h"
#include "pool_order.h"
#include "staging.h"

#include <string.h>

cumsum_panel cumsum_line_of_piece(const piece_job *job, uint64_t number) {
    const cumsum_problem *problem = &job->plan->problem;
    const int64_t size = (int64_t)problem->element_size;
    const int64_t input_stride = (int64_t)problem->input_strides[problem->axis] * size;
    const int64_t output_stride = (int64_t)problem->output_strides[problem->axis] * size;
    const uint64_t index = problem->decreasing ? problem->line_length - 1 - job->first : job->first;
    uint64_t input_offset = 0, output_offset = 0;
    cumsum_problem_line_offsets(problem, number, &input_offset, &output_offset);
    cumsum_panel line = {.input = (const unsigned char *)job->binding->input +
                                  (int64_t)input_offset * size + (int64_t)index * input_stride,
                         .lines = 1,
                         .groups = 1,
                         .length = job->count,
                         .input_step = problem->decreasing ? -input_stride : input_stride,
                         .stream = job->plan->stream};
    if (job->writes) {
        line.output = (unsigned char *)job->binding->output + (int64_t)output_offset * size +
                      (int64_t)index * output_stride;
        line.output_step = problem->decreasing ? -output_stride : output_stride;
    } else { /* kernels that only read take the direction from the output, which nothing writes */
        memcpy(&line.output, &line.input, sizeof line.output);
        line.output_step = line.input_step;
    }
    return line;
}

/* The elements [first, first + count) of a line. */
static cumsum_panel part_of_line(const cumsum_panel *line, uint64_t first, uint64_t count) {
    cumsum_panel part = *line;
    part.input += (int64_t)first * line->input_step;
    part.output += (int64_t)first * line->output_step;
    part.length = count;
    return part;
}

static bool is_blocked_total(const cumsum_carry *carry) {
    return carry->is_total && carry->kind == CUMSUM_STATE_BLOCKED;
}

/* Where a total of the blocked order keeps the total of a line's next tile. */
static float *next_total(const cumsum_carry *total, uint64_t number) {
    const cumsum_blocked_carry *state = cumsum_carry_of_line(total, number);
    return total->totals + number * total->room + cumsum_whole_tiles(total->begin, state->position);
}

/* Moves a total of the blocked order over the tiles of a segment. */
static void keep_tiles(const cumsum_carry *total, uint64_t number, uint64_t elements,
                       const cumsum_segment_sums *sums) {
    cumsum_blocked_carry *state = cumsum_carry_of_line(total, number);
    memcpy(next_total(total, number), sums->blocked.tiles,
           (size_t)(elements / CUMSUM_TILE) * sizeof(float));
    memcpy(state->last, sums->blocked.last, sizeof state->last);
    state->position += elements;
}

/* A line up to the first position that the kernel takes, from there on, and what is left. */
typedef struct line_parts {
    cumsum_panel before, whole, behind;
} line_parts;

/* unit: of the blocked order, the elements at multiples of which the kernel begins and ends.
 * last: elements at the end that it does not take. */
static line_parts parts_of_line(const piece_job *job, const cumsum_panel *line, uint64_t number,
                                uint64_t unit, uint64_t last) {
    uint64_t open = 0, first = line->length, whole = 0;
    if (job->carry->kind == CUMSUM_STATE_BLOCKED) {
        const cumsum_blocked_carry *carry = cumsum_carry_of_line(job->carry, number);
        open = (unit - carry->position % unit) % unit;
    } else {
        unit = 1;
    }
    if (job->plan->line_segments && open + last < line->length) {
        first = open;
        whole = (line->length - open - last) / unit * unit;
    }
    return (line_parts){.before = part_of_line(line, 0, first),
                        .whole = part_of_line(line, first, whole),
                        .behind = part_of_line(line, first + whole, line->length - first - whole)};
}

/* Without the kernel. */
static void write_plainly(const piece_job *job, const cumsum_panel *line, uint64_t number) {
    const bool has_totals = is_blocked_total(job->carry) && job->carry->totals;
    cumsum_move_line(line, &job->plan->arithmetic, cumsum_carry_of_line(job->carry, number),
                     has_totals ? next_total(job->carry, number) : NULL);
}

/* Writes a line's outputs. Kernels do not set what a total keeps of its last element. */
static void write_line(const piece_job *job, const cumsum_panel *line, uint64_t number) {
    const cumsum_plan *plan = job->plan;
    void *carry = cumsum_carry_of_line(job->carry, number);
    if (job->carry->kind == CUMSUM_STATE_SEQUENTIAL && plan->continues_lines) {
        cumsum_panel continued = *line;
        continued.carry = carry;
        plan->compute_panel(&continued, &plan->arithmetic);
        return;
    }
    const line_parts parts =
        parts_of_line(job, line, number, CUMSUM_BLOCK, is_blocked_total(job->carry));
    write_plainly(job, &parts.before, number);
    if (plan->line_segments && parts.whole.length)
        plan->line_segments->write(&parts.whole, &plan->arithmetic, NULL, carry, NULL);
    write_plainly(job, &parts.behind, number);
}

/* Elements whose outputs are written only to move the carry, at a time. */
#define UNREAD UINT64_C(512)

/* Not inlined, so that the outputs take stack only while they are written. */
CUMSUM_NEVER_INLINE void write_unread(const piece_job *job, const cumsum_panel *line,
                                      uint64_t number) {
    unsigned char unread[UNREAD * sizeof(uint64_t)];
    const int64_t size = (int64_t)job->plan->problem.element_size;
    for (uint64_t k = 0; k < line->length; k += UNREAD) {
        cumsum_panel part = part_of_line(line, k, cumsum_least(line->length - k, UNREAD));
        const bool reversed = line->input_step < 0;
        part.output = unread + (reversed ? (part.length - 1) * (uint64_t)size : 0);
        part.output_step = reversed ? -size : size;
        part.stream = false;
        write_line(job, &part, number);
    }
}

/* Moves the carry of a line without outputs. */
static void read_line(const piece_job *job, const cumsum_panel *line, uint64_t number) {
    const cumsum_arithmetic *arithmetic = &job->plan->arithmetic;
    const line_parts parts = parts_of_line(job, line, number, CUMSUM_TILE, 0);
    const uint64_t most = CUMSUM_SEGMENT_TILES * CUMSUM_TILE;
    write_unread(job, &parts.before, number);
    for (uint64_t k = 0; k < parts.whole.length; k += most) {
        const cumsum_panel segment =
            part_of_line(&parts.whole, k, cumsum_least(parts.whole.length - k, most));
        cumsum_segment_sums sums;
        job->plan->line_segments->reduce(&segment, arithmetic, &sums);
        if (is_blocked_total(job->carry))
            keep_tiles(job->carry, number, segment.length, &sums);
        else
            cumsum_segment_advance(arithmetic, segment.length, &sums,
                                   cumsum_carry_of_line(job->carry, number));
    }
    write_unread(job, &parts.behind, number);
}

/* Bytes of lines that are copied next to each other, and between these a cache line more than a
 * tile, so that they begin in different sets of the first-level cache. */
#define STAGE_BYTES UINT64_C(16384)

typedef struct line_stage {
    unsigned char bytes[STAGE_BYTES + UINT64_C(64) * 8];
    int64_t element; /* bytes */
    int64_t step;    /* from a line to the next */
} line_stage;

/* A panel whose lines fit the stage, the first of which has a number, by way of the stage. There
 * outputs may be written even where they are not wanted. */
static void move_staged_part(const piece_job *job, const cumsum_panel *panel, uint64_t number,
                             line_stage *stage) {
    const uint32_t size = (uint32_t)stage->element;
    const bool is_open = job->carry->kind == CUMSUM_STATE_BLOCKED && panel->length < CUMSUM_TILE;
    const bool reads = !job->writes && job->plan->line_segments && !is_open;
    cumsum_panel staged = {.input = stage->bytes,
                           .output = stage->bytes,
                           .lines = 1,
                           .groups = 1,
                           .length = panel->length,
                           .input_step = stage->element,
                           .output_step = stage->element};
    const cumsum_copy_dimension gather[] = {{panel->lines, panel->input_line_step, stage->step},
                                            {panel->length, panel->input_step, stage->element}};
    const cumsum_copy_dimension scatter[] = {{panel->lines, stage->step, panel->output_line_step},
                                             {panel->length, stage->element, panel->output_step}};
    cumsum_copy_plane(size, stage->bytes, panel->input, gather);
    for (uint64_t l = 0; l < panel->lines; l++) {
        if (reads)
            read_line(job, &staged, number + l);
        else
            write_line(job, &staged, number + l);
        staged.input += stage->step;
        staged.output += stage->step;
    }
    if (job->writes)
        cumsum_copy_plane(size, panel->output, stage->bytes, scatter);
}

/* Lines of FLOAT32 or FLOAT16 side by side, in parts that end at tiles. Not inlined, so that the
 * stage takes stack only while it is used. */
CUMSUM_NEVER_INLINE void move_staged_lines(const piece_job *job, const cumsum_panel *panel,
                                           uint64_t first) {
    const uint64_t tile = CUMSUM_TILE * job->plan->problem.element_size;
    line_stage stage = {.element = job->plan->problem.element_size, .step = (int64_t)tile + 64};
    for (uint64_t line = 0; line < panel->lines; line += STAGE_BYTES / tile) {
        cumsum_panel lines = *panel;
        lines.input += (int64_t)line * panel->input_line_step;
        lines.output += (int64_t)line * panel->output_line_step;
        lines.lines = cumsum_least(panel->lines - line, STAGE_BYTES / tile);
        for (uint64_t k = 0, count; k < job->count; k += count) {
            count = CUMSUM_TILE - (job->carry->end + k) % CUMSUM_TILE;
            count = cumsum_least(count, job->count - k);
            const cumsum_panel part = part_of_line(&lines, k, count);
            move_staged_part(job, &part, first + line, &stage);
        }
    }
}

/* How many lines have consecutive numbers and lie a constant step apart, if they are neighbours in
 * an operand: these are taken together. 1 otherwise. */
static uint64_t lines_of_columns(const piece_job *job, cumsum_panel *panel) {
    const cumsum_problem *problem = &job->plan->problem;
    uint32_t d = problem->rank - 1;
    while (d > 0 && (d == problem->axis || problem->sizes[d] == 1))
        d--;
    const uint64_t input = problem->input_strides[d], output = problem->output_strides[d];
    if (d == problem->axis || problem->sizes[d] < 2 ||
        (input != 1 && (output != 1 || !job->writes)))
        return 1;
    panel->input_line_step = (int64_t)(input * problem->element_size);
    panel->output_line_step = (int64_t)(output * problem->element_size);
    return problem->sizes[d];
}

/* Up to `count` lines; returns how many. */
static uint64_t move_some_lines(const piece_job *job, uint64_t first, uint64_t count) {
    const bool has_columns = job->writes && job->plan->continues_lines;
    cumsum_panel panel = cumsum_line_of_piece(job, first);
    const uint64_t together = lines_of_columns(job, &panel);
    panel.lines = cumsum_least(together - first % together, count);
    if (together > 1 && has_columns) {
        panel.carry = cumsum_carry_of_line(job->carry, first);
        job->plan->compute_panel(&panel, &job->plan->arithmetic);
    } else if (together > 1 && job->carry->kind != CUMSUM_STATE_INTEGER) {
        move_staged_lines(job, &panel, first);
    } else {
        panel.lines = 1;
        if (job->writes)
            write_line(job, &panel, first);
        else
            read_line(job, &panel, first);
    }
    return panel.lines;
}

void cumsum_move_piece(const piece_job *job, uint64_t first, uint64_t count) {
    for (uint64_t i = 0; i < count;)
        i += move_some_lines(job, first + i, count - i);
}

void cumsum_move_element(const piece_job *job, const unsigned char *element) {
    const cumsum_panel panel = {.input = element,
                                .lines = 1,
                                .groups = 1,
                                .length = 1,
                                .input_step = (int64_t)job->plan->problem.element_size};
    write_unread(job, &panel, 0);
}

static void move_lines(const piece_job *job, uint64_t first, uint64_t count) {
    const cumsum_fp_environment found = cumsum_fp_enter();
    cumsum_move_piece(job, first, count);
    cumsum_fp_leave(found);
}

static void move_task(void *context, size_t first, size_t count) {
    cumsum_pool_acquire(context);
    move_lines(context, first, count);
    cumsum_pool_release(context);
}

/* The tasks that lines are distributed in have the size that the plan has chosen for its own. */
static void move_all(const piece_job *job) {
    piece_job shared = *job;
    cumsum_plan_share_lines(job->plan, job->carry->lines, move_task, &shared);
    job->carry->end += job->count;
}

static cumsum_status check_given(const cumsum_plan *plan, const cumsum_carry *carry,
                                 cumsum_diagnostic *diagnostic) {
    if (!plan)
        return cumsum_diagnose_argument(diagnostic, "plan", 0, "NULL", "must be given");
    if (!carry)
        return cumsum_diagnose_argument(diagnostic, "carry", 0, "NULL", "must be given");
    return cumsum_carry_check_plan(plan, carry, diagnostic);
}

/* Sets the job's elements. */
static cumsum_status take_piece(piece_job *job, const cumsum_piece *piece,
                                cumsum_diagnostic *diagnostic) {
    const uint64_t length = job->plan->problem.line_length, end = job->carry->end;
    job->first = piece ? piece->first : 0;
    job->count = piece ? piece->count : length;
    if (job->first > length)
        return cumsum_diagnose_number(diagnostic, "piece", "first", job->first, length,
                                      "must not exceed the length of the plan's lines");
    if (job->count > length - job->first)
        return cumsum_diagnose_number(diagnostic, "piece", "count", job->count, length - job->first,
                                      "must not exceed what the plan's lines have from `first` on");
    if (piece && piece->position != CUMSUM_PIECE_NEXT && piece->position != end)
        return cumsum_diagnose_number(diagnostic, "piece", "position", piece->position, end,
                                      "must be where the carry ends");
    if (job->count > CUMSUM_CARRY_MAX_POSITION - end)
        return cumsum_diagnose_number(diagnostic, "piece", "count", job->count,
                                      CUMSUM_CARRY_MAX_POSITION - end,
                                      "must not lead beyond position 2^40");
    return CUMSUM_OK;
}

cumsum_status cumsum_carry_execute(const cumsum_plan *plan, cumsum_carry *carry,
                                   const cumsum_piece *piece, const void *input,
                                   uint64_t input_in_bytes, void *output, uint64_t output_in_bytes,
                                   cumsum_diagnostic *diagnostic) {
    const cumsum_binding binding = {.input = input,
                                    .input_in_bytes = input_in_bytes,
                                    .output = output,
                                    .output_in_bytes = output_in_bytes};
    piece_job job = {.plan = plan, .binding = &binding, .carry = carry, .writes = true};
    cumsum_status status = check_given(plan, carry, diagnostic);
    if (status == CUMSUM_OK && carry->is_total)
        status = cumsum_diagnose_argument(diagnostic, "carry", 0, "a total",
                                          "must begin at the beginning of its lines");
    if (status == CUMSUM_OK && plan->problem.output_may_overlap)
        status = cumsum_diagnose_unsupported(diagnostic, "Strides", 0, "a shared address",
                                             "elements of the output may share addresses, and "
                                             "then the last writer depends on the pieces");
    if (status == CUMSUM_OK)
        status = take_piece(&job, piece, diagnostic);
    if (status == CUMSUM_OK)
        status = cumsum_binding_check(&plan->problem, &binding, diagnostic);
    if (status == CUMSUM_OK && job.count)
        move_all(&job);
    return status;
}

cumsum_status cumsum_carry_advance(const cumsum_plan *plan, cumsum_carry *carry,
                                   const cumsum_piece *piece, const void *input,
                                   uint64_t input_in_bytes, cumsum_diagnostic *diagnostic) {
    const cumsum_binding binding = {.input = input, .input_in_bytes = input_in_bytes};
    piece_job job = {.plan = plan, .binding = &binding, .carry = carry, .writes = false};
    cumsum_status status = check_given(plan, carry, diagnostic);
    if (status == CUMSUM_OK)
        status = take_piece(&job, piece, diagnostic);
    if (status == CUMSUM_OK && is_blocked_total(carry) &&
        cumsum_whole_tiles(carry->begin, carry->end + job.count) > carry->room)
        status = cumsum_diagnose_number(diagnostic, "piece", "count", job.count,
                                        carry->room * CUMSUM_TILE,
                                        "must not exceed what the total was made for");
    if (status == CUMSUM_OK)
        status = cumsum_binding_check_input(&plan->problem, &binding, diagnostic);
    if (status == CUMSUM_OK && job.count)
        move_all(&job);
    return status;
}
