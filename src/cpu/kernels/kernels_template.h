/* SPDX-License-Identifier: MIT */
/*
 * All kernels of an instruction set. Included once, by kernels_<isa>.c, after its vocabulary.
 * Parameters:
 *   KERNEL_TABLE    name of the table that is exported
 *   KERNEL_ID       its cumsum_kernel
 *   KERNEL_MISSING  a function that says what this processor lacks
 */

#include "elements.h"
#include "panel_walk.h"

#include <string.h>

/* The blocked order's: docs/numerics.md. */
#define LINE_BLOCK 16
#define LINE_TILE  1024

#define WIDTH  32
#define LANES  LANES32
#define VECTOR v32
#include "line_template.h"
#include "panel_template.h"
#undef WIDTH
#undef LANES
#undef VECTOR

#define WIDTH  64
#define LANES  LANES64
#define VECTOR v64
#include "line_template.h"
#include "panel_template.h"
#undef WIDTH
#undef LANES
#undef VECTOR

#include "float_line.h"

#include "float_panel.h"

/* Fewer lines than this are added up one by one: vectors of so few lanes in use are slower than
 * the latency of an addition. */
#define FEW_LINES 4

/* A binary16 tally rounds in vectors only. */
KERNEL_INLINE void sequential_floats(element_kind kind, const panel_walk w) {
    const bool line_by_line = w.in.way == WAY_LINE && w.out.way == WAY_LINE;
    if (line_by_line && kind != KIND_F16_NARROW && w.lines < FEW_LINES) {
        for (uint64_t i = 0; i < w.lines; i++)
            sequential_line(kind, line_of32(w, i));
        return;
    }
    sequential_panel32(kind, w);
}

/* Integers have all orders at once: the one for a line by itself needs no transposition. */
KERNEL_INLINE void integers_32(element_kind kind, const panel_walk w) {
    if (w.in.way == WAY_LINE && w.out.way == WAY_LINE && w.length >= 4 * LINE_BLOCK) {
        for (uint64_t i = 0; i < w.lines; i++)
            integer_line32(kind, line_of32(w, i));
        return;
    }
    sequential_panel32(kind, w);
}

KERNEL_INLINE void integers_64(element_kind kind, const panel_walk w) {
    if (w.in.way == WAY_LINE && w.out.way == WAY_LINE && w.length >= 4 * LINE_BLOCK) {
        for (uint64_t i = 0; i < w.lines; i++)
            integer_line64(kind, line_of64(w, i));
        return;
    }
    sequential_panel64(kind, w);
}

/* One function a kind and order: the kind is a constant in each, and all about it is folded away.
 */
#define PANEL_FUNCTION(name, compute, kind)                                                        \
    static void name(const cumsum_panel *panel, const cumsum_arithmetic *arithmetic) {             \
        const panel_walk w = panel_walk_of(panel, arithmetic, kind_size(kind));                    \
        compute(kind, w);                                                                          \
        if (w.stream)                                                                              \
            fence();                                                                               \
    }

PANEL_FUNCTION(sequential_f32, sequential_floats, KIND_F32)
PANEL_FUNCTION(sequential_f32_flush, sequential_floats, KIND_F32_FLUSH)
PANEL_FUNCTION(sequential_f16_nearest, sequential_floats, KIND_F16_NEAREST)
PANEL_FUNCTION(sequential_f16_zero, sequential_floats, KIND_F16_ZERO)
PANEL_FUNCTION(sequential_f16_ieee, sequential_floats, KIND_F16_IEEE)
PANEL_FUNCTION(sequential_f16_narrow, sequential_floats, KIND_F16_NARROW)
PANEL_FUNCTION(blocked_f32, blocked_panel, KIND_F32)
PANEL_FUNCTION(blocked_f32_flush, blocked_panel, KIND_F32_FLUSH)
PANEL_FUNCTION(blocked_f16_nearest, blocked_panel, KIND_F16_NEAREST)
PANEL_FUNCTION(blocked_f16_zero, blocked_panel, KIND_F16_ZERO)
PANEL_FUNCTION(blocked_f16_ieee, blocked_panel, KIND_F16_IEEE)
PANEL_FUNCTION(blocked_f16_narrow, blocked_panel, KIND_F16_NARROW)
PANEL_FUNCTION(any_i32, integers_32, KIND_I32)
PANEL_FUNCTION(any_i64, integers_64, KIND_I64)

/* The exact order is the reference's. */
static cumsum_panel_function *select_panel(const cumsum_shape *shape,
                                           const cumsum_arithmetic *arithmetic) {
    static cumsum_panel_function *const functions[][2] = {
        {sequential_f32, blocked_f32},
        {sequential_f32_flush, blocked_f32_flush},
        {sequential_f16_nearest, blocked_f16_nearest},
        {sequential_f16_zero, blocked_f16_zero},
        {sequential_f16_ieee, blocked_f16_ieee},
        {sequential_f16_narrow, blocked_f16_narrow},
        {any_i32, any_i32},
        {any_i64, any_i64},
    };
    const element_kind kind = kind_of(arithmetic);
    (void)shape;
    if (kind >= KIND_I32)
        return functions[kind][0];
    if (arithmetic->numerics.order > CUMSUM_ORDER_BLOCKED)
        return NULL;
    return functions[kind][arithmetic->numerics.order];
}

const cumsum_kernel_table KERNEL_TABLE = {
    .kernel = KERNEL_ID,
    .missing = KERNEL_MISSING,
    .select = select_panel,
};
