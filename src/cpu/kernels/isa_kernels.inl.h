/* SPDX-License-Identifier: MIT */
/*
 * All kernels of an instruction set, and the table that exports them. kernels_<isa>.c includes it
 * once, after its vector operations. Parameters, which are undefined at the end:
 *   KERNEL_TABLE     the name of the table
 *   KERNEL_ID        its cumsum_kernel
 *   KERNEL_MISSING   a function that says what this processor lacks (processor_features.h)
 * and, if these kernels are not all of the set's, TRANSPOSES_BLOCKS or COMMON_PANELS_ONLY.
 *
 * Each function of the table is one kind (kernel_kind.h) and order. The kind is a constant in it,
 * so that everything that depends on it is folded away; the access patterns of a panel are tested
 * when it runs.
 */
#if !defined(KERNEL_TABLE) || !defined(KERNEL_ID) || !defined(KERNEL_MISSING)
#error "isa_kernels.inl.h: define KERNEL_TABLE, KERNEL_ID and KERNEL_MISSING"
#endif

/* Whether panels are scanned in transposed blocks where that is faster than row by row. */
#ifndef TRANSPOSES_BLOCKS
#define TRANSPOSES_BLOCKS 1
#endif

/* Whether these are only the kernels of panels, and only of the kinds that are not rare: neither
 * the exact order nor crossed shapes nor segments. */
#ifndef COMMON_PANELS_ONLY
#define COMMON_PANELS_ONLY 0
#endif

#include "blocked_segments.h"
#include "exact_scan.h"
#include "float_panel.h"
#include "lane_kernels.h"
#include "small_panel.h"
#include "strided_lines.h"

/* Fewer lines than this are added up one by one: with so few lanes in use, a vector takes longer
 * than that many additions after each other. Of contiguous lines, vectors of 16 lanes have masks,
 * which make blocks of few lines cheaper; with others, no such block pays. */
#define FEW_STRIDED_LINES 4
#if LANES32 == 16
#define FEW_LONG_LINES 4
#else
#define FEW_LONG_LINES LANES32
#endif

/* Contiguous lines: those that fill vectors, and then the others one by one if they are few. */
KERNEL_INLINE void sequential_long_lines(const panel_walk *w, const block_functions32 *functions) {
    const uint64_t rest = TRANSPOSES_BLOCKS ? w->lines % LANES32 : w->lines;
    const uint64_t together = rest < FEW_LONG_LINES ? w->lines - rest : w->lines;
    panel_walk part = some_lines(w, 0, together);
    if (together)
        functions->panel(&part, functions);
    part = some_lines(w, together, w->lines - together);
    functions->one_by_one(&part);
}

/* Lines that are joined cannot be taken one by one. */
KERNEL_INLINE void sequential_floats(kernel_kind kind, const panel_walk *w,
                                     const block_functions32 *functions) {
    const bool joined = w->period <= w->length;
    if (lines_are_strided(w) && all_lines(w) < FEW_STRIDED_LINES)
        functions->one_by_one(w);
    else if (lines_are_strided(w) && TRANSPOSES_BLOCKS)
        sequential_strided_lines(kind_size(kind), w, functions);
    else if (both_contiguous(w) && w->length > LANES32 && !joined)
        sequential_long_lines(w, functions);
    else
        functions->panel(w, functions);
}

/* The blocked order needs none of the functions. */
KERNEL_INLINE void blocked_floats(kernel_kind kind, const panel_walk *w,
                                  const block_functions32 *functions) {
    (void)functions;
    if (lines_are_strided(w))
        blocked_strided_lines(kind, w);
    else
        blocked_panel(kind, w);
}

/* Panels of a shape that is_crossed. */
KERNEL_INLINE void sequential_crossed(kernel_kind kind, const panel_walk *w,
                                      const void *functions) {
    (void)functions;
    if (kind == KIND_I64)
        scan_crossed_panel64(kind, w);
    else
        scan_crossed_panel32(kind, w);
}

KERNEL_INLINE void blocked_crossed(kernel_kind kind, const panel_walk *w, const void *functions) {
    (void)functions;
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

/* The functions of a kind that scan lines in blocks (panel_scan.inl.h). */
#define BLOCKS(name, kind, width, panel, one_by_one)                                               \
    static void rest_##name(const panel_walk *w, uint64_t line, unsigned lines, uint64_t k,        \
                            const v##width *accumulator) {                                         \
        scan_rest##width(actual_kind(kind, w->actual), *w, line, lines, k, *accumulator);          \
    }                                                                                              \
    static void lines_##name(const panel_walk *w, uint64_t line, v##width *accumulator) {          \
        scan_contiguous_lines##width(actual_kind(kind, w->actual), w, line, accumulator,           \
                                     rest_##name);                                                 \
    }                                                                                              \
    static const block_functions##width blocks_##name = {rest_##name, lines_##name, panel,         \
                                                         one_by_one};

/* The function `name` of a panel, which runs `scan`. `chunk` elements of joined lines become one
 * (join_short_lines). `small`: how small panels are added up (small_panel.h). */
#define PANEL_FUNCTION(name, scan, kind, functions, chunk, small)                                  \
    KERNEL_OUTLINE void name(const cumsum_panel *panel, const cumsum_arithmetic *arithmetic) {     \
        if (panel_is_small(kind, small, panel)) {                                                  \
            small_panel(kind, small, panel, arithmetic->exclusive);                                \
            return;                                                                                \
        }                                                                                          \
        const panel_walk w = panel_walk_of(panel, arithmetic, kind, chunk);                        \
        const uint64_t passes = takes_all_groups(&w) ? 1 : w.groups;                               \
        panel_walk group;                                                                          \
        for (uint64_t pass = 0; pass < passes; pass++)                                             \
            scan(actual_kind(kind, w.actual), pass_walk(&w, pass, &group), functions);             \
        if (w.stream)                                                                              \
            fence();                                                                               \
    }

/* Row by row nothing is joined. */
#define JOINED(chunk) (TRANSPOSES_BLOCKS ? (chunk) : 1)

/* Both orders of a kind of float that round each sum. Panels and single lines are functions of
 * their own, so that a call has the stack of one of them only. */
#define FLOAT_FUNCTIONS(name, kind)                                                                \
    KERNEL_OUTLINE void panel_##name(const panel_walk *w, const block_functions32 *functions) {    \
        sequential_panel32(actual_kind(kind, w->actual), w, functions);                            \
    }                                                                                              \
    KERNEL_OUTLINE void each_##name(const panel_walk *w) {                                         \
        sequential_one_by_one(actual_kind(kind, w->actual), w);                                    \
    }                                                                                              \
    BLOCKS(name, kind, 32, panel_##name, each_##name)                                              \
    PANEL_FUNCTION(sequential_##name, sequential_floats, kind, &blocks_##name,                     \
                   JOINED(chunk_length32(kind)), SMALL_SEQUENTIAL)                                 \
    PANEL_FUNCTION(blocked_##name, blocked_floats, kind, NULL, LINE_BLOCK, SMALL_BLOCKED)

/* Calls a function of FLOAT32 in the mode of the processor that flushes (docs/kernels.md). The
 * function must not be inlined: the compiler could move its additions out of the mode. */
#define FLUSHING(call)                                                                             \
    do {                                                                                           \
        cumsum_fp_begin_flush();                                                                   \
        call;                                                                                      \
        cumsum_fp_end_flush();                                                                     \
    } while (0)
#define FLUSHING_PANEL(name)                                                                       \
    static void name##_f32_flush(const cumsum_panel *panel, const cumsum_arithmetic *arithmetic) { \
        FLUSHING(name##_f32(panel, arithmetic));                                                   \
    }

/* The same of shapes that are crossed. */
#define CROSSED_FUNCTIONS(name, kind)                                                              \
    PANEL_FUNCTION(crossed_##name, sequential_crossed, kind, NULL, 1, NEVER_SMALL)                 \
    PANEL_FUNCTION(blocked_crossed_##name, blocked_crossed, kind, NULL, 1, NEVER_SMALL)

FLOAT_FUNCTIONS(f32, KIND_F32)
FLOAT_FUNCTIONS(f16, KIND_F16_NEAREST)
BLOCKS(i32, KIND_I32, 32, NULL, NULL)
BLOCKS(i64, KIND_I64, 64, NULL, NULL)
PANEL_FUNCTION(sequential_i32, integer_panel32, KIND_I32, &blocks_i32,
               JOINED(chunk_length32(KIND_I32)), SMALL_SEQUENTIAL)
PANEL_FUNCTION(sequential_i64, integer_panel64, KIND_I64, &blocks_i64,
               JOINED(chunk_length64(KIND_I64)), SMALL_SEQUENTIAL)

/* Integers have one function for all orders. */
#define blocked_i32         sequential_i32
#define blocked_i64         sequential_i64
#define blocked_crossed_i32 crossed_i32
#define blocked_crossed_i64 crossed_i64

/* The functions of each kind, by number: of panels, and of shapes that are crossed. */
typedef struct kind_functions {
    cumsum_panel_function *sequential;
    cumsum_panel_function *blocked;
} kind_functions;

#define PANELS(name)                                                                               \
    { sequential_##name, blocked_##name }

#if COMMON_PANELS_ONLY

static const kind_functions panels_of_kind[] = {
    [KIND_F32] = PANELS(f32),      [KIND_F16_NEAREST] = PANELS(f16), [KIND_F16_ZERO] = PANELS(f16),
    [KIND_F16_IEEE] = PANELS(f16), [KIND_I32] = PANELS(i32),         [KIND_I64] = PANELS(i64)};

/* For panels of these kinds, of shapes that are not crossed, and not in the exact order. */
static cumsum_panel_function *select_panel(const cumsum_shape *shape,
                                           const cumsum_arithmetic *arithmetic) {
    const kind_functions *functions = &panels_of_kind[kind_of(arithmetic)];
    (void)shape;
    return arithmetic->numerics.order == CUMSUM_ORDER_BLOCKED ? functions->blocked
                                                              : functions->sequential;
}

static const cumsum_segment_functions *select_segments(const cumsum_arithmetic *arithmetic) {
    (void)arithmetic;
    return NULL;
}

static const cumsum_piece_functions *select_pieces(const cumsum_arithmetic *arithmetic) {
    (void)arithmetic;
    return NULL;
}

#else

CROSSED_FUNCTIONS(f32, KIND_F32)
#if FLUSHES_BY_MODE
FLUSHING_PANEL(sequential)
FLUSHING_PANEL(blocked)
FLUSHING_PANEL(crossed)
FLUSHING_PANEL(blocked_crossed)
#else
FLOAT_FUNCTIONS(f32_flush, KIND_F32_FLUSH)
CROSSED_FUNCTIONS(f32_flush, KIND_F32_FLUSH)
#endif
CROSSED_FUNCTIONS(f16, KIND_F16_NEAREST)
#if !SHARES_F16
FLOAT_FUNCTIONS(f16_narrow, KIND_F16_NARROW)
CROSSED_FUNCTIONS(f16_narrow, KIND_F16_NARROW)
#endif
PANEL_FUNCTION(crossed_i32, sequential_crossed, KIND_I32, NULL, 1, NEVER_SMALL)
PANEL_FUNCTION(crossed_i64, sequential_crossed, KIND_I64, NULL, 1, NEVER_SMALL)
PANEL_FUNCTION(exact_f32, exact_panel, KIND_F32, NULL, 1, NEVER_SMALL)
PANEL_FUNCTION(exact_f32_flush, exact_panel, KIND_F32_FLUSH, NULL, 1, NEVER_SMALL)
PANEL_FUNCTION(exact_f16, exact_panel, KIND_F16_IEEE, NULL, 1, NEVER_SMALL)

/* Segments of a line (segment.h). A segment is one line, so a chunk of 1 joins nothing. */
KERNEL_INLINE panel_walk segment_walk(const cumsum_panel *segment,
                                      const cumsum_arithmetic *arithmetic, kernel_kind kind) {
    return panel_walk_of(segment, arithmetic, kind, 1);
}

/* The `advance` of integers: their carry is one number. */
KERNEL_INLINE void integer_advance(kernel_kind kind, const panel_walk *w, cumsum_segment_sums *sums,
                                   cumsum_line_carry *carry) {
    const uint64_t total = sums->integer;
    (void)kind;
    (void)w;
    sums->integer = carry->integer;
    carry->integer += total;
}

/* The three functions of segments for a kind, and their table. */
#define SEGMENT_FUNCTIONS(name, kind, reduce, advance, write)                                      \
    KERNEL_OUTLINE void reduce_##name(const cumsum_panel *segment,                                 \
                                      const cumsum_arithmetic *arithmetic,                         \
                                      cumsum_segment_sums *sums) {                                 \
        const panel_walk w = segment_walk(segment, arithmetic, kind);                              \
        reduce(actual_kind(kind, w.actual), &w, sums);                                             \
    }                                                                                              \
    KERNEL_OUTLINE void advance_##name(const cumsum_panel *segment,                                \
                                       const cumsum_arithmetic *arithmetic,                        \
                                       cumsum_segment_sums *sums, cumsum_line_carry *carry) {      \
        const panel_walk w = segment_walk(segment, arithmetic, kind);                              \
        advance(actual_kind(kind, w.actual), &w, sums, carry);                                     \
    }                                                                                              \
    KERNEL_OUTLINE void write_##name(                                                              \
        const cumsum_panel *segment, const cumsum_arithmetic *arithmetic,                          \
        const cumsum_segment_sums *before, cumsum_line_carry *carry, const cumsum_panel *next) {   \
        const panel_walk w = segment_walk(segment, arithmetic, kind);                              \
        const prefetch_range range = prefetch_range_of(next, kind_size(kind));                     \
        write(actual_kind(kind, w.actual), &w, before, carry, range);                              \
        if (w.stream)                                                                              \
            fence();                                                                               \
    }                                                                                              \
    static const cumsum_segment_functions segments_##name = {reduce_##name, advance_##name,        \
                                                             write_##name};

#define BLOCKED_SEGMENTS(name, kind)                                                               \
    SEGMENT_FUNCTIONS(name, kind, blocked_reduce, blocked_advance, blocked_write)

BLOCKED_SEGMENTS(f32, KIND_F32)
#if FLUSHES_BY_MODE
static void reduce_f32_flush(const cumsum_panel *segment, const cumsum_arithmetic *arithmetic,
                             cumsum_segment_sums *sums) {
    FLUSHING(reduce_f32(segment, arithmetic, sums));
}

static void advance_f32_flush(const cumsum_panel *segment, const cumsum_arithmetic *arithmetic,
                              cumsum_segment_sums *sums, cumsum_line_carry *carry) {
    FLUSHING(advance_f32(segment, arithmetic, sums, carry));
}

static void write_f32_flush(const cumsum_panel *segment, const cumsum_arithmetic *arithmetic,
                            const cumsum_segment_sums *before, cumsum_line_carry *carry,
                            const cumsum_panel *next) {
    FLUSHING(write_f32(segment, arithmetic, before, carry, next));
}

static const cumsum_segment_functions segments_f32_flush = {reduce_f32_flush, advance_f32_flush,
                                                            write_f32_flush};
#else
BLOCKED_SEGMENTS(f32_flush, KIND_F32_FLUSH)
#endif
BLOCKED_SEGMENTS(f16, KIND_F16_NEAREST)
#if !SHARES_F16
BLOCKED_SEGMENTS(f16_narrow, KIND_F16_NARROW)
#endif
SEGMENT_FUNCTIONS(exact_f32, KIND_F32, exact_reduce, exact_advance, exact_write)
SEGMENT_FUNCTIONS(exact_f32_flush, KIND_F32_FLUSH, exact_reduce, exact_advance, exact_write)
SEGMENT_FUNCTIONS(exact_f16, KIND_F16_IEEE, exact_reduce, exact_advance, exact_write)
SEGMENT_FUNCTIONS(i32, KIND_I32, integer_reduce32, integer_advance, integer_write32)
SEGMENT_FUNCTIONS(i64, KIND_I64, integer_reduce64, integer_advance, integer_write64)

/* The functions of pieces for a kind of float, whose order is the sequential one. */
#define FLOAT_PIECES(name, kind)                                                                   \
    KERNEL_OUTLINE void columns_##name(const cumsum_panel *panel,                                  \
                                       const cumsum_arithmetic *arithmetic) {                      \
        const panel_walk w = panel_walk_of(panel, arithmetic, kind, 1);                            \
        scan_column_panel32(actual_kind(kind, w.actual), w);                                       \
        if (w.stream)                                                                              \
            fence();                                                                               \
    }                                                                                              \
    KERNEL_OUTLINE void line_##name(const cumsum_panel *line, const cumsum_arithmetic *arithmetic, \
                                    float *accumulator) {                                          \
        const panel_walk w = panel_walk_of(line, arithmetic, kind, 1);                             \
        sequential_state state = SEQUENTIAL_START;                                                 \
        state.accumulator = *accumulator;                                                          \
        sequential_line(actual_kind(kind, w.actual), &w, &state);                                  \
        *accumulator = state.accumulator;                                                          \
        if (w.stream)                                                                              \
            fence();                                                                               \
    }                                                                                              \
    static const cumsum_piece_functions pieces_##name = {columns_##name, line_##name};

/* The same for integers. */
#define INTEGER_PIECES(name, kind, width)                                                          \
    KERNEL_OUTLINE void columns_##name(const cumsum_panel *panel,                                  \
                                       const cumsum_arithmetic *arithmetic) {                      \
        const panel_walk w = panel_walk_of(panel, arithmetic, kind, 1);                            \
        scan_column_panel##width(kind, w);                                                         \
        if (w.stream)                                                                              \
            fence();                                                                               \
    }                                                                                              \
    static const cumsum_piece_functions pieces_##name = {columns_##name, NULL};

FLOAT_PIECES(f32, KIND_F32)
#if FLUSHES_BY_MODE
FLUSHING_PANEL(columns)

static void line_f32_flush(const cumsum_panel *line, const cumsum_arithmetic *arithmetic,
                           float *accumulator) {
    FLUSHING(line_f32(line, arithmetic, accumulator));
}

static const cumsum_piece_functions pieces_f32_flush = {columns_f32_flush, line_f32_flush};
#else
FLOAT_PIECES(f32_flush, KIND_F32_FLUSH)
#endif
FLOAT_PIECES(f16, KIND_F16_NEAREST)
#if !SHARES_F16
FLOAT_PIECES(f16_narrow, KIND_F16_NARROW)
#endif
INTEGER_PIECES(i32, KIND_I32, 32)
INTEGER_PIECES(i64, KIND_I64, 64)

#define CROSSED(name)                                                                              \
    { crossed_##name, blocked_crossed_##name }
/* Segments are those of the blocked order, and of integers. */
#define SEGMENTS(name) &segments_##name
#define PIECES(name)   &pieces_##name

/* What WHAT has for each kind. */
#if SHARES_F16
#define OF_EACH_KIND(WHAT)                                                                         \
    [KIND_F32] = WHAT(f32), [KIND_F32_FLUSH] = WHAT(f32_flush), [KIND_F16_NEAREST] = WHAT(f16),    \
    [KIND_F16_ZERO] = WHAT(f16), [KIND_F16_IEEE] = WHAT(f16), [KIND_F16_NARROW] = WHAT(f16),       \
    [KIND_I32] = WHAT(i32), [KIND_I64] = WHAT(i64)
#else
#define OF_EACH_KIND(WHAT)                                                                         \
    [KIND_F32] = WHAT(f32), [KIND_F32_FLUSH] = WHAT(f32_flush), [KIND_F16_NEAREST] = WHAT(f16),    \
    [KIND_F16_ZERO] = WHAT(f16), [KIND_F16_IEEE] = WHAT(f16),                                      \
    [KIND_F16_NARROW] = WHAT(f16_narrow), [KIND_I32] = WHAT(i32), [KIND_I64] = WHAT(i64)
#endif

static const kind_functions panels_of_kind[] = {OF_EACH_KIND(PANELS)};
static const kind_functions crossed_of_kind[] = {OF_EACH_KIND(CROSSED)};
static const cumsum_segment_functions *const segments_of_kind[] = {OF_EACH_KIND(SEGMENTS)};
static const cumsum_piece_functions *const pieces_of_kind[] = {OF_EACH_KIND(PIECES)};

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

static bool is_exact(kernel_kind kind, const cumsum_arithmetic *arithmetic) {
    return arithmetic->numerics.order == CUMSUM_ORDER_EXACT && !is_integer(kind);
}

/* No shape is refused: a panel's function chooses by the panel's access patterns, unless the shape
 * is crossed. */
static cumsum_panel_function *select_panel(const cumsum_shape *shape,
                                           const cumsum_arithmetic *arithmetic) {
    const kernel_kind kind = kind_of(arithmetic);
    const kind_functions *functions = &panels_of_kind[kind];
    if (is_exact(kind, arithmetic))
        return exact_of(kind)->panel;
    if (shape->is_crossed)
        functions = &crossed_of_kind[kind];
    return arithmetic->numerics.order == CUMSUM_ORDER_BLOCKED ? functions->blocked
                                                              : functions->sequential;
}

/* NULL in the sequential order of floats, which is one addition after the other. */
static const cumsum_segment_functions *select_segments(const cumsum_arithmetic *arithmetic) {
    const kernel_kind kind = kind_of(arithmetic);
    if (is_exact(kind, arithmetic))
        return exact_of(kind)->segments;
    if (is_integer(kind) || arithmetic->numerics.order == CUMSUM_ORDER_BLOCKED)
        return segments_of_kind[kind];
    return NULL;
}

/* The carries of the other orders of floats are not accumulators. */
static const cumsum_piece_functions *select_pieces(const cumsum_arithmetic *arithmetic) {
    const kernel_kind kind = kind_of(arithmetic);
    if (is_integer(kind) || arithmetic->numerics.order == CUMSUM_ORDER_SEQUENTIAL)
        return pieces_of_kind[kind];
    return NULL;
}

#endif

const cumsum_kernel_table KERNEL_TABLE = {
    .kernel = KERNEL_ID,
    .missing = KERNEL_MISSING,
    .select = select_panel,
    .select_segments = select_segments,
    .select_pieces = select_pieces,
};

#undef KERNEL_TABLE
#undef KERNEL_ID
#undef KERNEL_MISSING
