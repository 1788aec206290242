/* SPDX-License-Identifier: MIT */
/*
 * All kernels of an instruction set, and the table that exports them. kernels_<isa>.c includes it
 * once, after its vector operations. Parameters, which are undefined at the end:
 *   KERNEL_TABLE     the name of the table
 *   KERNEL_ID        its cumsum_kernel
 *   KERNEL_MISSING   a function that says what this processor lacks (processor_features.h)
 *   BLOCK_SCANS      the scans in blocks (block_scans.h), if another object file has them
 *
 * A panel is scanned by one function of a kind (kernel_kind.h), in which the kind is a constant, so
 * that everything that depends on it is folded away. Which function suits the panel is chosen once,
 * when it runs. A new kind is a row of functions_of_kind.
 */
#if !defined(KERNEL_TABLE) || !defined(KERNEL_ID) || !defined(KERNEL_MISSING)
#error "isa_kernels.inl.h: define KERNEL_TABLE, KERNEL_ID and KERNEL_MISSING"
#endif

#include "block_scans.h"
#include "blocked_segments.h"
#include "exact_scan.h"
#include "float_line.h"
#include "lane_kernels.h"
#include "small_panel.h"
#include "strided_lines.h"

#ifndef BLOCK_SCANS
#define BLOCK_SCANS        block_scans_of_kind
#define BLOCK_SCANS_STATIC static
#include "block_scans.inl.h"
#endif

/* How the lines of a walk are scanned in an order. */
typedef struct order_functions {
    walk_function *rows;   /* row by row */
    walk_function *lines;  /* one line after the other */
    walk_function *joined; /* lines that join_short_lines has joined; NULL: blocks scan them */
} order_functions;

/* The functions of segment.h, for a walk of one line. */
typedef struct segment_walks {
    void (*reduce)(const panel_walk *w, cumsum_segment_sums *sums);
    void (*write)(const panel_walk *w, const cumsum_segment_sums *before, void *carry,
                  prefetch_range next);
} segment_walks;

/* Integers have the same functions in each order. */
typedef struct kind_functions {
    order_functions sequential;
    order_functions blocked;
    walk_function *exact;                /* NULL for integers */
    const segment_walks *segments;       /* of the blocked order, or of integers */
    const segment_walks *exact_segments; /* NULL for integers */
} kind_functions;

/* The function `name`, which runs `scan` for a kind, with more arguments if there are any. Each is
 * a function of its own, so that a call has the stack of one of them only. */
#define WALK_FUNCTION(name, kind, scan, ...)                                                       \
    KERNEL_OUTLINE void name(const panel_walk *w) {                                                \
        scan(actual_kind(kind, w->actual), __VA_ARGS__);                                           \
    }
#define SEGMENT_FUNCTIONS(name, kind, reduce, write)                                               \
    KERNEL_OUTLINE void reduce_##name(const panel_walk *w, cumsum_segment_sums *sums) {            \
        reduce(actual_kind(kind, w->actual), w, sums);                                             \
    }                                                                                              \
    KERNEL_OUTLINE void write_##name(const panel_walk *w, const cumsum_segment_sums *before,       \
                                     void *carry, prefetch_range next) {                           \
        write(actual_kind(kind, w->actual), w, before, carry, next);                               \
    }                                                                                              \
    static const segment_walks segments_##name = {reduce_##name, write_##name};
#define FLOAT_FUNCTIONS(name, kind)                                                                \
    WALK_FUNCTION(rows_##name, kind, scan_column_panel32, LANES_SEQUENTIAL, w)                     \
    WALK_FUNCTION(lines_##name, kind, sequential_one_by_one, w)                                    \
    WALK_FUNCTION(blocked_rows_##name, kind, scan_column_panel32, LANES_BLOCKED, w)                \
    WALK_FUNCTION(blocked_lines_##name, kind, blocked_one_by_one, w)                               \
    WALK_FUNCTION(blocked_joined_##name, kind, blocked_joined_lines, w)                            \
    SEGMENT_FUNCTIONS(name, kind, blocked_reduce, blocked_write)
#define INTEGER_FUNCTIONS(name, kind, width)                                                       \
    WALK_FUNCTION(rows_##name, kind, scan_column_panel##width, LANES_SEQUENTIAL, w)                \
    WALK_FUNCTION(lines_##name, kind, integer_one_by_one##width, w)                                \
    SEGMENT_FUNCTIONS(name, kind, integer_reduce##width, integer_write##width)
#define EXACT_FUNCTIONS(name, kind)                                                                \
    WALK_FUNCTION(name, kind, exact_panel, w)                                                      \
    SEGMENT_FUNCTIONS(name, kind, exact_reduce, exact_write)

FLOAT_FUNCTIONS(f32, KIND_F32)
FLOAT_FUNCTIONS(f16, KIND_F16)
INTEGER_FUNCTIONS(i32, KIND_I32, 32)
INTEGER_FUNCTIONS(i64, KIND_I64, 64)
EXACT_FUNCTIONS(exact_f32, KIND_F32)
EXACT_FUNCTIONS(exact_f32_flush, KIND_F32_FLUSH)
EXACT_FUNCTIONS(exact_f16, KIND_F16)
/* The kinds that have functions of their own only where they cannot share. */
#if FLUSHES_BY_MODE
#define OF_F32_FLUSH(WHAT) WHAT(f32, exact_f32_flush)
#else
#define OF_F32_FLUSH(WHAT) WHAT(f32_flush, exact_f32_flush)
FLOAT_FUNCTIONS(f32_flush, KIND_F32_FLUSH)
#endif
#if SHARES_F16
#define OF_F16_NARROW(WHAT) WHAT(f16, exact_f16)
#else
#define OF_F16_NARROW(WHAT) WHAT(f16_narrow, exact_f16)
FLOAT_FUNCTIONS(f16_narrow, KIND_F16_NARROW)
#endif

/* The row of a kind. FLOAT16 has one kind in the exact order: that of the IEEE conversion. */
#define FLOAT_ROW(name, exact)                                                                     \
    {                                                                                              \
        {rows_##name, lines_##name, NULL},                                                         \
            {blocked_rows_##name, blocked_lines_##name, blocked_joined_##name}, exact,             \
            &segments_##name, &segments_##exact                                                    \
    }
#define INTEGER_ROW(name)                                                                          \
    {                                                                                              \
        {rows_##name, lines_##name, NULL}, {rows_##name, lines_##name, NULL}, NULL,                \
            &segments_##name, NULL                                                                 \
    }

static const kind_functions functions_of_kind[] = {
    [KIND_F32] = FLOAT_ROW(f32, exact_f32), [KIND_F32_FLUSH] = OF_F32_FLUSH(FLOAT_ROW),
    [KIND_F16] = FLOAT_ROW(f16, exact_f16), [KIND_F16_NARROW] = OF_F16_NARROW(FLOAT_ROW),
    [KIND_I32] = INTEGER_ROW(i32),          [KIND_I64] = INTEGER_ROW(i64),
};

/* Fewer strided lines than this are added up one by one: with so few lanes in use, a vector takes
 * longer than that many additions after each other. */
#define FEW_STRIDED_LINES 4

/* A line of so many elements by itself is faster than its transposition, except where each addition
 * waits for the one before. */
#define LONG_LINE (UINT64_C(4) * LINE_BLOCK)

/* An order of a kind, at run time. */
typedef struct kind_order {
    const order_functions *functions;
    const block_scans *blocks;
    walk_function *in_blocks; /* of these, for this order; NULL: there is none */
    bool waits;               /* each addition for the one before: the sequential order of floats */
    bool flushes_by_mode;
} kind_order;

static bool is_exact(kernel_kind kind, const cumsum_arithmetic *arithmetic) {
    return arithmetic->numerics.order == CUMSUM_ORDER_EXACT && !is_integer(kind);
}

/* FLUSH runs the functions of FLOAT32 in a mode of the processor (docs/kernels.md). They are called
 * by pointer: were they inlined, the compiler could move their additions out of the mode. */
static bool flushes_by_mode(kernel_kind kind, const cumsum_arithmetic *arithmetic) {
    return FLUSHES_BY_MODE && kind == KIND_F32_FLUSH && !is_exact(kind, arithmetic);
}

static kind_order order_of(kernel_kind kind, const cumsum_arithmetic *arithmetic) {
    const kind_functions *functions = &functions_of_kind[kind];
    const bool blocked = arithmetic->numerics.order == CUMSUM_ORDER_BLOCKED;
    const block_scans *blocks = &BLOCK_SCANS[kind];
    return (kind_order){.functions = blocked ? &functions->blocked : &functions->sequential,
                        .blocks = blocks,
                        .in_blocks = blocked ? blocks->blocked : blocks->sequential,
                        .waits = !blocked && !is_integer(kind),
                        .flushes_by_mode = flushes_by_mode(kind, arithmetic)};
}

/* Lines that fill vectors: in blocks, or row by row. */
static void scan_together(const kind_order *order, const panel_walk *w) {
    if (!order->in_blocks || scans_by_rows(w))
        order->functions->rows(w);
    else
        order->in_blocks(w);
}

/* Contiguous lines whose additions wait: those that fill the vectors of blocks, and the others one
 * by one. */
static void scan_long_lines(const kind_order *order, const panel_walk *w) {
    const uint64_t alone = w->lines % BLOCK_LANES32;
    const panel_walk first = some_lines(w, 0, w->lines - alone);
    const panel_walk others = some_lines(w, w->lines - alone, alone);
    if (first.lines)
        scan_together(order, &first);
    order->functions->lines(&others);
}

/* The lines of strided_lines.h. */
static void scan_strided_lines(const kind_order *order, const panel_walk *w) {
    if (!order->waits || all_lines(w) < FEW_STRIDED_LINES)
        order->functions->lines(w);
    else
        order->blocks->strided(w);
}

/* Contiguous lines whose additions do not wait: a line by itself needs no transposition, but pays
 * only from four blocks on or if there are too few lines to fill the lanes. */
static bool scans_one_by_one(const panel_walk *w) {
    return w->length >= LONG_LINE || (w->lines < BLOCK_LANES32 && !scans_by_rows(w));
}

/* A walk in the way that suits it. Lines that are joined cannot be taken one by one. From a carry,
 * a line by itself is, if additions wait, and others are scanned row by row. */
static void scan_walk(const kind_order *order, const panel_walk *w) {
    const bool joined = w->period <= w->length;
    const bool separate = both_contiguous(w) && !joined;
    if (is_crossed(w))
        order->functions->rows(w);
    else if (w->carry)
        (order->waits && w->lines == 1 ? order->functions->lines : order->functions->rows)(w);
    else if (lines_are_strided(w))
        scan_strided_lines(order, w);
    else if (joined && order->functions->joined)
        order->functions->joined(w);
    else if (separate && order->waits && w->length > BLOCK_LANES32)
        scan_long_lines(order, w);
    else if (separate && !order->waits && scans_one_by_one(w))
        order->functions->lines(w);
    else
        scan_together(order, w);
}

static void scan_each_group(const kind_order *order, const panel_walk *w) {
    panel_walk group = some_groups(w, 0, 1);
    for (uint64_t g = 0; g < w->groups; g++) {
        group.stream = streams(&group);
        scan_walk(order, &group);
        group.input += w->in.group_step;
        group.output += w->out.group_step;
    }
}

/* All groups of lines of a walk, by the function `way`, or, if it is NULL, as scan_walk chooses. */
static void scan_groups(const kind_order *order, walk_function *way, const panel_walk *w) {
    if (order->flushes_by_mode)
        cumsum_fp_begin_flush();
    if (way)
        way(w);
    else if (takes_all_groups(w))
        scan_walk(order, w);
    else
        scan_each_group(order, w);
    if (order->flushes_by_mode)
        cumsum_fp_end_flush();
    if (w->large)
        fence();
}

/* Elements of a chunk into which short lines are joined; 1: none are. */
static unsigned joined_chunk(kernel_kind kind, const kind_order *order) {
    if (order->functions->joined)
        return LINE_BLOCK;
    return (kind == KIND_I64 ? chunk_bytes64(kind) : chunk_bytes32(kind)) /
           (unsigned)kind_size(kind);
}

/* Not inlined, so that small panels do not wait for its set-up. */
KERNEL_OUTLINE void scan_large_panel(kernel_kind kind, const cumsum_panel *panel,
                                     const cumsum_arithmetic *arithmetic) {
    const kind_order order = order_of(kind, arithmetic);
    const bool exact = is_exact(kind, arithmetic);
    const unsigned chunk = exact ? 1 : joined_chunk(kind, &order);
    const panel_walk w = panel_walk_of(panel, arithmetic, kind, chunk);
    scan_groups(&order, exact ? functions_of_kind[kind].exact : NULL, &w);
}

static void scan_panel(const cumsum_panel *panel, const cumsum_arithmetic *arithmetic) {
    const kernel_kind kind = kind_of(arithmetic);
    if (panel_is_small(kind, panel) && !is_exact(kind, arithmetic))
        small_panel(kind, panel, arithmetic);
    else
        scan_large_panel(kind, panel, arithmetic);
}

/* Segments of a line (segment.h). A segment is one line, so a chunk of 1 joins nothing. */
static panel_walk segment_walk(const cumsum_panel *segment, const cumsum_arithmetic *arithmetic) {
    return panel_walk_of(segment, arithmetic, kind_of(arithmetic), 1);
}

/* Begins the mode that flushes, where it is needed. Returns the functions to call. */
static const segment_walks *begin_segment_walk(const cumsum_arithmetic *arithmetic) {
    const kernel_kind kind = kind_of(arithmetic);
    if (flushes_by_mode(kind, arithmetic))
        cumsum_fp_begin_flush();
    return is_exact(kind, arithmetic) ? functions_of_kind[kind].exact_segments
                                      : functions_of_kind[kind].segments;
}

static void end_segment_walk(const cumsum_arithmetic *arithmetic) {
    if (flushes_by_mode(kind_of(arithmetic), arithmetic))
        cumsum_fp_end_flush();
}

static void reduce_segment(const cumsum_panel *segment, const cumsum_arithmetic *arithmetic,
                           cumsum_segment_sums *sums) {
    const panel_walk w = segment_walk(segment, arithmetic);
    begin_segment_walk(arithmetic)->reduce(&w, sums);
    end_segment_walk(arithmetic);
}

static void write_segment(const cumsum_panel *segment, const cumsum_arithmetic *arithmetic,
                          const cumsum_segment_sums *before, void *carry,
                          const cumsum_panel *next) {
    const panel_walk w = segment_walk(segment, arithmetic);
    const size_t size = kind_size(kind_of(arithmetic));
    begin_segment_walk(arithmetic)->write(&w, before, carry, prefetch_range_of(next, size));
    end_segment_walk(arithmetic);
    if (w.stream)
        fence();
}

/* NULL in the sequential order of floats, which is one addition after the other. */
static const cumsum_segment_functions *select_segments(const cumsum_arithmetic *arithmetic) {
    static const cumsum_segment_functions functions = {reduce_segment, write_segment};
    const bool waits =
        arithmetic->numerics.order == CUMSUM_ORDER_SEQUENTIAL && !is_integer(kind_of(arithmetic));
    return waits ? NULL : &functions;
}

const cumsum_kernel_table KERNEL_TABLE = {
    .kernel = KERNEL_ID,
    .missing = KERNEL_MISSING,
    .panel = scan_panel,
    .select_segments = select_segments,
};

#undef KERNEL_TABLE
#undef KERNEL_ID
#undef KERNEL_MISSING
