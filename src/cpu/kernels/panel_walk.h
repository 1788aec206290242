/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_PANEL_WALK_H
#define CUMSUM_CPU_PANEL_WALK_H

/*
 * A panel as the kernels see it: addresses ascend along a line whatever the direction, and each
 * side has a way in which a block of lines times elements is read or written.
 */

#include "element_kind.h"

typedef enum panel_way {
    WAY_LINE, /* the elements of a line are neighbours: a block is transposed in registers */
    WAY_SIDE, /* the lines are neighbours: a vector is one element of many lines */
    WAY_FAR   /* neither: row by row through a small buffer */
} panel_way;

typedef struct panel_side {
    int64_t line;    /* bytes from a line to the next */
    int64_t row;     /* bytes from a row of lines to the next */
    int64_t element; /* bytes from an index to the next, not negative */
    panel_way way;
} panel_side;

typedef struct panel_walk {
    const unsigned char *input; /* line 0, the element with the lowest index */
    unsigned char *output;
    panel_side in;
    panel_side out;
    uint64_t lines; /* of a row */
    uint64_t rows;
    uint64_t length;
    bool reverse; /* elements are visited from the highest index down */
    bool exclusive;
    bool stream;     /* write past the caches where a whole aligned vector is written */
    bool ahead;      /* too large for the caches: what is read next is asked for */
    uint64_t period; /* short lines that lie end to end are taken as one: where each begins */
} panel_walk;

static inline panel_side panel_side_of(int64_t row, int64_t line, int64_t element, uint64_t length,
                                       size_t size) {
    panel_side side = {
        .line = line, .row = row, .element = element < 0 ? -element : element, .way = WAY_FAR};
    if (side.line == (int64_t)size)
        side.way = WAY_SIDE;
    else if (side.element == (int64_t)size && length > 1)
        side.way = WAY_LINE;
    return side;
}

static inline uint64_t all_lines(const panel_walk *w) {
    return w->rows * w->lines;
}

/* The line to compute as number i. Lines do not share outputs, so their order is free: from the end
 * where their elements are visited first, memory is read and written in one direction. */
static inline uint64_t line_at(const panel_walk *w, uint64_t i) {
    return w->reverse ? all_lines(w) - 1 - i : i;
}

/* Bytes to line number i of all rows. */
static inline int64_t line_start(const panel_walk *w, const panel_side side, uint64_t i) {
    if (w->rows == 1)
        return (int64_t)i * side.line;
    return (int64_t)(i / w->lines) * side.row + (int64_t)(i % w->lines) * side.line;
}

static inline panel_walk rows_of(const panel_walk *w, uint64_t row, uint64_t rows) {
    panel_walk some = *w;
    some.input += (int64_t)row * w->in.row;
    some.output += (int64_t)row * w->out.row;
    some.rows = rows;
    return some;
}

/* Blocks of shorter lines would be empty for the most part. */
#define SHORT_LINE 5

/* A row is one element of each line: done as it lies, or gathered where a side is far, or where
 * there is too little to transpose. */
static inline bool done_by_rows(const panel_walk *w) {
    if (w->in.way == WAY_FAR || w->out.way == WAY_FAR)
        return true;
    if (w->in.way == WAY_LINE && w->out.way == WAY_LINE)
        return w->length < SHORT_LINE && w->length < w->period;
    return w->in.way == w->out.way || w->length < 16 || w->lines < 16;
}

/* From the first element that is visited to the one with the lowest index. */
static inline int64_t panel_lowest(int64_t element, uint64_t length) {
    return element < 0 ? (int64_t)(length - 1) * element : 0;
}

/* Is every whole vector of the output aligned to a cache line? Then none is split over two. */
static inline bool output_is_aligned(const panel_walk *w) {
    const panel_side *side = &w->out;
    const uint64_t line = 64;
    if (side->way == WAY_FAR || (uintptr_t)w->output % line)
        return false;
    if (w->rows > 1 && (uint64_t)side->row % line)
        return false;
    if (side->way == WAY_SIDE)
        return (uint64_t)side->element % line == 0;
    return (uint64_t)side->line % line == 0 && (!w->reverse || w->length % line == 0);
}

/* Lines of a power of two of elements, shorter than a chunk, without gaps: a chunk holds some
 * lines, one after the other, and makes one line that starts anew at each of them. */
static inline void join_short_lines(panel_walk *w, size_t size, unsigned chunk) {
    const uint64_t n = w->length;
    const int64_t dense = (int64_t)(n * size);
    w->period = UINT64_C(1) << 63; /* beyond any line: none begins within one */
    if (n >= chunk || n == 1 || (n & (n - 1)) || w->lines % (chunk / n))
        return;
    if (w->lines * n <= 64) /* a small panel is done element by element (small_panel.h) */
        return;
    if (w->in.way != WAY_LINE || w->out.way != WAY_LINE || w->in.line != dense ||
        w->out.line != dense)
        return;
    w->period = n;
    w->lines = w->lines * n / chunk;
    w->length = chunk;
    w->in.line = w->out.line = (int64_t)((size_t)chunk * size);
}

static inline panel_walk panel_walk_of(const cumsum_panel *panel,
                                       const cumsum_arithmetic *arithmetic, size_t size,
                                       unsigned chunk) {
    panel_walk w = {.lines = panel->lines,
                    .rows = panel->groups,
                    .length = panel->length,
                    .reverse = panel->output_step < 0,
                    .exclusive = arithmetic->exclusive,
                    .ahead = panel->stream};
    w.input = panel->input + panel_lowest(panel->input_step, panel->length);
    w.output = panel->output + panel_lowest(panel->output_step, panel->length);
    w.in = panel_side_of(panel->input_group_step, panel->input_line_step, panel->input_step,
                         panel->length, size);
    w.out = panel_side_of(panel->output_group_step, panel->output_line_step, panel->output_step,
                          panel->length, size);
    join_short_lines(&w, size, chunk);
    /* What was just read should not be pushed out to memory to be written. */
    w.stream = panel->stream && w.input != w.output && output_is_aligned(&w);
    return w;
}

#endif
