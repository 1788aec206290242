/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_REFERENCE_H
#define CUMSUM_CPU_REFERENCE_H

/*
 * The reference: docs/numerics.md in its plainest reading, one element at a time. Everything else
 * is compared with it, so it is written to be checked by eye, and shares no code with its checkers.
 */

#include "kernel_table.h"

/* So many lines at most are given to one of the functions below, so that what memory has side by
 * side is read side by side: a page of floats, and fewer in the blocked order, which keeps more of
 * each line. */
enum {
    REFERENCE_LINES = 1024,
    REFERENCE_BLOCKED_LINES = 256
};

/* Of a panel of one row. Each line is a sum of its own; no line sees another. */
cumsum_panel_function cumsum_reference_integer_lines;
cumsum_panel_function cumsum_reference_sequential_lines;
cumsum_panel_function cumsum_reference_blocked_lines;
cumsum_panel_function cumsum_reference_exact_lines;

/* Where element k of line i lies, in traversal order. */
static inline const unsigned char *reference_input(const cumsum_panel *panel, uint64_t i,
                                                   uint64_t k) {
    return panel->input + (int64_t)i * panel->input_line_step + (int64_t)k * panel->input_step;
}

static inline unsigned char *reference_output(const cumsum_panel *panel, uint64_t i, uint64_t k) {
    return panel->output + (int64_t)i * panel->output_line_step + (int64_t)k * panel->output_step;
}

#endif
