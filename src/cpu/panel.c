/* SPDX-License-Identifier: MIT */
/* Cuts a range of lines into panels: lines that lie a constant step apart. */
#include "plan.h"

/* The panel's lines run along the innermost outer dimension; without one there is a single line. */
static uint64_t lines_in_row(const cumsum_shape *shape) {
    return shape->outer_rank ? shape->outer[0].size : 1;
}

static uint64_t least(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

static void step_to(cumsum_panel *panel, const cumsum_outer_dimension *dimension, uint64_t index) {
    panel->input += (int64_t)index * dimension->input_step;
    panel->output += (int64_t)index * dimension->output_step;
}

/* Moves the panel from the first row of lines to row number `row`. */
static void step_to_row(cumsum_panel *panel, const cumsum_shape *shape, uint64_t row) {
    for (uint32_t d = 1; d < shape->outer_rank && row > 0; d++) {
        step_to(panel, &shape->outer[d], row % shape->outer[d].size);
        row /= shape->outer[d].size;
    }
}

/* A panel at line 0; its number of lines is still to be set. */
static cumsum_panel first_panel(const cumsum_shape *shape, const cumsum_binding *binding,
                                bool stream) {
    cumsum_panel panel = {.input = (const unsigned char *)binding->input + shape->input_origin,
                          .output = (unsigned char *)binding->output + shape->output_origin,
                          .groups = 1,
                          .length = shape->length,
                          .input_step = shape->input_step,
                          .output_step = shape->output_step,
                          .stream = stream};
    if (shape->outer_rank) {
        panel.input_line_step = shape->outer[0].input_step;
        panel.output_line_step = shape->outer[0].output_step;
    }
    if (shape->outer_rank > 1) {
        panel.input_group_step = shape->outer[1].input_step;
        panel.output_group_step = shape->outer[1].output_step;
    }
    return panel;
}

/* So many whole rows from this one on, of at most `count` lines, are one panel. */
static uint64_t rows_from(const cumsum_plan *plan, uint64_t row, uint64_t count) {
    const cumsum_shape *shape = &plan->shape;
    const uint64_t whole = count / shape->outer[0].size, size = shape->outer[1].size;
    return least(whole, size - row % size);
}

void cumsum_plan_compute_lines(const cumsum_plan *plan, const cumsum_binding *binding,
                               uint64_t first, uint64_t count) {
    const cumsum_shape *shape = &plan->shape;
    const uint64_t row_length = lines_in_row(shape);
    const cumsum_panel origin = first_panel(shape, binding, plan->stream);
    while (count > 0) {
        const uint64_t within = first % row_length;
        const uint64_t rest = least(row_length - within, plan->lines_per_panel);
        cumsum_panel panel = origin;
        panel.lines = least(rest, count);
        step_to_row(&panel, shape, first / row_length);
        if (within)
            step_to(&panel, &shape->outer[0], within);
        else if (plan->merges_groups && count > row_length)
            panel.groups = rows_from(plan, first / row_length, count);
        plan->compute_panel(&panel, &plan->arithmetic);
        first += panel.lines * panel.groups;
        count -= panel.lines * panel.groups;
    }
}

cumsum_panel cumsum_plan_segment(const cumsum_plan *plan, const cumsum_binding *binding,
                                 uint64_t line, uint64_t k, uint64_t count) {
    const cumsum_shape *shape = &plan->shape;
    const uint64_t row_length = lines_in_row(shape);
    cumsum_panel panel = first_panel(shape, binding, plan->stream);
    step_to_row(&panel, shape, line / row_length);
    if (line % row_length)
        step_to(&panel, &shape->outer[0], line % row_length);
    panel.input += (int64_t)k * panel.input_step;
    panel.output += (int64_t)k * panel.output_step;
    panel.input_line_step = panel.output_line_step = 0;
    panel.lines = 1;
    panel.length = count;
    return panel;
}
