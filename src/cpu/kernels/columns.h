/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_COLUMNS_H
#define CUMSUM_CPU_COLUMNS_H

/*
 * Lines side by side in both tensors: their elements of one index are a row of neighbours, and the
 * scan goes row after row at the speed of a copy. Some rows are taken together, so that the tallies
 * between them stay in registers, and are read and written once for all of them.
 *
 * Where a side is far, its rows are gathered or scattered by way of a small buffer.
 */

#include "far_elements.h"
#include "panel_walk.h"

/* A divisor of the blocked order's block. */
#define ROWS 4

/* Lines of a strip: their tallies stay in the first-level cache, and a row of the strip is long
 * enough to be read and written as a stream. */
#define STRIP 4096

typedef struct column_rows {
    const unsigned char *in; /* the first line's element in the row that is visited first */
    unsigned char *out;
    int64_t in_step; /* bytes to the row that is visited next */
    int64_t out_step;
    unsigned count; /* at most ROWS */
    bool exclusive;
    bool stream;
} column_rows;

/* The rows from position k on, in the order of the lines. */
KERNEL_INLINE column_rows column_rows_at(const panel_walk w, uint64_t line, uint64_t k) {
    const int64_t index = (int64_t)(w.reverse ? w.length - 1 - k : k);
    const uint64_t left = w.length - k;
    const column_rows rows = {
        .in = w.input + (int64_t)line * w.in.line + index * w.in.element,
        .out = w.output + (int64_t)line * w.out.line + index * w.out.element,
        .in_step = w.reverse ? -w.in.element : w.in.element,
        .out_step = w.reverse ? -w.out.element : w.out.element,
        .count = left < ROWS ? (unsigned)left : ROWS,
        .exclusive = w.exclusive,
        .stream = w.stream,
    };
    return rows;
}

/* Lines of a strip where a side is far: what it touches, a cache line an element at worst, stays in
 * the second-level cache until the rows beside it come. */
#define FAR_STRIP 256

/* The same where elements are nearer to each other than lines are: the cache lines of so few lines
 * are found in the first-level cache again by the next rows. */
#define NEAR_STRIP 16

/* Rows of a far side, as neighbours. */
typedef struct column_stage {
    unsigned char in[ROWS][FAR_STRIP * 8];
    unsigned char out[ROWS][FAR_STRIP * 8];
} column_stage;

/* Are the rows one row? */
KERNEL_INLINE bool rows_go_on(const panel_walk *w, const panel_side side) {
    return w->rows == 1 || side.row == (int64_t)w->lines * side.line;
}

KERNEL_INLINE bool is_staged(const panel_walk *w, const panel_side side) {
    return side.way != WAY_SIDE || !rows_go_on(w, side);
}

KERNEL_INLINE bool is_far(const panel_walk *w) {
    return is_staged(w, w->in) || is_staged(w, w->out);
}

KERNEL_INLINE bool has_near_elements(const panel_side side, uint64_t length) {
    return side.way != WAY_SIDE && length > 1 && side.element < side.line;
}

KERNEL_INLINE uint64_t strip_lines(const panel_walk *w, uint64_t side_by_side) {
    if (!is_far(w))
        return side_by_side;
    if (has_near_elements(w->in, w->length) || has_near_elements(w->out, w->length))
        return NEAR_STRIP;
    return FAR_STRIP;
}

/* Memory is fetched ahead where addresses ascend. */
KERNEL_INLINE unsigned ascending(const panel_walk *w, const column_rows rows, unsigned i) {
    return w->reverse ? rows.count - 1 - i : i;
}

/* The elements of `lines` lines with one index: of some rows of them, or of a part of one. */
KERNEL_INLINE far_rows lines_of(const panel_walk *w, const panel_side side, size_t lines) {
    const bool one = rows_go_on(w, side);
    const far_rows all = {.step = side.line,
                          .count = (unsigned)(one ? lines : w->lines),
                          .row_step = side.row,
                          .rows = one ? 1 : (unsigned)w->rows};
    return all;
}

/* So many rows make a strip. */
KERNEL_INLINE uint64_t strip_rows(const panel_walk *w, uint64_t strip) {
    return w->rows == 1 || strip < w->lines ? 1 : strip / w->lines;
}

/* The rows with a far input gathered, and a place for a far output. */
KERNEL_INLINE column_rows stage_rows(const panel_walk *w, size_t size, column_rows rows,
                                     size_t lines, column_stage *stage) {
    if (is_staged(w, w->in)) {
        for (unsigned i = 0; i < rows.count; i++) {
            const unsigned r = ascending(w, rows, i);
            gather_rows(size, stage->in[r], rows.in + (int64_t)r * rows.in_step,
                        lines_of(w, w->in, lines));
        }
        rows.in = stage->in[0];
        rows.in_step = sizeof stage->in[0];
    }
    if (is_staged(w, w->out)) {
        rows.out = stage->out[0];
        rows.out_step = sizeof stage->out[0];
        rows.stream = false;
    }
    return rows;
}

KERNEL_INLINE void unstage_rows(const panel_walk *w, size_t size, const column_rows rows,
                                size_t lines, const column_stage *stage) {
    for (unsigned i = 0; is_staged(w, w->out) && i < rows.count; i++) {
        const unsigned r = ascending(w, rows, i);
        scatter_rows(size, rows.out + (int64_t)r * rows.out_step, stage->out[r],
                     lines_of(w, w->out, lines));
    }
}

/* Part of the rows: the vector at byte `at` of each, and how many of its lanes there are. */
typedef struct column_place {
    size_t at;
    unsigned lanes;
} column_place;

#endif
