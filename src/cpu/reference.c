/* SPDX-License-Identifier: MIT */
/*
 * The kernel table of the reference: chooses the function for a type and an order, and gives it as
 * many lines at a time as suits memory.
 */
#include "reference.h"

#include <stddef.h>
#include <stdint.h>

/* Integer sums are the same in every order. */
static cumsum_panel_function *lines_function(const cumsum_arithmetic *arithmetic) {
    const bool is_double = arithmetic->type == CUMSUM_DATA_TYPE_FLOAT64;
    if (!cumsum_is_float(arithmetic->type))
        return cumsum_reference_integer_lines;
    switch (arithmetic->numerics.order) {
    case CUMSUM_ORDER_BLOCKED:
        return is_double ? cumsum_reference_double_blocked_lines : cumsum_reference_blocked_lines;
    case CUMSUM_ORDER_EXACT:
        return cumsum_reference_exact_lines;
    default:
        return is_double ? cumsum_reference_double_sequential_lines
                         : cumsum_reference_sequential_lines;
    }
}

/* One line at a time, unless the lines are interleaved in the output: then element by element over
 * several lines, so that each cache line is used at once. */
static uint64_t lines_at_a_time(const cumsum_panel *panel, const cumsum_arithmetic *arithmetic) {
    const int64_t step = panel->output_step;
    if (panel->output_line_step >= (step < 0 ? -step : step))
        return 1;
    if (arithmetic->numerics.order != CUMSUM_ORDER_BLOCKED)
        return REFERENCE_LINES;
    const bool is_double = arithmetic->type == CUMSUM_DATA_TYPE_FLOAT64;
    return REFERENCE_BLOCKED_BYTES / (is_double ? sizeof(double) : sizeof(float));
}

/* Plans merge groups for vector kernels alone, so the panel has one group. */
static void compute_panel(const cumsum_panel *panel, const cumsum_arithmetic *arithmetic) {
    cumsum_panel_function *compute_lines = lines_function(arithmetic);
    const uint64_t most = lines_at_a_time(panel, arithmetic);
    for (uint64_t first = 0; first < panel->lines; first += most) {
        const uint64_t rest = panel->lines - first;
        cumsum_panel some = *panel;
        some.input = reference_input(panel, first, 0);
        some.output = reference_output(panel, first, 0);
        some.lines = rest < most ? rest : most;
        compute_lines(&some, arithmetic);
    }
}

static const char *nothing_missing(void) {
    return NULL;
}

/* Lines of the reference stay with one thread. */
static const cumsum_segment_functions *no_segments(const cumsum_arithmetic *arithmetic) {
    (void)arithmetic;
    return NULL;
}

const cumsum_kernel_table cumsum_reference_kernels = {
    .kernel = CUMSUM_KERNEL_REFERENCE,
    .missing = nothing_missing,
    .panel = compute_panel,
    .select_segments = no_segments,
};
