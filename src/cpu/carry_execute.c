/* SPDX-License-Identifier: MIT */
/*
 * Executes pieces from a carry, and moves a carry or a total over pieces without outputs.
 *
 * A line of a piece is a panel of one line. Kernels with functions for segments (segment.h) take
 * it, in the blocked order its whole tiles; line_state.c takes what is left. Both move the same
 * state. Once the arguments have been accepted nothing can fail, and nothing is allocated.
 */
#include "pieces.h"

#include "compiler.h"
#include "diagnose.h"
#include "exact_line.h"
#include "fp_environment.h"
#include "pool_order.h"

#include <pthreadpool.h>
#include <string.h>

/* A piece that is executed. */
typedef struct piece_job {
    const cumsum_plan *plan;
    const cumsum_binding *binding;
    cumsum_carry *carry;
    uint64_t first; /* elements of the plan's lines before the piece, and of the piece */
    uint64_t count;
    uint64_t position; /* elements of the whole line before the piece */
    bool writes;
} piece_job;

/* The panel of a line of the piece. */
static cumsum_panel line_of_piece(const piece_job *job, uint64_t number) {
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

/* Moves a carry over any number of elements by the functions of segments. */
static void move_by_segments(const piece_job *job, const cumsum_panel *line,
                             cumsum_line_carry *carry) {
    const cumsum_segment_functions *segments = job->plan->line_segments;
    const cumsum_arithmetic *arithmetic = &job->plan->arithmetic;
    if (job->writes) {
        segments->write(line, arithmetic, NULL, carry, NULL);
        return;
    }
    const uint64_t most = CUMSUM_SEGMENT_TILES * CUMSUM_TILE;
    for (uint64_t k = 0; k < line->length; k += most) {
        const uint64_t rest = line->length - k;
        const cumsum_panel segment = part_of_line(line, k, rest < most ? rest : most);
        cumsum_segment_sums sums;
        segments->reduce(&segment, arithmetic, &sums);
        segments->advance(&segment, arithmetic, &sums, carry);
    }
}

static void move_integer(const piece_job *job, const cumsum_panel *line, uint64_t number) {
    cumsum_line_carry carry = {.integer = cumsum_carry_integer(job->carry, number)};
    if (job->plan->line_segments)
        move_by_segments(job, line, &carry);
    else
        cumsum_move_integer(line, &job->plan->arithmetic, job->writes, &carry.integer);
    cumsum_carry_set_integer(job->carry, number, carry.integer);
}

static void move_sequential_line(const piece_job *job, const cumsum_panel *line, uint64_t number) {
    float *accumulator = cumsum_carry_accumulator(job->carry, number);
    const cumsum_arithmetic *arithmetic = &job->plan->arithmetic;
    cumsum_panel from_carry = *line;
    from_carry.carry = accumulator;
    if (job->writes && job->plan->continue_lines)
        job->plan->continue_lines(&from_carry, arithmetic);
    else
        cumsum_move_sequential(line, arithmetic, job->writes, accumulator);
}

static void move_exact(const piece_job *job, const cumsum_panel *line, cumsum_wide_sum *sum) {
    cumsum_line_carry carry = {.exact = *sum};
    if (job->plan->line_segments) {
        move_by_segments(job, line, &carry);
        *sum = carry.exact;
    } else if (job->writes) {
        cumsum_exact_write(line, &job->plan->arithmetic, sum);
    } else {
        cumsum_exact_reduce(line, &job->plan->arithmetic, sum);
    }
}

/* Whole tiles of a carry by the functions of segments. `position`: of the first one. */
static void move_tiles(const piece_job *job, const cumsum_panel *tiles, uint64_t position,
                       cumsum_blocked_state *state) {
    cumsum_line_carry carry = {.blocked = {.tiles = state->tile.tiles_before,
                                           .before = state->before,
                                           .finished = position / CUMSUM_TILE}};
    memcpy(carry.blocked.levels, state->levels, sizeof state->levels);
    move_by_segments(job, tiles, &carry);
    memcpy(state->levels, carry.blocked.levels, sizeof state->levels);
    state->tile.tiles_before = carry.blocked.tiles;
    state->before = carry.blocked.before;
}

/* Whole tiles of a total. Returns how many. */
static uint64_t reduce_tiles(const piece_job *job, const cumsum_panel *tiles,
                             cumsum_blocked_state *state, float *totals) {
    const uint64_t most = CUMSUM_SEGMENT_TILES * CUMSUM_TILE;
    for (uint64_t k = 0; k < tiles->length; k += most) {
        const uint64_t rest = tiles->length - k;
        const cumsum_panel segment = part_of_line(tiles, k, rest < most ? rest : most);
        cumsum_segment_sums sums;
        job->plan->line_segments->reduce(&segment, &job->plan->arithmetic, &sums);
        memcpy(totals + k / CUMSUM_TILE, sums.blocked.tiles,
               (size_t)(segment.length / CUMSUM_TILE) * sizeof(float));
        memcpy(state->last, sums.blocked.last, sizeof state->last);
    }
    return tiles->length / CUMSUM_TILE;
}

/* A line in the blocked order: up to the end of the open tile, whole tiles, and the rest. */
static void move_blocked_line(const piece_job *job, const cumsum_panel *line, uint64_t number) {
    const cumsum_arithmetic *arithmetic = &job->plan->arithmetic;
    const cumsum_carry *carry = job->carry;
    cumsum_blocked_state *state = cumsum_carry_blocked(carry, number);
    float *totals = NULL;
    if (carry->is_total && carry->totals)
        totals =
            carry->totals + number * carry->room + cumsum_whole_tiles(carry->begin, job->position);
    const uint64_t open = job->position % CUMSUM_TILE, to_tile = open ? CUMSUM_TILE - open : 0;
    uint64_t head = to_tile < line->length ? to_tile : line->length;
    uint64_t tiles = (line->length - head) / CUMSUM_TILE * CUMSUM_TILE;
    if (!job->plan->line_segments) {
        head = line->length;
        tiles = 0;
    }
    const cumsum_panel begin = part_of_line(line, 0, head);
    uint64_t ended =
        cumsum_move_blocked(&begin, arithmetic, job->writes, job->position, state, totals);
    if (tiles) {
        const cumsum_panel middle = part_of_line(line, head, tiles);
        if (totals)
            ended += reduce_tiles(job, &middle, state, totals + ended);
        else
            move_tiles(job, &middle, job->position + head, state);
    }
    const cumsum_panel end = part_of_line(line, head + tiles, line->length - head - tiles);
    cumsum_move_blocked(&end, arithmetic, job->writes, job->position + head + tiles, state,
                        totals ? totals + ended : NULL);
}

static void move_line(const piece_job *job, const cumsum_panel *line, uint64_t number) {
    switch (job->carry->kind) {
    case CUMSUM_STATE_INTEGER:
        move_integer(job, line, number);
        break;
    case CUMSUM_STATE_SEQUENTIAL:
        move_sequential_line(job, line, number);
        break;
    case CUMSUM_STATE_BLOCKED:
        move_blocked_line(job, line, number);
        break;
    default:
        move_exact(job, line, cumsum_carry_exact(job->carry, number));
    }
}

/* Bytes of lines that are copied next to each other, and between these a cache line more than a
 * tile, so that they begin in different sets of the first-level cache. */
#define STAGE_BYTES UINT64_C(16384)

typedef struct line_stage {
    unsigned char bytes[STAGE_BYTES + UINT64_C(64) * 8];
    uint64_t size; /* of an element */
    uint64_t step; /* from a line to the next */
    uint64_t most; /* lines */
} line_stage;

/* The elements [k, k + count) of `lines` lines of a panel, from number `line` on, into the stage.
 */
CUMSUM_ALWAYS_INLINE void gather_lines(const cumsum_panel *panel, line_stage *stage, size_t size,
                                       uint64_t line, uint64_t lines, uint64_t k, uint64_t count) {
    for (uint64_t i = 0; i < count; i++) {
        const unsigned char *from = panel->input + (int64_t)line * panel->input_line_step +
                                    (int64_t)(k + i) * panel->input_step;
        for (uint64_t l = 0; l < lines; l++)
            memcpy(stage->bytes + l * stage->step + i * size,
                   from + (int64_t)l * panel->input_line_step, size);
    }
}

/* And out of it. */
CUMSUM_ALWAYS_INLINE void scatter_lines(const cumsum_panel *panel, const line_stage *stage,
                                        size_t size, uint64_t line, uint64_t lines, uint64_t k,
                                        uint64_t count) {
    for (uint64_t i = 0; i < count; i++) {
        unsigned char *to = panel->output + (int64_t)line * panel->output_line_step +
                            (int64_t)(k + i) * panel->output_step;
        for (uint64_t l = 0; l < lines; l++)
            memcpy(to + (int64_t)l * panel->output_line_step,
                   stage->bytes + l * stage->step + i * size, size);
    }
}

/* Part of some lines, at most up to the end of a tile, by way of the stage. */
static void move_staged_part(const piece_job *part, const cumsum_panel *panel, line_stage *stage,
                             uint64_t first, uint64_t line, uint64_t lines, uint64_t k) {
    cumsum_panel staged = {.lines = 1,
                           .groups = 1,
                           .length = part->count,
                           .input_step = (int64_t)stage->size,
                           .output_step = (int64_t)stage->size};
    if (stage->size == sizeof(uint16_t))
        gather_lines(panel, stage, sizeof(uint16_t), line, lines, k, part->count);
    else
        gather_lines(panel, stage, sizeof(uint32_t), line, lines, k, part->count);
    for (uint64_t l = 0; l < lines; l++) {
        staged.input = staged.output = stage->bytes + l * stage->step;
        move_line(part, &staged, first + line + l);
    }
    if (part->writes && stage->size == sizeof(uint16_t))
        scatter_lines(panel, stage, sizeof(uint16_t), line, lines, k, part->count);
    else if (part->writes)
        scatter_lines(panel, stage, sizeof(uint32_t), line, lines, k, part->count);
}

/* Lines of FLOAT32 or FLOAT16 side by side, in parts. Not inlined, so that the stage takes stack
 * only while it is used. */
CUMSUM_NEVER_INLINE void move_staged_lines(const piece_job *job, const cumsum_panel *panel,
                                           uint64_t first) {
    line_stage stage = {.size = job->plan->problem.element_size};
    stage.step = CUMSUM_TILE * stage.size + 64;
    stage.most = STAGE_BYTES / (CUMSUM_TILE * stage.size);
    for (uint64_t line = 0; line < panel->lines; line += stage.most) {
        const uint64_t rest = panel->lines - line;
        piece_job part = *job;
        for (uint64_t k = 0; k < job->count; k += part.count) {
            part.position = job->position + k;
            part.count = CUMSUM_TILE - part.position % CUMSUM_TILE;
            part.count = part.count < job->count - k ? part.count : job->count - k;
            move_staged_part(&part, panel, &stage, first, line,
                             rest < stage.most ? rest : stage.most, k);
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
    const bool has_columns = job->writes && job->plan->continue_lines;
    cumsum_panel panel = line_of_piece(job, first);
    const uint64_t together = lines_of_columns(job, &panel);
    const uint64_t rest = together - first % together;
    panel.lines = rest < count ? rest : count;
    if (together > 1 && has_columns) {
        panel.carry = (unsigned char *)job->carry->states + first * job->carry->size;
        job->plan->continue_lines(&panel, &job->plan->arithmetic);
    } else if (together > 1 && job->carry->kind != CUMSUM_STATE_INTEGER) {
        move_staged_lines(job, &panel, first);
    } else {
        panel.lines = 1;
        move_line(job, &panel, first);
    }
    return panel.lines;
}

static void move_lines(const piece_job *job, uint64_t first, uint64_t count) {
    const cumsum_fp_environment found = cumsum_fp_enter();
    for (uint64_t i = 0; i < count;)
        i += move_some_lines(job, first + i, count - i);
    cumsum_fp_leave(found);
}

static void move_task(void *context, size_t first, size_t count) {
    cumsum_pool_acquire(context);
    move_lines(context, first, count);
    cumsum_pool_release(context);
}

/* The tasks that lines are distributed in have the size that the plan has chosen for its own. */
static void move_all(const piece_job *job) {
    const cumsum_plan *plan = job->plan;
    if (plan->thread_pool && plan->lines_per_task) {
        piece_job shared = *job;
        cumsum_pool_release(&shared);
        pthreadpool_parallelize_1d_tile_1d(plan->thread_pool, move_task, &shared,
                                           (size_t)job->carry->lines, plan->lines_per_task, 0);
        cumsum_pool_acquire(&shared);
    } else {
        move_lines(job, 0, job->carry->lines);
    }
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
    job->position = end;
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
    if (status == CUMSUM_OK && carry->is_total && carry->kind == CUMSUM_STATE_BLOCKED &&
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
