/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_SMALL_PANEL_H
#define CUMSUM_CPU_SMALL_PANEL_H

/*
 * A panel of a few elements, one after the other: finished before the vector kernels have chosen
 * what to do. Only in the sequential and the blocked order.
 */

#include "line_levels.h"

/* About as many additions as the choice of an algorithm and its set-up take; and the same where C
 * has no addition or no conversion. */
#define SMALL_ELEMENTS 64
#define FEW_ELEMENTS   16

/* Lines with carries are left out. */
KERNEL_INLINE bool panel_is_small(kernel_kind kind, const cumsum_panel *panel) {
    const bool plain = kind == KIND_F32 || is_integer(kind);
    return panel->groups == 1 && !panel->carry &&
           panel->lines * panel->length <= (plain ? SMALL_ELEMENTS : FEW_ELEMENTS);
}

/* Steps are those of the panel, in the order of the scan. An element is read before its output is
 * written, so the scan may be in place. So short a line has one tile. */
KERNEL_INLINE void small_floats(kernel_kind kind, bool blocked, cumsum_half_store store,
                                const cumsum_panel *panel, bool exclusive, uint64_t line) {
    const unsigned char *in = panel->input + (int64_t)line * panel->input_line_step;
    unsigned char *out = panel->output + (int64_t)line * panel->output_line_step;
    cumsum_level level = {.carry = 0};
    float sum = 0;
    for (uint64_t k = 0; k < panel->length; k++) {
        const float before = sum, x = load_float(kind, in + (int64_t)k * panel->input_step);
        sum = blocked ? step_line_level(kind, &level, (unsigned)(k % LINE_BLOCK), x)
                      : add_scalars(kind, sum, x);
        store_float(kind, store, out + (int64_t)k * panel->output_step, exclusive ? before : sum);
    }
}

KERNEL_INLINE void small_integers(size_t size, const cumsum_panel *panel, bool exclusive,
                                  uint64_t line) {
    const unsigned char *in = panel->input + (int64_t)line * panel->input_line_step;
    unsigned char *out = panel->output + (int64_t)line * panel->output_line_step;
    uint64_t sum = 0;
    for (uint64_t k = 0; k < panel->length; k++) {
        const uint64_t before = sum;
        sum += load_integer(in + (int64_t)k * panel->input_step, size);
        store_integer(out + (int64_t)k * panel->output_step, size, exclusive ? before : sum);
    }
}

/* The usual kinds are constants. */
static inline void small_panel(kernel_kind kind, const cumsum_panel *panel,
                               const cumsum_arithmetic *arithmetic) {
    const bool blocked = arithmetic->numerics.order == CUMSUM_ORDER_BLOCKED;
    const bool exclusive = arithmetic->exclusive;
    const cumsum_half_store store = half_store_of(arithmetic);
    for (uint64_t i = 0; i < panel->lines; i++)
        if (kind == KIND_I64)
            small_integers(8, panel, exclusive, i);
        else if (kind == KIND_I32)
            small_integers(4, panel, exclusive, i);
        else if (kind == KIND_F32 && blocked)
            small_floats(KIND_F32, true, store, panel, exclusive, i);
        else if (kind == KIND_F32)
            small_floats(KIND_F32, false, store, panel, exclusive, i);
        else if (kind == KIND_F16)
            small_floats(KIND_F16, blocked, store, panel, exclusive, i);
        else
            small_floats(kind, blocked, store, panel, exclusive, i);
}

#endif
