/* SPDX-License-Identifier: MIT */
/*
 * Cuts a range of lines into panels, which is what kernels compute.
 *
 * The lines along the innermost outer dimension are a group: they lie a constant step apart. A
 * panel is a piece of one group, or several whole groups that lie a constant step apart. A line
 * number counts through the groups as through the digits of a number: within the group first, then
 * over outer[1], outer[2] and so on.
 */
#include "staging.h"

/* Without an outer dimension there is a single line. */
static uint64_t lines_in_group(const cumsum_shape *shape) {
    return shape->outer_rank ? shape->outer[0].size : 1;
}

/* Moves the panel to an index of one dimension. */
static void step_to(cumsum_panel *panel, const cumsum_outer_dimension *dimension, uint64_t index) {
    panel->input += (int64_t)index * dimension->input_step;
    panel->output += (int64_t)index * dimension->output_step;
}

/* Moves the panel from the first group of lines to group number `group`. */
static void step_to_group(cumsum_panel *panel, const cumsum_shape *shape, uint64_t group) {
    for (uint32_t d = 1; d < shape->outer_rank && group > 0; d++) {
        step_to(panel, &shape->outer[d], group % shape->outer[d].size);
        group /= shape->outer[d].size;
    }
}

/* A panel at line 0. The caller sets its number of lines. */
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

/* The number of whole groups, of at most `count` lines, that make one panel from `group` on: up to
 * the end of dimension outer[1], after which the step from group to group changes. */
static uint64_t groups_from(const cumsum_plan *plan, uint64_t group, uint64_t count) {
    const cumsum_shape *shape = &plan->shape;
    const uint64_t whole = count / shape->outer[0].size, size = shape->outer[1].size;
    return cumsum_least(whole, size - group % size);
}

void cumsum_plan_compute_lines(const cumsum_plan *plan, const cumsum_binding *binding,
                               uint64_t first, uint64_t count, void *scratch) {
    if (plan->staged_lines && scratch) {
        cumsum_plan_compute_staged(plan, binding, first, count, scratch);
        return;
    }
    const cumsum_shape *shape = &plan->shape;
    const uint64_t group_size = lines_in_group(shape);
    cumsum_panel origin = first_panel(shape, binding, plan->stream);
    origin.scratch = scratch;
    while (count > 0) { /* one panel: the rest of a group at most, or several whole groups */
        const uint64_t within = first % group_size;
        const uint64_t rest = cumsum_least(group_size - within, plan->lines_per_panel);
        cumsum_panel panel = origin;
        panel.lines = cumsum_least(rest, count);
        step_to_group(&panel, shape, first / group_size);
        if (within)
            step_to(&panel, &shape->outer[0], within);
        else if (plan->merges_groups && count > group_size)
            panel.groups = groups_from(plan, first / group_size, count);
        plan->compute_panel(&panel, &plan->panel_arithmetic);
        first += panel.lines * panel.groups;
        count -= panel.lines * panel.groups;
    }
}

cumsum_panel cumsum_plan_segment(const cumsum_plan *plan, const cumsum_binding *binding,
                                 uint64_t line, uint64_t k, uint64_t count) {
    const cumsum_shape *shape = &plan->shape;
    const uint64_t group_size = lines_in_group(shape);
    cumsum_panel panel = first_panel(shape, binding, plan->stream);
    step_to_group(&panel, shape, line / group_size);
    if (line % group_size)
        step_to(&panel, &shape->outer[0], line % group_size);
    panel.input += (int64_t)k * panel.input_step;
    panel.output += (int64_t)k * panel.output_step;
    panel.input_line_step = panel.output_line_step = 0; /* a single line has no next one */
    panel.lines = 1;
    panel.length = count;
    return panel;
}
