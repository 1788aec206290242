/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_COLUMN_ROWS_H
#define CUMSUM_CPU_COLUMN_ROWS_H

/*
 * What the scans that go row by row share (column_scan.inl.h, float_columns.h). A row is the
 * elements of one index of all lines. If both operands are interleaved, rows are read and written
 * as they lie, and the scan runs at the speed of a copy. An operand whose rows are no neighbours is
 * staged: its rows are gathered into, or scattered from, a small buffer.
 *
 * Permuted dimensions may leave lines that are neighbours in the output, of groups that are
 * neighbours in the input (is_crossed in shape.h). Taken row by row, either side would touch a
 * cache line for each element. So a strip of such a walk is a block over both
 * dimensions. Its input is staged, and is scanned group by group.
 */

#include "moves.h"
#include "panel_walk.h"

/* Rows taken together: a divisor of the blocked order's block of 16. */
#define ROWS 4

/* Lines of a strip that is not staged, by their accumulators' width. The accumulators are 16 KiB,
 * half of a first-level cache of the usual size, or 24 KiB, which fits on the stack. A row of the
 * strip is long enough for hardware to prefetch. */
#define STRIP32 4096
#define STRIP64 3072

/* The most lines of a strip that is staged: those of FLOAT16 that STAGED_BYTES have room for. */
#define STAGED_LINES32 2048
#define STAGED_LINES64 512

/* Lines of a strip that is staged. The gather touches up to one cache line per element, ROWS rows
 * of which stay in the second-level cache until the next rows use the rest of them. */
#define STAGED_STRIP 256

/* The same where elements are nearer to each other than lines are. The next rows then use the same
 * cache lines, and those of so few lines are still in the first-level cache. */
#define NARROW_STRIP 16

/* Bytes of a row in the buffer, and from a row to the next: a cache line more, so that rows do not
 * begin in one set of the first-level cache. */
#define STAGED_BYTES 4096
#define STAGED_STEP  (INT64_C(64) + STAGED_BYTES)

/* Bytes of neighbouring outputs in a strip of a crossed walk: a cache line, which is written at
 * once. The strip has as many groups as the buffer has room for. */
#define CROSSED_BYTES 64

/* Up to ROWS rows of a strip, in the order of the scan. */
typedef struct column_rows {
    const unsigned char *in; /* the first line's element in the row that is visited first */
    unsigned char *out;
    int64_t in_step; /* bytes to the row that is visited next */
    int64_t out_step;
    unsigned count; /* at most ROWS */
    bool exclusive;
    cumsum_half_store store;
    size_t streamed; /* the first bytes of each row, which bypass the caches */
} column_rows;

/* A vector of lines in some rows: `offset` bytes from the start of each row, `lanes` of its lanes.
 */
typedef struct column {
    size_t offset;
    unsigned lanes;
} column;

/* How many of the `bytes` of a row bypass the caches: whole cache lines. A store that does is slow
 * where another one writes a part of the same cache line. */
KERNEL_INLINE size_t streamed_bytes(const panel_walk *w, size_t bytes) {
    const size_t cache_line = 64;
    return w->stream ? bytes / cache_line * cache_line : 0;
}

/* The rows of so many bytes from position k on. */
KERNEL_INLINE column_rows column_rows_at(const panel_walk w, uint64_t line, uint64_t k,
                                         size_t bytes) {
    const int64_t index = (int64_t)(w.reversed ? w.length - 1 - k : k);
    const uint64_t remaining = w.length - k;
    const column_rows rows = {
        .in = w.input + (int64_t)line * w.in.line_step + index * w.in.element_step,
        .out = w.output + (int64_t)line * w.out.line_step + index * w.out.element_step,
        .in_step = w.reversed ? -w.in.element_step : w.in.element_step,
        .out_step = w.reversed ? -w.out.element_step : w.out.element_step,
        .count = remaining < ROWS ? (unsigned)remaining : ROWS,
        .exclusive = w.exclusive,
        .store = w.store,
        .streamed = streamed_bytes(&w, bytes),
    };
    return rows;
}

/* Prefetches a row: its cache lines, or those of its lines if these are further apart. */
KERNEL_INLINE void prefetch_row(const unsigned char *row, int64_t line_step, size_t lines) {
    const int64_t bytes = (int64_t)lines * line_step;
    for (int64_t i = 0; i < bytes; i += line_step < 64 ? 64 : line_step)
        prefetch_l2(row + i);
}

/* Longer rows are recognized by hardware. */
#define PREFETCHED_ROW 2048

/* Prefetches both operands of as many rows as these, behind the next ones. Outputs that bypass the
 * caches need none. */
KERNEL_OUTLINE void prefetch_next_rows(const panel_walk *w, const column_rows rows, size_t lines) {
    for (int64_t r = INT64_C(2) * ROWS; r < INT64_C(3) * ROWS; r++) {
        prefetch_row(rows.in + r * rows.in_step, w->in.line_step, lines);
        if (!w->stream)
            prefetch_row(rows.out + r * rows.out_step, w->out.line_step, lines);
    }
}

/* Does so where hardware does not. */
KERNEL_INLINE void prefetch_rows(const panel_walk *w, const column_rows rows, uint64_t k,
                                 size_t lines) {
    const int64_t bytes = (int64_t)lines * w->out.line_step;
    if (w->large && w->groups == 1 && bytes <= PREFETCHED_ROW &&
        k + UINT64_C(3) * ROWS <= w->length)
        prefetch_next_rows(w, rows, lines);
}

/* Whether the line step leads from the last line of a group to the first of the next, too. */
KERNEL_INLINE bool groups_adjoin(const panel_walk *w, const operand of) {
    return w->groups == 1 || of.group_step == (int64_t)w->lines * of.line_step;
}

KERNEL_INLINE bool is_staged(const panel_walk *w, const operand of) {
    return of.pattern != ACCESS_INTERLEAVED || !groups_adjoin(w, of);
}

KERNEL_INLINE bool needs_stage(const panel_walk *w) {
    return is_staged(w, w->in) || is_staged(w, w->out);
}

KERNEL_INLINE bool has_near_elements(const operand of, uint64_t length) {
    return of.pattern != ACCESS_INTERLEAVED && length > 1 && of.element_step < of.line_step;
}

/* Lines per strip; `unstaged` where no operand is staged. */
KERNEL_INLINE uint64_t strip_lines(const panel_walk *w, uint64_t unstaged, size_t element) {
    if (!needs_stage(w))
        return unstaged;
    if (is_crossed(w))
        return STAGED_BYTES / element;
    if (has_near_elements(w->in, w->length) || has_near_elements(w->out, w->length))
        return NARROW_STRIP;
    return STAGED_STRIP;
}

/* The lines that a row-by-row scan takes at once. */
typedef struct column_strip {
    panel_walk walk; /* of the groups that the strip has lines of */
    uint64_t line;   /* the first line in `walk` */
    size_t lines;    /* of all groups */
    uint64_t next_line, next_group;
    const unsigned char *after; /* crossed: the input of the next strip; NULL: there is none */
} column_strip;

/* The strip at next_line and next_group, of up to `size` lines of a crossed walk. Strips follow
 * each other along the outputs first. */
KERNEL_INLINE void crossed_strip(const panel_walk *w, uint64_t size, size_t element,
                                 column_strip *strip) {
    const uint64_t most = CROSSED_BYTES / element, rest = w->lines - strip->next_line;
    const uint64_t lines = rest < most ? rest : most;
    const uint64_t fits = size / most, remaining = w->groups - strip->next_group;
    const uint64_t groups = remaining < fits ? remaining : fits;
    const panel_walk from = some_groups(w, strip->next_group, groups);
    strip->walk = some_lines(&from, strip->next_line, lines);
    strip->lines = (size_t)(groups * lines);
    strip->next_line += lines;
    if (strip->next_line == w->lines) {
        strip->next_line = 0;
        strip->next_group += groups;
    }
    strip->after = NULL;
    if (strip->next_group < w->groups)
        strip->after = w->input + (int64_t)strip->next_group * w->in.group_step +
                       (int64_t)strip->next_line * w->in.line_step;
}

/* Takes the next strip of up to `size` lines of `element` bytes an element: lines of the only
 * group, or whole groups, or a part of some if the walk is crossed. Begins with a strip of zeros.
 * Returns false behind the last strip. */
KERNEL_INLINE bool next_strip(const panel_walk *w, uint64_t size, size_t element,
                              column_strip *strip) {
    if (strip->next_group == w->groups || strip->next_line == w->lines)
        return false;
    if (is_crossed(w)) {
        crossed_strip(w, size, element, strip);
    } else if (w->groups > 1) {
        const uint64_t remaining = w->groups - strip->next_group;
        const uint64_t most = size < w->lines ? 1 : size / w->lines;
        const uint64_t groups = remaining < most ? remaining : most;
        strip->walk = some_groups(w, strip->next_group, groups);
        strip->lines = (size_t)(groups * w->lines);
        strip->next_group += groups;
    } else {
        const uint64_t remaining = w->lines - strip->next_line;
        strip->walk = *w;
        strip->line = strip->next_line;
        strip->lines = (size_t)(remaining < size ? remaining : size);
        strip->next_line += strip->lines;
    }
    return true;
}

/* Prefetches, of a crossed strip, the input of the row that is as far behind the rows at position k
 * as row r is from the first of them, or else of the first rows of the next strip. */
KERNEL_INLINE void prefetch_crossed(const column_strip *strip, const column_rows rows, uint64_t k,
                                    unsigned r) {
    const panel_walk *w = &strip->walk;
    const int64_t bytes = (int64_t)w->groups * w->in.group_step;
    const unsigned char *from = rows.in + ROWS * rows.in_step;
    if (!w->large || !is_crossed(w))
        return;
    if (k + ROWS >= w->length) {
        from = strip->after;
        if (from && w->reversed)
            from += (int64_t)(w->length - 1) * w->in.element_step;
    }
    for (uint64_t l = 0; from && l < w->lines; l++)
        for (int64_t i = 0; i < bytes; i += 64)
            prefetch_l1(from + (int64_t)r * rows.in_step + (int64_t)l * w->in.line_step + i);
}

/* Rows in ascending order of their addresses, which hardware prefetches better. */
KERNEL_INLINE unsigned ascending(const panel_walk *w, const column_rows rows, unsigned i) {
    return w->reversed ? rows.count - 1 - i : i;
}

/* A row of `lines` lines: of whole groups, or of a piece of one. */
KERNEL_INLINE strided_elements row_elements(const panel_walk *w, const operand of, size_t lines) {
    const bool one = groups_adjoin(w, of);
    const strided_elements row = {.step = of.line_step,
                                  .count = (unsigned)(one ? lines : w->lines),
                                  .group_step = of.group_step,
                                  .groups = one ? 1 : (unsigned)w->groups,
                                  .stream = w->stream};
    return row;
}

/* The rows at position k with a staged input gathered, and with the buffer in the place of a staged
 * output. One buffer serves both, because the scans work in place; it has ROWS rows of STAGED_STEP
 * bytes. */
KERNEL_OUTLINE column_rows stage_rows(const column_strip *strip, size_t size, column_rows rows,
                                      uint64_t k, unsigned char *stage) {
    const panel_walk *w = &strip->walk;
    const strided_elements row = row_elements(w, w->in, strip->lines);
    if (is_staged(w, w->in)) {
        for (unsigned i = 0; i < rows.count; i++) {
            const unsigned r = ascending(w, rows, i);
            prefetch_crossed(strip, rows, k, r);
            gather_elements(size, stage + r * STAGED_STEP, rows.in + (int64_t)r * rows.in_step,
                            row);
        }
        rows.in = stage;
        rows.in_step = STAGED_STEP;
    }
    if (is_staged(w, w->out)) {
        rows.out = stage;
        rows.out_step = STAGED_STEP;
        rows.streamed = 0;
    }
    return rows;
}

/* Scatters a staged output; `rows` are those of the panel. */
KERNEL_OUTLINE void unstage_rows(const panel_walk *w, size_t size, const column_rows rows,
                                 size_t lines, const unsigned char *stage) {
    for (unsigned i = 0; is_staged(w, w->out) && i < rows.count; i++) {
        const unsigned r = ascending(w, rows, i);
        scatter_elements(size, rows.out + (int64_t)r * rows.out_step, stage + r * STAGED_STEP,
                         row_elements(w, w->out, lines));
    }
}

#endif
