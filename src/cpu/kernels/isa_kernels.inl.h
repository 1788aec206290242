/* SPDX-License-Identifier: MIT */
/*
 * All kernels of an instruction set, and the table that exports them. kernels_<isa>.c includes it
 * once, after its vocabulary. Parameters, which are undefined at the end:
 *   KERNEL_TABLE     the name of the table
 *   KERNEL_ID        its cumsum_kernel
 *   KERNEL_MISSING   a function that says what this processor lacks (processor_features.h)
 *
 * Each function of the table is one kind (kernel_kind.h) and order. The kind is a constant in it,
 * so that everything that depends on it is folded away; the access patterns of a panel are tested
 * when it runs.
 */
#if !defined(KERNEL_TABLE) || !defined(KERNEL_ID) || !defined(KERNEL_MISSING)
#error "isa_kernels.inl.h: define KERNEL_TABLE, KERNEL_ID and KERNEL_MISSING"
#endif

#include "blocked_segments.h"
#include "exact_scan.h"
#include "float_panel.h"
#include "lane_kernels.h"
#include "sequential_segments.h"
#include "small_panel.h"
#include "strided_lines.h"

/* Fewer lines than this are added up one by one: with so few lanes in use, a vector takes longer
 * than that many additions after each other. */
#define FEW_LINES 4

/* Few lines can be taken one by one unless they are joined. */
KERNEL_INLINE void sequential_floats(kernel_kind kind, const panel_walk *w, tail_function32 *tail) {
    const bool strided = lines_are_strided(w);
    const bool few = all_lines(w) < FEW_LINES && w->length < w->period;
    if (few && (strided || (both_contiguous(w) && w->length > LANES32)))
        sequential_one_by_one(kind, w);
    else if (strided)
        sequential_strided_lines(kind, w);
    else
        sequential_panel32(kind, w, tail);
}

/* The blocked order needs no function for tails. */
KERNEL_INLINE void blocked_floats(kernel_kind kind, const panel_walk *w, tail_function32 *tail) {
    (void)tail;
    if (lines_are_strided(w))
        blocked_strided_lines(kind, w);
    else
        blocked_panel(kind, w);
}

/* Panels of a shape that is_crossed. */
KERNEL_INLINE void sequential_crossed(kernel_kind kind, const panel_walk *w, void *tail) {
    (void)tail;
    if (kind == KIND_I64)
        scan_crossed_panel64(kind, w);
    else
        scan_crossed_panel32(kind, w);
}

KERNEL_INLINE void blocked_crossed(kernel_kind kind, const panel_walk *w, void *tail) {
    (void)tail;
    blocked_crossed_panel(kind, w);
}

/* What is scanned in pass number `pass` over a panel: all groups of lines, or one. */
KERNEL_INLINE const panel_walk *pass_walk(const panel_walk *w, uint64_t pass, panel_walk *group) {
    if (takes_all_groups(w))
        return w;
    *group = some_groups(w, pass, 1);
    return group;
}

/* The macros below name and export; what they call is typed inline functions. */

/* The function that scans the tails of a kind's panels (panel_scan.inl.h). */
#define TAIL(name, kind, width)                                                                    \
    static void name(const panel_walk *w, uint64_t line, unsigned lines, uint64_t k,               \
                     v##width *tally) {                                                            \
        scan_tail##width(kind, *w, line, lines, k, *tally);                                        \
    }

/* The function `name` of a panel, which runs `scan`. `chunk` elements of joined lines become one
 * (join_short_lines). `small`: how small panels are added up (small_panel.h). */
#define PANEL_FUNCTION(name, scan, kind, tail, chunk, small)                                       \
    static void name(const cumsum_panel *panel, const cumsum_arithmetic *arithmetic) {             \
        if (panel_is_small(kind, small, panel)) {                                                  \
            small_panel(kind, small, panel, arithmetic->exclusive);                                \
            return;                                                                                \
        }                                                                                          \
        const panel_walk w = panel_walk_of(panel, arithmetic, kind_size(kind), chunk);             \
        const uint64_t passes = takes_all_groups(&w) ? 1 : w.groups;                               \
        panel_walk group;                                                                          \
        for (uint64_t pass = 0; pass < passes; pass++)                                             \
            scan(kind, pass_walk(&w, pass, &group), tail);                                         \
        if (w.stream)                                                                              \
            fence();                                                                               \
    }

/* Both orders of a kind of float that round each sum. */
#define FLOAT_FUNCTIONS(name, kind)                                                                \
    TAIL(tail_##name, kind, 32)                                                                    \
    PANEL_FUNCTION(crossed_##name, sequential_crossed, kind, NULL, 1, NEVER_SMALL)                 \
    PANEL_FUNCTION(blocked_crossed_##name, blocked_crossed, kind, NULL, 1, NEVER_SMALL)            \
    PANEL_FUNCTION(sequential_##name, sequential_floats, kind, tail_##name, chunk_length32(kind),  \
                   SMALL_SEQUENTIAL)                                                               \
    PANEL_FUNCTION(blocked_##name, blocked_floats, kind, NULL, LINE_BLOCK, SMALL_BLOCKED)

/* Integers have one function for all orders. */
FLOAT_FUNCTIONS(f32, KIND_F32)
FLOAT_FUNCTIONS(f32_flush, KIND_F32_FLUSH)
FLOAT_FUNCTIONS(f16_nearest, KIND_F16_NEAREST)
FLOAT_FUNCTIONS(f16_zero, KIND_F16_ZERO)
FLOAT_FUNCTIONS(f16_ieee, KIND_F16_IEEE)
FLOAT_FUNCTIONS(f16_narrow, KIND_F16_NARROW)
PANEL_FUNCTION(exact_f32, exact_panel, KIND_F32, NULL, 1, NEVER_SMALL)
PANEL_FUNCTION(exact_f32_flush, exact_panel, KIND_F32_FLUSH, NULL, 1, NEVER_SMALL)
PANEL_FUNCTION(exact_f16, exact_panel, KIND_F16_IEEE, NULL, 1, NEVER_SMALL)
TAIL(tail_i32, KIND_I32, 32)
PANEL_FUNCTION(crossed_i32, sequential_crossed, KIND_I32, NULL, 1, NEVER_SMALL)
PANEL_FUNCTION(crossed_i64, sequential_crossed, KIND_I64, NULL, 1, NEVER_SMALL)
PANEL_FUNCTION(any_i32, integer_panel32, KIND_I32, tail_i32, chunk_length32(KIND_I32),
               SMALL_SEQUENTIAL)
TAIL(tail_i64, KIND_I64, 64)
PANEL_FUNCTION(any_i64, integer_panel64, KIND_I64, tail_i64, chunk_length64(KIND_I64),
               SMALL_SEQUENTIAL)

/* Segments of a line (segment.h). A segment is one line, so a chunk of 1 joins nothing. */
KERNEL_INLINE panel_walk segment_walk(const cumsum_panel *segment,
                                      const cumsum_arithmetic *arithmetic, kernel_kind kind) {
    return panel_walk_of(segment, arithmetic, kind_size(kind), 1);
}

/* The `advance` of integers: their carry is one number. */
KERNEL_INLINE void integer_advance(kernel_kind kind, const panel_walk *w, cumsum_segment_sums *sums,
                                   cumsum_carry *carry) {
    const uint64_t total = sums->integer;
    (void)kind;
    (void)w;
    sums->integer = carry->integer;
    carry->integer += total;
}

/* The three functions of segments for a kind, and their table. */
#define SEGMENT_FUNCTIONS(name, kind, reduce, advance, write, guess)                               \
    static void reduce_##name(const cumsum_panel *segment, const cumsum_arithmetic *arithmetic,    \
                              cumsum_segment_sums *sums) {                                         \
        const panel_walk w = segment_walk(segment, arithmetic, kind);                              \
        reduce(kind, &w, sums);                                                                    \
    }                                                                                              \
    static void advance_##name(const cumsum_panel *segment, const cumsum_arithmetic *arithmetic,   \
                               cumsum_segment_sums *sums, cumsum_carry *carry) {                   \
        const panel_walk w = segment_walk(segment, arithmetic, kind);                              \
        advance(kind, &w, sums, carry);                                                            \
    }                                                                                              \
    static void write_##name(const cumsum_panel *segment, const cumsum_arithmetic *arithmetic,     \
                             const cumsum_segment_sums *before, cumsum_carry *carry,               \
                             const cumsum_panel *next) {                                           \
        const panel_walk w = segment_walk(segment, arithmetic, kind);                              \
        const prefetch_range range = prefetch_range_of(next, kind_size(kind));                     \
        write(kind, &w, before, carry, range);                                                     \
        if (w.stream)                                                                              \
            fence();                                                                               \
    }                                                                                              \
    static const cumsum_segment_functions segments_##name = {reduce_##name, advance_##name,        \
                                                             write_##name, guess};

#define BLOCKED_SEGMENTS(name, kind)                                                               \
    SEGMENT_FUNCTIONS(name, kind, blocked_reduce, blocked_advance, blocked_write, false)

BLOCKED_SEGMENTS(f32, KIND_F32)
BLOCKED_SEGMENTS(f32_flush, KIND_F32_FLUSH)
BLOCKED_SEGMENTS(f16_nearest, KIND_F16_NEAREST)
BLOCKED_SEGMENTS(f16_zero, KIND_F16_ZERO)
BLOCKED_SEGMENTS(f16_ieee, KIND_F16_IEEE)
BLOCKED_SEGMENTS(f16_narrow, KIND_F16_NARROW)
SEGMENT_FUNCTIONS(sequential_f32, KIND_F32, sequential_reduce, sequential_advance, sequential_write,
                  true)
SEGMENT_FUNCTIONS(sequential_f32_flush, KIND_F32_FLUSH, sequential_reduce, sequential_advance,
                  sequential_write, true)
SEGMENT_FUNCTIONS(exact_f32, KIND_F32, exact_reduce, exact_advance, exact_write, false)
SEGMENT_FUNCTIONS(exact_f32_flush, KIND_F32_FLUSH, exact_reduce, exact_advance, exact_write, false)
SEGMENT_FUNCTIONS(exact_f16, KIND_F16_IEEE, exact_reduce, exact_advance, exact_write, false)
SEGMENT_FUNCTIONS(i32, KIND_I32, integer_reduce32, integer_advance, integer_write32, false)
SEGMENT_FUNCTIONS(i64, KIND_I64, integer_reduce64, integer_advance, integer_write64, false)

/* The functions of each kind, by number. */
typedef struct kind_functions {
    cumsum_panel_function *sequential;
    cumsum_panel_function *blocked;
    cumsum_panel_function *crossed; /* of a shape that is_crossed, in the sequential order */
    cumsum_panel_function *blocked_crossed;
    const cumsum_segment_functions *segments; /* in the blocked order */
} kind_functions;

static const kind_functions functions_of_kind[] = {
    [KIND_F32] = {sequential_f32, blocked_f32, crossed_f32, blocked_crossed_f32, &segments_f32},
    [KIND_F32_FLUSH] = {sequential_f32_flush, blocked_f32_flush, crossed_f32_flush,
                        blocked_crossed_f32_flush, &segments_f32_flush},
    [KIND_F16_NEAREST] = {sequential_f16_nearest, blocked_f16_nearest, crossed_f16_nearest,
                          blocked_crossed_f16_nearest, &segments_f16_nearest},
    [KIND_F16_ZERO] = {sequential_f16_zero, blocked_f16_zero, crossed_f16_zero,
                       blocked_crossed_f16_zero, &segments_f16_zero},
    [KIND_F16_IEEE] = {sequential_f16_ieee, blocked_f16_ieee, crossed_f16_ieee,
                       blocked_crossed_f16_ieee, &segments_f16_ieee},
    [KIND_F16_NARROW] = {sequential_f16_narrow, blocked_f16_narrow, crossed_f16_narrow,
                         blocked_crossed_f16_narrow, &segments_f16_narrow},
    [KIND_I32] = {any_i32, any_i32, crossed_i32, crossed_i32, &segments_i32},
    [KIND_I64] = {any_i64, any_i64, crossed_i64, crossed_i64, &segments_i64},
};

/* In the sequential order; others have none. */
static const cumsum_segment_functions *const sequential_segments_of_kind[KIND_I64 + 1] = {
    [KIND_F32] = &segments_sequential_f32, [KIND_F32_FLUSH] = &segments_sequential_f32_flush};

/* The functions of floats in the exact order. */
typedef struct exact_functions {
    cumsum_panel_function *panel;
    const cumsum_segment_functions *segments;
} exact_functions;

static const exact_functions exact_of_kind[] = {
    [KIND_F32] = {exact_f32, &segments_exact_f32},
    [KIND_F32_FLUSH] = {exact_f32_flush, &segments_exact_f32_flush},
    [KIND_F16_IEEE] = {exact_f16, &segments_exact_f16},
};

/* FLOAT16 has one kind, whatever the accumulator and the store: that of the IEEE conversion. */
static const exact_functions *exact_of(kernel_kind kind) {
    return &exact_of_kind[is_half(kind) ? KIND_F16_IEEE : kind];
}

/* No shape is refused: a panel's function chooses by the panel's access patterns, unless the shape
 * is crossed. */
static cumsum_panel_function *select_panel(const cumsum_shape *shape,
                                           const cumsum_arithmetic *arithmetic) {
    const kernel_kind kind = kind_of(arithmetic);
    const cumsum_order order = arithmetic->numerics.order;
    const kind_functions *functions = &functions_of_kind[kind];
    if (order == CUMSUM_ORDER_EXACT && !is_integer(kind))
        return exact_of(kind)->panel;
    if (shape->is_crossed)
        return order == CUMSUM_ORDER_BLOCKED ? functions->blocked_crossed : functions->crossed;
    return order == CUMSUM_ORDER_BLOCKED ? functions->blocked : functions->sequential;
}

/* NULL in the sequential order of FLOAT16, and of FLOAT32 where that is one addition after the
 * other. */
static const cumsum_segment_functions *select_segments(const cumsum_arithmetic *arithmetic) {
    const kernel_kind kind = kind_of(arithmetic);
    const cumsum_order order = arithmetic->numerics.order;
    if (order == CUMSUM_ORDER_EXACT && !is_integer(kind))
        return exact_of(kind)->segments;
    if (is_integer(kind) || order == CUMSUM_ORDER_BLOCKED)
        return functions_of_kind[kind].segments;
    return SCANS_BINADES ? sequential_segments_of_kind[kind] : NULL;
}

const cumsum_kernel_table KERNEL_TABLE = {
    .kernel = KERNEL_ID,
    .missing = KERNEL_MISSING,
    .select = select_panel,
    .select_segments = select_segments,
};

#undef KERNEL_TABLE
#undef KERNEL_ID
#undef KERNEL_MISSING
