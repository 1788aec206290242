/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_SMALL_PANEL_H
#define CUMSUM_CPU_SMALL_PANEL_H

/*
 * A panel of a few elements, one after the other: finished before the vector kernels have chosen
 * what to do. Only for the kinds whose addition is C's, and only in the sequential and the blocked
 * order.
 */

#include "line_levels.h"

/* About as many additions as the choice of an algorithm and its set-up take. */
#define SMALL_ELEMENTS 64

/* FLUSH and FLOAT16 are left out, because C has no addition that flushes or rounds to binary16; and
 * so are lines with carries. */
KERNEL_INLINE bool panel_is_small(kernel_kind kind, const cumsum_panel *panel) {
    return (kind == KIND_F32 || kind == KIND_I32 || kind == KIND_I64) && panel->groups == 1 &&
           !panel->carry && panel->lines * panel->length <= SMALL_ELEMENTS;
}

/* Every member is at the union's first byte, so that its bytes in memory can be copied to and from
 * it without knowing the kind. */
typedef union small_accumulator {
    float f32;
    uint32_t i32;
    uint64_t i64;
} small_accumulator;

KERNEL_INLINE small_accumulator small_add(kernel_kind kind, small_accumulator accumulator,
                                          small_accumulator x) {
    if (kind == KIND_F32)
        accumulator.f32 += x.f32;
    else if (kind == KIND_I32)
        accumulator.i32 += x.i32;
    else
        accumulator.i64 += x.i64;
    return accumulator;
}

/* Steps are those of the panel, in the order of the scan. An element is read before its output is
 * written, so the scan may be in place. */
KERNEL_INLINE void small_line(kernel_kind kind, const cumsum_panel *panel, bool exclusive,
                              const unsigned char *in, unsigned char *out) {
    const size_t size = kind_size(kind);
    small_accumulator accumulator = {.i64 = 0};
    for (uint64_t k = 0; k < panel->length; k++) {
        const small_accumulator before = accumulator;
        small_accumulator x = {.i64 = 0};
        memcpy(&x, in + (int64_t)k * panel->input_step, size);
        accumulator = small_add(kind, accumulator, x);
        memcpy(out + (int64_t)k * panel->output_step, exclusive ? &before : &accumulator, size);
    }
}

/* The same in the blocked order. So short a line has one tile. */
KERNEL_INLINE void small_blocked_line(kernel_kind kind, const cumsum_panel *panel, bool exclusive,
                                      const unsigned char *in, unsigned char *out) {
    cumsum_level level = {.carry = 0};
    float sum = 0;
    for (uint64_t k = 0; k < panel->length; k++) {
        const float before = sum;
        float x;
        memcpy(&x, in + (int64_t)k * panel->input_step, sizeof x);
        sum = step_line_level(kind, &level, (unsigned)(k % LINE_BLOCK), x);
        memcpy(out + (int64_t)k * panel->output_step, exclusive ? &before : &sum, sizeof sum);
    }
}

KERNEL_INLINE void small_lines(kernel_kind kind, bool blocked, const cumsum_panel *panel,
                               bool exclusive) {
    for (uint64_t i = 0; i < panel->lines; i++) {
        const unsigned char *in = panel->input + (int64_t)i * panel->input_line_step;
        unsigned char *out = panel->output + (int64_t)i * panel->output_line_step;
        if (blocked)
            small_blocked_line(kind, panel, exclusive, in, out);
        else
            small_line(kind, panel, exclusive, in, out);
    }
}

/* `blocked`: the blocked order of floats; integers have the same bits in each. */
static inline void small_panel(kernel_kind kind, bool blocked, const cumsum_panel *panel,
                               bool exclusive) {
    if (kind == KIND_F32 && blocked)
        small_lines(KIND_F32, true, panel, exclusive);
    else if (kind == KIND_F32)
        small_lines(KIND_F32, false, panel, exclusive);
    else if (kind == KIND_I32)
        small_lines(KIND_I32, false, panel, exclusive);
    else
        small_lines(KIND_I64, false, panel, exclusive);
}

#endif
