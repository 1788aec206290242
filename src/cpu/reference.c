/* SPDX-License-Identifier: MIT */
/* The reference's table: line after line, each by the function of its type and order. */
#include "reference.h"

#include <stddef.h>

static reference_line_function *line_function(const cumsum_arithmetic *arithmetic) {
    const bool floating = arithmetic->type == CUMSUM_DATA_TYPE_FLOAT32 ||
                          arithmetic->type == CUMSUM_DATA_TYPE_FLOAT16;
    if (!floating)
        return cumsum_reference_integer_line;
    switch (arithmetic->numerics.order) {
    case CUMSUM_ORDER_BLOCKED:
        return cumsum_reference_blocked_line;
    case CUMSUM_ORDER_EXACT:
        return cumsum_reference_exact_line;
    default:
        return cumsum_reference_sequential_line;
    }
}

static void compute_panel(const cumsum_panel *panel, const cumsum_arithmetic *arithmetic) {
    reference_line_function *compute_line = line_function(arithmetic);
    reference_line line = {.input_step = panel->input_step,
                           .output_step = panel->output_step,
                           .length = panel->length};
    for (uint64_t i = 0; i < panel->lines; i++) {
        line.input = panel->input + (int64_t)i * panel->input_line_step;
        line.output = panel->output + (int64_t)i * panel->output_line_step;
        compute_line(&line, arithmetic);
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

static const cumsum_line_functions *no_parts(const cumsum_arithmetic *arithmetic) {
    (void)arithmetic;
    return NULL;
}

const cumsum_kernel_table cumsum_reference_kernels = {
    .kernel = CUMSUM_KERNEL_REFERENCE,
    .missing = nothing_missing,
    .select = select_panel,
    .select_line = no_parts,
};
