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

/* Elements in the order of the scan. Each is read before its output is written, so a scan may be in
 * place. The sum moves on. */
KERNEL_INLINE void add_up_line_integers(size_t size, const cumsum_panel *line, bool exclusive,
                                        uint64_t *sum) {
    const unsigned char *from = line->input;
    unsigned char *to = line->output;
    for (uint64_t k = 0; k < line->length; k++, from += line->input_step, to += line->output_step) {
        const uint64_t before = *sum;
        *sum += load_integer(from, size);
        store_integer(to, size, exclusive ? before : *sum);
    }
}

/* In the sequential order; or, if there is a level, in the blocked order in one tile. */
KERNEL_INLINE void add_up_line_floats(kernel_kind kind, cumsum_half_store store,
                                      const cumsum_panel *line, bool exclusive, cumsum_level *level,
                                      float *sum) {
    const unsigned char *from = line->input;
    unsigned char *to = line->output;
    for (uint64_t k = 0; k < line->length; k++, from += line->input_step, to += line->output_step) {
        const float before = *sum, x = load_float(kind, from);
        *sum = level ? step_line_level(kind, level, (unsigned)(k % LINE_BLOCK), x)
                     : add_scalars(kind, before, x);
        store_float(kind, store, to, exclusive ? before : *sum);
    }
}

KERNEL_INLINE void small_line(kernel_kind kind, bool blocked, cumsum_half_store store,
                              const cumsum_panel *line, bool exclusive) {
    uint64_t integer = 0;
    float sum = 0;
    cumsum_level level = {.carry = 0};
    if (is_integer(kind))
        add_up_line_integers(kind_size(kind), line, exclusive, &integer);
    else
        add_up_line_floats(kind, store, line, exclusive, blocked ? &level : NULL, &sum);
}

/* The usual kinds are constants. */
static inline void small_panel(kernel_kind kind, const cumsum_panel *panel,
                               const cumsum_arithmetic *arithmetic) {
    const bool blocked = arithmetic->numerics.order == CUMSUM_ORDER_BLOCKED;
    const bool exclusive = arithmetic->exclusive;
    const cumsum_half_store store = half_store_of(arithmetic);
    cumsum_panel line = *panel;
    for (uint64_t i = 0; i < panel->lines; i++) {
        if (kind == KIND_I64)
            small_line(KIND_I64, false, store, &line, exclusive);
        else if (kind == KIND_I32)
            small_line(KIND_I32, false, store, &line, exclusive);
        else if (kind == KIND_F32 && blocked)
            small_line(KIND_F32, true, store, &line, exclusive);
        else if (kind == KIND_F32)
            small_line(KIND_F32, false, store, &line, exclusive);
        else if (kind == KIND_F16)
            small_line(KIND_F16, blocked, store, &line, exclusive);
        else
            small_line(kind, blocked, store, &line, exclusive);
        line.input += line.input_line_step;
        line.output += line.output_line_step;
    }
}

#endif
