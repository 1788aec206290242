/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_CROSSED_STRIP_H
#define CUMSUM_CPU_CROSSED_STRIP_H

/*
 * The strips of crossed_rows.inl.h: some lines of some groups of a panel, a block over the
 * contiguous dimensions of both operands.
 */

#include "column_rows.h"

/* Bytes of neighbouring outputs, which are written together: a cache line. */
#define CROSSED_BYTES 64

/* Groups of a strip: of FLOAT32 four cache lines of neighbouring inputs. */
#define CROSSED_GROUPS 64

/* Bytes from a row to the next in the buffer: a cache line more than a row has. */
#define CROSSED_ROW ((int64_t)(CROSSED_GROUPS + 1) * CROSSED_BYTES)

typedef struct crossed_strip {
    panel_walk walk; /* begins at the strip's first line */
    int64_t in_step; /* bytes from a line to the next */
    unsigned lines;
    unsigned groups;
    uint64_t line; /* of the panel's, where the strip begins */
    uint64_t group;
    const unsigned char *after; /* the input of the strip that follows; NULL: there is none */
} crossed_strip;

/* The strip behind *s, or the first one if *s has no groups: of a cache line of outputs, and of up
 * to `most` groups. Strips follow each other along the outputs first. False behind the last. */
KERNEL_INLINE bool next_crossed_strip(const panel_walk *w, size_t size, unsigned most,
                                      crossed_strip *s) {
    const unsigned lines = CROSSED_BYTES / (unsigned)size;
    uint64_t line = s->line + s->lines, group = s->group;
    if (line >= w->lines) {
        line = 0;
        group += s->groups;
    }
    if (group >= w->groups)
        return false;
    s->walk = some_groups(w, group, 1);
    s->walk.input += (int64_t)line * w->in.line_step;
    s->walk.output += (int64_t)line * w->out.line_step;
    s->in_step = w->in.line_step;
    s->lines = w->lines - line < lines ? (unsigned)(w->lines - line) : lines;
    s->groups = w->groups - group < most ? (unsigned)(w->groups - group) : most;
    s->line = line;
    s->group = group;
    s->after = NULL;
    if (line + lines < w->lines)
        s->after = s->walk.input + (int64_t)lines * w->in.line_step;
    else if (group + s->groups < w->groups)
        s->after = some_groups(w, group + s->groups, 1).input;
    return true;
}

/* The input that is to be read after these rows: the rows behind them, or the first ones of the
 * next strip. NULL: none, or it need not be prefetched. */
KERNEL_INLINE const unsigned char *crossed_ahead(const crossed_strip *s, uint64_t k,
                                                 const column_rows rows) {
    if (!s->walk.large)
        return NULL;
    if (k + ROWS < s->walk.length)
        return rows.in + ROWS * rows.in_step;
    return s->after ? s->after + (rows.in_step < 0
                                      ? (int64_t)(s->walk.length - 1) * s->walk.in.element_step
                                      : 0)
                    : NULL;
}

/* The rows of one group of a strip: `rows` are those of the first one, in the buffer. */
KERNEL_INLINE column_rows crossed_group(const crossed_strip *s, column_rows rows, unsigned group) {
    rows.in += (size_t)group * CROSSED_BYTES;
    rows.out += (int64_t)group * s->walk.out.group_step;
    return rows;
}

#endif
