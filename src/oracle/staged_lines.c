/* SPDX-License-Identifier: MIT */
/* Copies lines whose elements lie apart. */
#include "judge_state.h"

#include "compiler.h"
#include "copy_plane.h"

/* What is copied of a row of neighbouring elements: the more, the fewer pages are met. */
#define ROW_BYTES 256

/* The room of a state. Longer lines than fit four times are judged where they lie. */
#define MOST_BYTES (UINT64_C(2) << 20)
#define FEWEST     4

/* Elements of a line that lie closer together are read where they lie. */
#define LEAST_STEP 16

/* A staged line begins on a cache line of its own, and neighbours not in one set of a cache. */
#define CACHE_LINE 64

/* A row is asked for so many rows ahead: no processor foresees steps of pages. */
#define AHEAD 8

static uint64_t smaller_of(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

/* The last dimension other than the axis that has more than one line; SUM_NO_AXIS if none has. */
static uint32_t neighbours_dimension(const cumsum_problem *p) {
    for (uint32_t d = p->rank; d-- > 0;)
        if (d != p->axis && p->sizes[d] > 1)
            return d;
    return SUM_NO_AXIS;
}

static bool lies_apart(const cumsum_problem *p, const uint64_t *strides, uint32_t neighbours) {
    return strides[p->axis] > strides[neighbours] &&
           strides[p->axis] * p->element_size >= LEAST_STEP;
}

void cumsum_stage_plan(judge_state *s) {
    const cumsum_problem *p = &s->problem;
    staged_lines *staged = &s->staged;
    *staged = (staged_lines){0};
    if (s->sums)
        staged->bytes = sum_is_gathered(s->sums) ? p->line_length * p->element_size : 0;
    if (s->sums || s->slowly || p->output_may_overlap)
        return;
    staged->dimension = neighbours_dimension(p);
    if (staged->dimension == SUM_NO_AXIS || (!lies_apart(p, p->input_strides, staged->dimension) &&
                                             !lies_apart(p, p->output_strides, staged->dimension)))
        return;
    const uint64_t bytes = p->line_length * p->element_size;
    staged->pitch = (bytes + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE + CACHE_LINE;
    const uint64_t fitting = MOST_BYTES / 2 / staged->pitch;
    if (fitting < FEWEST)
        return;
    staged->most = smaller_of(fitting, ROW_BYTES / p->element_size);
    staged->most = smaller_of(staged->most, p->sizes[staged->dimension]);
    staged->bytes = 2 * staged->most * staged->pitch;
}

/* Lines of elements that are `step` bytes apart; the next line begins `apart` bytes further on. */
typedef struct far_lines {
    const unsigned char *from;
    uint64_t step;
    uint64_t apart;
    uint64_t length;
    uint64_t count;
} far_lines;

static void ask_for_row(const far_lines *far, uint64_t row) {
    const uint64_t apart = far->apart ? smaller_of(far->apart, CACHE_LINE) : 1;
    if (row < far->length)
        for (uint64_t line = 0; line < far->count; line += CACHE_LINE / apart)
            CUMSUM_PREFETCH(far->from + row * far->step + line * far->apart);
}

/* Some rows at a time, while those behind them are on their way. */
static void copy_lines(unsigned char *to, uint64_t pitch, const far_lines *far, uint32_t size) {
    for (uint64_t row = 0; row < far->length; row += AHEAD) {
        const cumsum_copy_dimension lines_and_rows[] = {
            {far->count, (int64_t)far->apart, (int64_t)pitch},
            {smaller_of(AHEAD, far->length - row), (int64_t)far->step, size}};
        for (uint64_t next = row + AHEAD; next < row + UINT64_C(2) * AHEAD; next++)
            ask_for_row(far, next);
        cumsum_copy_plane(size, to + row * size, far->from + row * far->step, lines_and_rows);
    }
}

/* The lines from this one to the end of the dimension, as many as there is room for. */
static uint64_t lines_together(const judge_state *s, uint64_t line) {
    const cumsum_problem *p = &s->problem;
    const uint64_t size = p->sizes[s->staged.dimension];
    return smaller_of(s->staged.most, size - line % size);
}

static void fill_room(judge_state *s, uint64_t line) {
    const cumsum_problem *p = &s->problem;
    staged_lines *staged = &s->staged;
    uint64_t offsets[2];
    cumsum_problem_line_offsets(p, line, &offsets[0], &offsets[1]);
    staged->first = line;
    staged->held = lines_together(s, line);
    for (int operand = 0; operand < (staged->input_only ? 1 : 2); operand++) {
        const uint64_t *strides = operand ? p->output_strides : p->input_strides;
        const uint64_t size = p->element_size;
        const far_lines far = {.from = (operand ? s->actual : s->input) + offsets[operand] * size,
                               .step = strides[p->axis] * size,
                               .apart = strides[staged->dimension] * size,
                               .length = p->line_length,
                               .count = staged->held};
        unsigned char *to = staged->room + (operand ? staged->most * staged->pitch : 0);
        copy_lines(to, staged->pitch, &far, p->element_size);
    }
}

static bool room_holds(const staged_lines *staged, uint64_t line) {
    return line >= staged->first && line < staged->first + staged->held;
}

void cumsum_stage_line(judge_state *s, uint64_t line) {
    staged_lines *staged = &s->staged;
    if (!room_holds(staged, line))
        fill_room(s, line);
    s->line_input = staged->room + (line - staged->first) * staged->pitch;
    s->line_actual = s->line_input + staged->most * staged->pitch;
    s->input_step = s->actual_step = (int64_t)s->problem.element_size;
}
