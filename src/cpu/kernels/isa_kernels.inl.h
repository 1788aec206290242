/* SPDX-License-Identifier: MIT */
/*
 * All kernels of an instruction set, and the table that exports them. kernels_<isa>.c includes it
 * once, after its vector operations. Parameters, which are undefined at the end:
 *   KERNEL_TABLE     the name of the table
 *   KERNEL_ID        its cumsum_kernel
 *   KERNEL_MISSING   a function that says what this processor lacks (processor_features.h)
 *   BLOCK_SCANS      the scans in blocks (panel_walk.h), if another object file has them
 *
 * A panel is scanned by one function of a kind (kernel_kind.h), in which the kind is a constant, so
 * that everything that depends on it is folded away. Which function suits the panel is chosen once,
 * when it runs. A new kind is a line of FLOAT_KINDS.
 */
#if !defined(KERNEL_TABLE) || !defined(KERNEL_ID) || !defined(KERNEL_MISSING)
#error "isa_kernels.inl.h: define KERNEL_TABLE, KERNEL_ID and KERNEL_MISSING"
#endif

#include "blocked_segments.h"
#include "exact_scan.h"
#include "float_line.h"
#include "lane_kernels.h"
#include "small_panel.h"

#ifndef BLOCK_SCANS
#define BLOCK_SCANS        block_scans_of_kind
#define BLOCK_SCANS_STATIC static
#include "block_scans.inl.h"
#endif

/* How the lines of a walk are scanned in an order, and segments of a line (segment.h). */
typedef struct order_functions {
    walk_function *rows;   /* row by row */
    walk_function *lines;  /* one line after the other */
    walk_function *joined; /* lines that join_short_lines has joined; NULL: blocks scan them */
    walk_function *panel;  /* instead of these: any walk; NULL: there is none */
    void (*reduce)(const panel_walk *w, cumsum_segment_sums *sums);
    void (*write)(const panel_walk *w, const cumsum_segment_sums *before, void *carry,
                  prefetch_range next);
} order_functions;

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
    }
#define FLOAT_FUNCTIONS(name, kind)                                                                \
    WALK_FUNCTION(rows_##name, kind, scan_column_panel32, LANES_SEQUENTIAL, w)                     \
    WALK_FUNCTION(lines_##name, kind, sequential_one_by_one, w)                                    \
    WALK_FUNCTION(blocked_rows_##name, kind, scan_column_panel32, LANES_BLOCKED, w)                \
    WALK_FUNCTION(blocked_lines_##name, kind, blocked_one_by_one, w)                               \
    WALK_FUNCTION(blocked_joined_##name, kind, blocked_joined_lines, w)                            \
    SEGMENT_FUNCTIONS(blocked_##name, kind, blocked_reduce, blocked_write)
#define INTEGER_FUNCTIONS(name, kind, width)                                                       \
    WALK_FUNCTION(rows_##name, kind, scan_column_panel##width, LANES_SEQUENTIAL, w)                \
    WALK_FUNCTION(lines_##name, kind, integer_one_by_one##width, w)                                \
    SEGMENT_FUNCTIONS(name, kind, integer_reduce##width, integer_write##width)
#define EXACT_FUNCTIONS(name, kind)                                                                \
    WALK_FUNCTION(exact_##name, kind, exact_panel, w)                                              \
    SEGMENT_FUNCTIONS(exact_##name, kind, exact_reduce, exact_write)
/* FLOAT16 has one kind in the exact order: that of the IEEE conversion. */
#define EXACT_KINDS(WHAT) WHAT(f32, KIND_F32) WHAT(f32_flush, KIND_F32_FLUSH) WHAT(f16, KIND_F16)

FLOAT_KINDS(FLOAT_FUNCTIONS)
EXACT_KINDS(EXACT_FUNCTIONS)
INTEGER_FUNCTIONS(i32, KIND_I32, 32)
INTEGER_FUNCTIONS(i64, KIND_I64, 64)

#define SEQUENTIAL_FLOATS(name, kind) [kind] = {.rows = rows_##name, .lines = lines_##name},
#define BLOCKED_FLOATS(name, kind)                                                                 \
    [kind] = {.rows = blocked_rows_##name,                                                         \
              .lines = blocked_lines_##name,                                                       \
              .joined = blocked_joined_##name,                                                     \
              .reduce = reduce_blocked_##name,                                                     \
              .write = write_blocked_##name},
#define EXACT_FLOATS(name, kind)                                                                   \
    [kind] = {.panel = exact_##name, .reduce = reduce_exact_##name, .write = write_exact_##name},
/* Integers have the same functions in each order. */
#define INTEGERS                                                                                   \
    [KIND_I32] = {rows_i32, lines_i32, NULL, NULL, reduce_i32, write_i32},                         \
    [KIND_I64] = {rows_i64, lines_i64, NULL, NULL, reduce_i64, write_i64},

/* By the order and the kind. */
static const order_functions functions_of[][KIND_I64 + 1] = {
    [CUMSUM_ORDER_SEQUENTIAL] = {FLOAT_KINDS(SEQUENTIAL_FLOATS) INTEGERS},
    [CUMSUM_ORDER_BLOCKED] = {FLOAT_KINDS(BLOCKED_FLOATS) INTEGERS},
    [CUMSUM_ORDER_EXACT] = {EXACT_KINDS(EXACT_FLOATS) INTEGERS},
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
    bool flushes_by_mode;     /* by the functions of FLOAT32 (docs/kernels.md) */
} kind_order;

static bool is_exact(kernel_kind kind, const cumsum_arithmetic *arithmetic) {
    return arithmetic->numerics.order == CUMSUM_ORDER_EXACT && !is_integer(kind);
}

static kind_order order_of(kernel_kind kind, const cumsum_arithmetic *arithmetic) {
    const bool exact = is_exact(kind, arithmetic), narrow = kind == KIND_F16_NARROW;
    const kernel_kind compiled = !exact ? compiled_kind(kind) : narrow ? KIND_F16 : kind;
    const cumsum_order order = arithmetic->numerics.order;
    const bool blocked = order == CUMSUM_ORDER_BLOCKED;
    const block_scans *blocks = &BLOCK_SCANS[compiled];
    kind_order found = {.functions = &functions_of[order][compiled],
                        .blocks = blocks,
                        .in_blocks = blocked ? blocks->blocked : blocks->sequential,
                        .waits = order == CUMSUM_ORDER_SEQUENTIAL && !is_integer(kind),
                        .flushes_by_mode = kind == KIND_F32_FLUSH && compiled == KIND_F32};
    if (blocked && !has_blocked_blocks(kind))
        found.in_blocks = NULL;
    return found;
}

/* The mode is set around calls by pointer: were the functions inlined, the compiler could move
 * their additions out of it. */
static void begin_mode(const kind_order *order) {
    if (order->flushes_by_mode)
        cumsum_fp_begin_flush();
}

static void end_mode(const kind_order *order) {
    if (order->flushes_by_mode)
        cumsum_fp_end_flush();
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

/* Lines that are strided: few of them one by one, others a vector of them at a time. */
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

/* All groups of lines of a walk. */
static void scan_groups(const kind_order *order, const panel_walk *w) {
    begin_mode(order);
    if (order->functions->panel)
        order->functions->panel(w);
    else if (takes_all_groups(w))
        scan_walk(order, w);
    else
        scan_each_group(order, w);
    end_mode(order);
    if (w->large)
        fence();
}

/* Elements of a chunk into which short lines are joined; 1: none are. */
static unsigned joined_chunk(kernel_kind kind, const kind_order *order) {
    if (order->functions->panel)
        return 1;
    if (order->functions->joined)
        return LINE_BLOCK;
    return (kind == KIND_I64 ? chunk_bytes64(kind) : chunk_bytes32(kind)) /
           (unsigned)kind_size(kind);
}

/* Not inlined, so that small panels do not wait for its set-up. */
KERNEL_OUTLINE void scan_large_panel(kernel_kind kind, const cumsum_panel *panel,
                                     const cumsum_arithmetic *arithmetic) {
    const kind_order order = order_of(kind, arithmetic);
    const panel_walk w = panel_walk_of(panel, arithmetic, kind, joined_chunk(kind, &order));
    scan_groups(&order, &w);
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

static void reduce_segment(const cumsum_panel *segment, const cumsum_arithmetic *arithmetic,
                           cumsum_segment_sums *sums) {
    const kind_order order = order_of(kind_of(arithmetic), arithmetic);
    const panel_walk w = segment_walk(segment, arithmetic);
    begin_mode(&order);
    order.functions->reduce(&w, sums);
    end_mode(&order);
}

static void write_segment(const cumsum_panel *segment, const cumsum_arithmetic *arithmetic,
                          const cumsum_segment_sums *before, void *carry,
                          const cumsum_panel *next) {
    const kernel_kind kind = kind_of(arithmetic);
    const kind_order order = order_of(kind, arithmetic);
    const panel_walk w = segment_walk(segment, arithmetic);
    begin_mode(&order);
    order.functions->write(&w, before, carry, prefetch_range_of(next, kind_size(kind)));
    end_mode(&order);
    if (w.stream)
        fence();
}

/* NULL in the sequential order of floats, which is one addition after the other. */
static const cumsum_segment_functions *select_segments(const cumsum_arithmetic *arithmetic) {
    static const cumsum_segment_functions functions = {reduce_segment, write_segment};
    return order_of(kind_of(arithmetic), arithmetic).waits ? NULL : &functions;
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
