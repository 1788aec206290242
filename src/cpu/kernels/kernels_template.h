/* SPDX-License-Identifier: MIT */
/*
 * All kernels of an instruction set. Included once, by kernels_<isa>.c, after its vocabulary.
 * Parameters:
 *   KERNEL_TABLE    name of the table that is exported
 *   KERNEL_ID       its cumsum_kernel
 *   KERNEL_MISSING  a function that says what this processor lacks
 */

#include "columns.h"
#include "elements.h"
#include "far_elements.h"
#include "panel_walk.h"
#include "read_ahead.h"
#include "small_panel.h"

#include <string.h>

/* The blocked order's: docs/numerics.md. */
#define LINE_BLOCK 16
#define LINE_TILE  1024

#define WIDTH  32
#define LANES  LANES32
#define VECTOR v32
#include "block_template.h"
#include "column_template.h"
#include "line_template.h"
#include "scan_template.h"

#include "half_chunk.h"

#include "panel_template.h"
#include "tile_template.h"
#undef WIDTH
#undef LANES
#undef VECTOR

#define WIDTH  64
#define LANES  LANES64
#define VECTOR v64
#include "block_template.h"
#include "column_template.h"
#include "line_template.h"
#include "scan_template.h"

#include "panel_template.h"
#include "tile_template.h"
#undef WIDTH
#undef LANES
#undef VECTOR

#include "line_levels.h"

#include "float_line.h"

#include "float_columns.h"

#include "float_panel.h"

#include "line_parts_kernels.h"

#include "far_lines.h"

/* Fewer lines than this are added up one by one: vectors of so few lanes in use are slower than
 * the latency of an addition. */
#define FEW_LINES 4

/* A binary16 tally rounds in vectors only, and what was joined is many lines. */
KERNEL_INLINE void sequential_floats(element_kind kind, const panel_walk *w,
                                     rest_function32 *rest) {
    const bool line_by_line = w->in.way == WAY_LINE && w->out.way == WAY_LINE;
    const bool few = all_lines(w) < FEW_LINES && w->length < w->period && kind != KIND_F16_NARROW;
    if (few && (lines_are_far_runs(w) || (line_by_line && w->length > LANES32)))
        sequential_few(kind, w);
    else if (lines_are_far_runs(w))
        sequential_far_lines(kind, w);
    else
        sequential_panel32(kind, w, rest);
}

KERNEL_INLINE void blocked_floats(element_kind kind, const panel_walk *w, rest_function32 *rest) {
    if (lines_are_far_runs(w))
        blocked_far_lines(kind, w);
    else
        blocked_panel(kind, w, rest);
}

/* Integers have all orders at once: the one for a line by itself needs no transposition. */
KERNEL_INLINE bool by_itself(const panel_walk *w) {
    return w->in.way == WAY_LINE && w->out.way == WAY_LINE && w->length >= UINT64_C(4) * LINE_BLOCK;
}

KERNEL_INLINE void integers_32(element_kind kind, const panel_walk *w, rest_function32 *rest) {
    if (by_itself(w))
        for (uint64_t i = 0; i < w->lines; i++)
            integer_line32(kind, line_of32(*w, line_at(w, i)));
    else if (lines_are_far_runs(w))
        integer_far_lines32(kind, w);
    else
        sequential_panel32(kind, w, rest);
}

KERNEL_INLINE void integers_64(element_kind kind, const panel_walk *w, rest_function64 *rest) {
    if (by_itself(w))
        for (uint64_t i = 0; i < w->lines; i++)
            integer_line64(kind, line_of64(*w, line_at(w, i)));
    else if (lines_are_far_runs(w))
        integer_far_lines64(kind, w);
    else
        sequential_panel64(kind, w, rest);
}

/* Rows are taken together where their elements are gathered anyway. */
static inline bool takes_rows(const panel_walk *w) {
    return lines_are_far_runs(w) || done_by_rows(w);
}

/* The functions of a kind, which is a constant in each, so that all about it is folded away.
 * `one_by_one`: a handful of elements may be added one after the other. */
#define REST_FUNCTION(name, kind, width)                                                           \
    static void name(const panel_walk *w, uint64_t line, unsigned lines, uint64_t k,               \
                     v##width *tally) {                                                            \
        rest##width(kind, *w, line, lines, k, *tally);                                             \
    }
#define PANEL_FUNCTION(name, compute, kind, rest, lanes, one_by_one)                               \
    static void name(const cumsum_panel *panel, const cumsum_arithmetic *arithmetic) {             \
        if ((one_by_one) && panel_is_small(kind, panel)) {                                         \
            small_panel(kind, panel, arithmetic->exclusive);                                       \
            return;                                                                                \
        }                                                                                          \
        const panel_walk w = panel_walk_of(panel, arithmetic, kind_size(kind), lanes);             \
        const bool by_row = w.rows > 1 && !takes_rows(&w);                                         \
        panel_walk one;                                                                            \
        for (uint64_t row = 0; row < (by_row ? w.rows : 1); row++) {                               \
            if (by_row)                                                                            \
                one = rows_of(&w, row, 1);                                                         \
            compute(kind, by_row ? &one : &w, rest);                                               \
        }                                                                                          \
        if (w.stream)                                                                              \
            fence();                                                                               \
    }
#define FLOAT_FUNCTIONS(name, kind)                                                                \
    REST_FUNCTION(rest_##name, kind, 32)                                                           \
    PANEL_FUNCTION(sequential_##name, sequential_floats, kind, rest_##name, chunk_length32(kind),  \
                   true)                                                                           \
    PANEL_FUNCTION(blocked_##name, blocked_floats, kind, NULL, LINE_BLOCK, false)

FLOAT_FUNCTIONS(f32, KIND_F32)
FLOAT_FUNCTIONS(f32_flush, KIND_F32_FLUSH)
FLOAT_FUNCTIONS(f16_nearest, KIND_F16_NEAREST)
FLOAT_FUNCTIONS(f16_zero, KIND_F16_ZERO)
FLOAT_FUNCTIONS(f16_ieee, KIND_F16_IEEE)
FLOAT_FUNCTIONS(f16_narrow, KIND_F16_NARROW)
REST_FUNCTION(rest_i32, KIND_I32, 32)
PANEL_FUNCTION(any_i32, integers_32, KIND_I32, rest_i32, chunk_length32(KIND_I32), true)
REST_FUNCTION(rest_i64, KIND_I64, 64)
PANEL_FUNCTION(any_i64, integers_64, KIND_I64, rest_i64, chunk_length64(KIND_I64), true)

/* The same for parts of a line, whose single line is never side by side with another. */
static panel_walk part_walk(const cumsum_panel *part, const cumsum_arithmetic *arithmetic,
                            element_kind kind) {
    return panel_walk_of(part, arithmetic, kind_size(kind), 1);
}

#define PART_FUNCTIONS(name, kind, total, advance, write)                                          \
    static void total_##name(const cumsum_panel *part, const cumsum_arithmetic *arithmetic,        \
                             cumsum_segment_sums *sums) {                                          \
        const panel_walk w = part_walk(part, arithmetic, kind);                                    \
        total(kind, &w, sums);                                                                     \
    }                                                                                              \
    static void advance_##name(uint64_t length, const cumsum_arithmetic *arithmetic,               \
                               cumsum_segment_sums *sums, cumsum_carry *state) {                   \
        (void)arithmetic;                                                                          \
        advance(kind, length, sums, state);                                                        \
    }                                                                                              \
    static void write_or_pass_##name(                                                              \
        const cumsum_panel *part, const cumsum_arithmetic *arithmetic,                             \
        const cumsum_segment_sums *before, cumsum_carry *state, const cumsum_panel *next) {        \
        const panel_walk w = part_walk(part, arithmetic, kind);                                    \
        const read_ahead ahead = read_ahead_of(next, kind_size(kind));                             \
        write(kind, &w, before, state, ahead);                                                     \
        if (w.stream)                                                                              \
            fence();                                                                               \
    }                                                                                              \
    static const cumsum_segment_functions parts_##name = {total_##name, advance_##name,            \
                                                          write_or_pass_##name};
#define BLOCKED_PARTS(name, kind)                                                                  \
    PART_FUNCTIONS(name, kind, blocked_total, blocked_advance, blocked_write)

BLOCKED_PARTS(f32, KIND_F32)
BLOCKED_PARTS(f32_flush, KIND_F32_FLUSH)
BLOCKED_PARTS(f16_nearest, KIND_F16_NEAREST)
BLOCKED_PARTS(f16_zero, KIND_F16_ZERO)
BLOCKED_PARTS(f16_ieee, KIND_F16_IEEE)
BLOCKED_PARTS(f16_narrow, KIND_F16_NARROW)
PART_FUNCTIONS(i32, KIND_I32, integers_total32, integers_advance, integers_write32)
PART_FUNCTIONS(i64, KIND_I64, integers_total64, integers_advance, integers_write64)

static const cumsum_segment_functions *select_segments(const cumsum_arithmetic *arithmetic) {
    static const cumsum_segment_functions *const functions[] = {
        &parts_f32,      &parts_f32_flush,  &parts_f16_nearest, &parts_f16_zero,
        &parts_f16_ieee, &parts_f16_narrow, &parts_i32,         &parts_i64};
    const element_kind kind = kind_of(arithmetic);
    const cumsum_order order = arithmetic->numerics.order;
    if (kind < KIND_I32 && order == CUMSUM_ORDER_EXACT)
        return cumsum_exact_segments;
    return kind >= KIND_I32 || order == CUMSUM_ORDER_BLOCKED ? functions[kind] : NULL;
}

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
    if (arithmetic->numerics.order == CUMSUM_ORDER_EXACT)
        return cumsum_exact_panel;
    return functions[kind][arithmetic->numerics.order];
}

const cumsum_kernel_table KERNEL_TABLE = {
    .kernel = KERNEL_ID,
    .missing = KERNEL_MISSING,
    .select = select_panel,
    .select_segments = select_segments,
};
