/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_REFERENCE_H
#define CUMSUM_CPU_REFERENCE_H

/*
 * The reference: docs/numerics.md in its plainest reading, one element at a time. Every kernel is
 * compared with it, so it is written to be checked by eye, and it shares no code with the kernels,
 * the oracle or the tests that check it.
 *
 * A function computes several lines at once, element k of each before element k + 1 of any. That is
 * the one concession to speed: interleaved lines are then read and written in the order of memory.
 * Each line is still a sum of its own.
 */

#include "kernel_table.h"

#include "compiler.h"

/* Maximum number of lines of one call: 1024 floats are a page of memory. The blocked order keeps
 * more state for each line, on the stack, and takes fewer: as many as have accumulators of so many
 * bytes. */
enum {
    REFERENCE_LINES = 1024,
    REFERENCE_BLOCKED_BYTES = 256
};

/* Compiled into each caller, so that arguments that are constant there cost nothing. */
#define REFERENCE_INLINE CUMSUM_ALWAYS_INLINE

/* Each computes a panel of one group, with at most that many lines. */
cumsum_panel_function cumsum_reference_integer_lines;
cumsum_panel_function cumsum_reference_sequential_lines;
cumsum_panel_function cumsum_reference_blocked_lines;
cumsum_panel_function cumsum_reference_double_sequential_lines;
cumsum_panel_function cumsum_reference_double_blocked_lines;
cumsum_panel_function cumsum_reference_exact_lines;

/* The address of element k, in traversal order, of line i. */
static inline const unsigned char *reference_input(const cumsum_panel *panel, uint64_t i,
                                                   uint64_t k) {
    return panel->input + (int64_t)i * panel->input_line_step + (int64_t)k * panel->input_step;
}

static inline unsigned char *reference_output(const cumsum_panel *panel, uint64_t i, uint64_t k) {
    return panel->output + (int64_t)i * panel->output_line_step + (int64_t)k * panel->output_step;
}

#endif
