/* SPDX-License-Identifier: MIT */
/* The reference's table: some lines after the others, by the function of their type and order. */
#include "reference.h"

#include <stddef.h>
#include <stdint.h>

static cumsum_panel_function *lines_function(const cumsum_arithmetic *arithmetic) {
    const bool floating = arithmetic->type == CUMSUM_DATA_TYPE_FLOAT32 ||
                          arithmetic->type == CUMSUM_DATA_TYPE_FLOAT16;
    if (!floating)
        return cumsum_reference_integer_lines;
    switch (arithmetic->numerics.order) {
    case CUMSUM_ORDER_BLOCKED:
        return cumsum_reference_blocked_lines;
    case CUMSUM_ORDER_EXACT:
        return cumsum_reference_exact_lines;
    default:
        return cumsum_reference_sequential_lines;
    }
}

/* One line after the other, unless neighbours in memory belong to different lines. */
static uint64_t lines_together(const cumsum_panel *panel, const cumsum_arithmetic *arithmetic) {
    const int64_t step = panel->output_step;
    if (panel->output_line_step >= (step < 0 ? -step : step))
        return 1;
    return arithmetic->numerics.order == CUMSUM_ORDER_BLOCKED ? REFERENCE_BLOCKED_LINES
                                                              : REFERENCE_LINES;
}

static void compute_panel(const cumsum_panel *panel, const cumsum_arithmetic *arithmetic) {
    cumsum_panel_function *compute_lines = lines_function(arithmetic);
    const uint64_t together = lines_together(panel, arithmetic);
    for (uint64_t first = 0; first < panel->lines; first += together) {
        const uint64_t rest = panel->lines - first;
        cumsum_panel some = *panel;
        some.input = reference_input(panel, first, 0);
        some.output = reference_output(panel, first, 0);
        some.lines = rest < together ? rest : together;
        compute_lines(&some, arithmetic);
    }
}

static const char *nothing_missing(void) {
    return NULL;
}

static cumsum_panel_function *select_panel(const cumsum_shape *shape,
                                           const cumsum_arithmetic *arithmetic) {
    (void)shape;
    (void)arithmetic;
    return compute_panel;
}

static const cumsum_segment_functions *no_parts(const cumsum_arithmetic *arithmetic) {
    (void)arithmetic;
    return NULL;
}

const cumsum_kernel_table cumsum_reference_kernels = {
    .kernel = CUMSUM_KERNEL_REFERENCE,
    .missing = nothing_missing,
    .select = select_panel,
    .select_segments = no_parts,
};
