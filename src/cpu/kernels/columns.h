/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_COLUMNS_H
#define CUMSUM_CPU_COLUMNS_H

/*
 * Lines side by side in both tensors: their elements of one index are a row of neighbours, and the
 * scan goes row after row at the speed of a copy. Some rows are taken together, so that the tallies
 * between them stay in registers, and are read and written once for all of them.
 */

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

/* Part of the rows: the vector at byte `at` of each, and how many of its lanes there are. */
typedef struct column_place {
    size_t at;
    unsigned lanes;
} column_place;

#endif
