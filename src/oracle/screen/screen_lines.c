/* SPDX-License-Identifier: MIT */
/*
 * Accepts lines of FLOAT16, and short ones of FLOAT32, many at once: docs/oracle.md, "Fast path".
 * screen_lanes.c judges them; this file says where they lie, and what the tensor allows them.
 *
 * Invariant: accepted lines leave the judgement as the loop over single elements does, but for h,
 * which is the same to a relative 2^-20. unit.test_oracle_fast compares the two.
 */
#include "screen.h"

#include <math.h>

#include "fast_isa.h"
#include "judge_steps.h"
#include "screen_kernels.h"

/* FLOAT16: the models that sums in binary32, stored to nearest, are of. */
#define SEQUENTIAL_HALVES                                                                          \
    (MODEL(CUMSUM_VERDICT_BINARY32_NEAREST) | MODEL(CUMSUM_VERDICT_BINARY32_IEEE))

/* Lines of a call. */
#define MOST_LINES 4096

/* Columns of this many elements are read where they lie, row by row. Longer ones meet too many
 * pages. */
#define MOST_ROWS 16

/* After a line that is not accepted, the loop judges 1 line, then 3, 7 and so on, before lines are
 * tried again. From this many on the number no longer grows; an accepted line ends the wait. */
#define MOST_WAIT 64

/* Lines that are evenly spaced: from one that is a multiple of `together`, so many. */
static line_spacing find_spacing(const cumsum_problem *p) {
    line_spacing found = {.together = 1};
    for (uint32_t left = p->rank; left > 0; left--) {
        const uint32_t d = left - 1;
        if (d == p->axis || p->sizes[d] == 1)
            continue;
        if (found.together == 1) {
            found.input = p->input_strides[d];
            found.output = p->output_strides[d];
        } else if (p->input_strides[d] != found.input * found.together ||
                   p->output_strides[d] != found.output * found.together) {
            break;
        }
        found.together *= p->sizes[d];
    }
    return found;
}

line_spacing cumsum_screen_line_spacing(const judge_state *s) {
    const cumsum_problem *p = &s->problem;
    const uint64_t most = p->type == CUMSUM_DATA_TYPE_FLOAT32   ? LANE_TERMS
                          : p->type == CUMSUM_DATA_TYPE_FLOAT16 ? HALF_TERMS
                                                                : 0;
    if (p->line_length > most || s->slowly || s->sums || s->by_profile || s->last_writer ||
        s->between)
        return (line_spacing){.together = 0};
    return find_spacing(p);
}

/* The limits of the class that still holds. */
static void set_limits(screen_lanes *f, cumsum_error_class class) {
    f->rounded = class == CUMSUM_CLASS_CORRECTLY_ROUNDED;
    f->limit = cumsum_judge_class_limit(class, 0);
    f->log_limit = isinf(f->limit) ? 0 : cumsum_judge_class_limit(class, 1) - f->limit;
}

/* The lines from this one on that are evenly spaced, and where they lie. */
static screen_lanes lanes_from(judge_state *s, const line_spacing *spacing, uint64_t line,
                               uint64_t end) {
    const int64_t size = (int64_t)s->problem.element_size;
    uint64_t together = spacing->together - line % spacing->together;
    int64_t term_pitch = (int64_t)spacing->input * size;
    int64_t output_pitch = (int64_t)spacing->output * size;
    s->staged.set_aside =
        term_pitch == size && output_pitch == size && s->problem.line_length <= MOST_ROWS;
    cumsum_judge_start_line(s, line);
    if (s->staged.room && !s->staged.set_aside) {
        together = s->staged.first + s->staged.held - line;
        term_pitch = output_pitch = (int64_t)s->staged.pitch;
    }
    s->staged.set_aside = false;
    together = end - line < together ? end - line : together;
    return (screen_lanes){.terms = s->line_input,
                          .outputs = s->line_actual + s->problem.exclusive * s->actual_step,
                          .term_step = s->input_step,
                          .output_step = s->actual_step,
                          .term_pitch = term_pitch,
                          .output_pitch = output_pitch,
                          .count = (size_t)(s->problem.line_length - s->problem.exclusive),
                          .lines = (size_t)(together < MOST_LINES ? together : MOST_LINES),
                          .halves = s->problem.type == CUMSUM_DATA_TYPE_FLOAT16,
                          .any_order = !s->sequential && !s->how.values,
                          .exclusive = s->problem.exclusive,
                          .jump_unit = WATCH_JUMP * 0x1p-24 * WATCH_MARGIN,
                          .minus_zeros = s->options.strict_zero,
                          .h = s->judgement->h,
                          .models_limit = INFINITY};
}

/* FLOAT16: the models that matter beside those of such sums, and the error, in units of u A, up to
 * which an output behind short prefixes fits them. An output without an error fits all of them;
 * terms of one sign leave 2 / (1 + 2 u) below their sum, which is more than the limit. */
static void set_models(screen_lanes *f, const judge_state *s) {
    f->models = screen_models(s) & ~SEQUENTIAL_HALVES;
    f->needed = MODEL(s->prefill_verdict);
    if (f->models)
        f->models_limit = f->models & MODEL(CUMSUM_VERDICT_BINARY32_ZERO) ? 0 : 2 * (1 - 0x1p-9);
}

static uint64_t accept_lanes(screen_lanes *f, line_spacing *spacing) {
    const uint64_t accepted = FAST(cumsum_screen_lanes, f);
    spacing->next_wait = accepted                         ? 0
                         : spacing->next_wait < MOST_WAIT ? 2 * spacing->next_wait + 1
                                                          : spacing->next_wait;
    spacing->wait = spacing->next_wait;
    return accepted;
}

uint64_t cumsum_screen_lines_accept(judge_state *s, line_spacing *spacing, uint64_t line,
                                    uint64_t end) {
    if (spacing->wait || !spacing->together) {
        spacing->wait -= spacing->wait > 0;
        return 0;
    }
    screen_lanes f = lanes_from(s, spacing, line, end);
    set_limits(&f, s->judgement->error_class);
    if (f.halves)
        set_models(&f, s);
    if (f.models && s->how.values) /* of more terms every order is tried */
        return 0;
    const uint64_t accepted = accept_lanes(&f, spacing);
    if (f.h > s->judgement->h) {
        cumsum_judge_start_line(s, line + f.worst_line);
        cumsum_judge_error(s, f.worst_position, f.h, 1, MOST_LOG2); /* it keeps to the class */
    }
    s->judgement->models &= ~f.lost;
    s->judgement->counts[s->prefill_verdict] += accepted * s->problem.line_length;
    for (uint64_t i = 0; s->sure_models && i < accepted; i++)
        s->sure_models[line + i] = f.halves ? SEQUENTIAL_HALVES | SURELY_IN_SEQUENCE : UINT16_MAX;
    return accepted;
}
