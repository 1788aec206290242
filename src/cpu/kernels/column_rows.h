/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_COLUMN_ROWS_H
#define CUMSUM_CPU_COLUMN_ROWS_H

/*
 * What the scans that go row by row share (column_scan.inl.h). A row is the
 * elements of one index of all lines. If both operands are interleaved, rows are read and written
 * as they lie, and the scan runs at the speed of a copy. An operand whose rows are no neighbours is
 * staged: its rows are gathered into, or scattered from, a small buffer.
 *
 * Permuted dimensions may leave lines that are neighbours in the output, of groups that are
 * neighbours in the input (is_crossed in shape.h). Taken row by row, either side would touch a
 * cache line for each element. So a strip of such a walk is a block over both
 * dimensions. Its input is staged, and is scanned group by group.
 */

#include "column_state.h"
#include "moves.h"
#include "panel_walk.h"

#define MOST_ROWS (1U << 31) /* of a strip whose rows are taken as they lie: a multiple of ROWS */

/* Lines of a strip that is not staged, by their accumulators' width. The accumulators are 16 KiB,
 * half of a first-level cache of the usual size, or 24 KiB, which fits on the stack. A row of the
 * strip is long enough for hardware to prefetch. */
#define STRIP32 4096
#define STRIP64 3072

/* Lines of a strip that is staged. The gather touches up to one cache line per element, ROWS rows
 * of which stay in the second-level cache until the next rows use the rest of them. */
#define STAGED_STRIP 256

/* The same where elements are nearer to each other than lines are. The next rows then use the same
 * cache lines, and those of so few lines are still in the first-level cache. */
#define NARROW_STRIP 16

/* The most bytes of a row in the buffer, and the bytes of all of it: ROWS such rows, with a cache
 * line more for each, so that they do not begin in one set of the first-level cache. Of shorter
 * rows, more are moved together. */
#define STAGED_BYTES 4096
#define STAGE_BYTES  (ROWS * (64 + STAGED_BYTES))

/* A strip's memory on the stack: its states, or the buffer and at most 11 KiB of states. A call has
 * less than 32 KiB (cumsum.h). */
#define STRIP_BYTES 28672

/* Bytes of neighbouring outputs in a strip of a crossed walk: a cache line, which is written at
 * once. The strip has as many groups as the buffer has room for. */
#define CROSSED_BYTES 64

/* The lines that a row-by-row scan takes at once: of some groups, or a part of the only one. */
typedef struct column_strip {
    const panel_walk *walk;
    const unsigned char *input; /* of the first line, the element with the lowest index */
    unsigned char *output;
    uint64_t line;        /* number of the first line, if there is one group */
    uint64_t group_lines; /* of each group */
    uint64_t groups;
    size_t lines; /* of all groups */
    uint64_t next_line, next_group;
    const unsigned char *after; /* crossed: the input of the next strip; NULL: there is none */
} column_strip;

/* Some rows of a strip, in the order of the scan. */
typedef struct column_rows {
    const unsigned char *in; /* the first line's element in the row that is visited first */
    unsigned char *out;
    int64_t in_step; /* bytes to the row that is visited next */
    int64_t out_step;
    unsigned count; /* at most ROWS where they are scanned */
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

/* Up to `most` rows from position k on, which bypass the caches in pieces of so many bytes. */
KERNEL_INLINE column_rows column_rows_at(const column_strip *strip, uint64_t k, unsigned most,
                                         size_t bytes) {
    const panel_walk *w = strip->walk;
    const column_rows rows = {
        .in = strip->input + scan_offset(w, w->in, k, 1),
        .out = strip->output + scan_offset(w, w->out, k, 1),
        .in_step = w->reversed ? -w->in.element_step : w->in.element_step,
        .out_step = w->reversed ? -w->out.element_step : w->out.element_step,
        .count = (unsigned)cumsum_least(w->length - k, most),
        .exclusive = w->exclusive,
        .store = w->store,
        .streamed = streamed_bytes(w, bytes),
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

/* Prefetches both operands of as many rows as are scanned together from position k on, behind the
 * next ones. Outputs that bypass the caches need none. */
KERNEL_OUTLINE void prefetch_next_rows(const column_strip *strip, uint64_t k) {
    const panel_walk *w = strip->walk;
    const column_rows rows = column_rows_at(strip, k, ROWS, 0);
    for (int64_t r = INT64_C(2) * ROWS; r < INT64_C(3) * ROWS; r++) {
        prefetch_row(rows.in + r * rows.in_step, w->in.line_step, strip->lines);
        if (!w->stream)
            prefetch_row(rows.out + r * rows.out_step, w->out.line_step, strip->lines);
    }
}

/* Does so where hardware does not. */
KERNEL_INLINE void prefetch_rows(const column_strip *strip, uint64_t k) {
    const panel_walk *w = strip->walk;
    const int64_t bytes = (int64_t)strip->lines * w->out.line_step;
    if (w->large && w->groups == 1 && bytes <= PREFETCHED_ROW &&
        k + UINT64_C(3) * ROWS <= w->length)
        prefetch_next_rows(strip, k);
}

/* Whether an operand's lines of so many groups do not follow each other as a row. */
KERNEL_INLINE bool is_staged(const operand *of, uint64_t lines, uint64_t groups) {
    return of->pattern != ACCESS_INTERLEAVED ||
           (groups > 1 && of->group_step != (int64_t)lines * of->line_step);
}

KERNEL_INLINE bool needs_stage(const panel_walk *w) {
    return is_staged(&w->in, w->lines, w->groups) || is_staged(&w->out, w->lines, w->groups);
}

KERNEL_INLINE bool has_near_elements(const operand of, uint64_t length) {
    return of.pattern != ACCESS_INTERLEAVED && length > 1 && of.element_step < of.line_step;
}

/* Lines per strip; `unstaged` where no operand is staged. */
KERNEL_INLINE uint64_t strip_lines(const panel_walk *w, uint64_t unstaged, size_t element) {
    if (is_copy(w))
        return UINT64_MAX;
    if (!needs_stage(w))
        return unstaged;
    if (is_crossed(w))
        return STAGED_BYTES / element;
    if (has_near_elements(w->in, w->length) || has_near_elements(w->out, w->length))
        return NARROW_STRIP;
    return STAGED_STRIP;
}

/* Lines of a strip in the blocked order: fewer than in the sequential order, because a line has a
 * column_state, 20 bytes and so 20 KiB per strip, in the place of an accumulator. That is also all
 * that fits on the stack. A line that is longer than a tile has levels besides, of 24 bytes each:
 * they are in the panel's scratch memory, or, if it has none, on the stack for fewer lines. */
#define BLOCKED_STRIP CUMSUM_SCRATCH_LINES

/* Lines of a strip with one level, two and three on the stack, which take no more of it than the
 * states of 1024 lines, or, if they are staged, than 256 lines with one level. Lines of one
 * element, which a segment may have, have states like others. */
KERNEL_INLINE uint64_t blocked_strip_lines(const panel_walk *w, size_t element) {
    const uint64_t narrower[] = {BLOCKED_STRIP, 384, 128, 64};
    const uint64_t fits = narrower[cumsum_blocked_depth(w->length)];
    const uint64_t size = strip_lines(w, w->scratch ? BLOCKED_STRIP : fits, element);
    uint64_t most = needs_stage(w) || is_copy(w) ? fits : size;
    if (is_crossed(w))
        most = w->scratch ? BLOCKED_STRIP : narrower[CUMSUM_BLOCKED_LEVELS];
    return cumsum_least(size, most);
}

/* The strip at next_line and next_group, of up to `size` lines of a crossed walk. Strips follow
 * each other along the outputs first. */
KERNEL_INLINE void crossed_strip(const panel_walk *w, uint64_t size, size_t element,
                                 column_strip *strip) {
    const uint64_t most = CROSSED_BYTES / element;
    strip->group_lines = cumsum_least(w->lines - strip->next_line, most);
    strip->groups = cumsum_least(w->groups - strip->next_group, size / most);
    strip->next_line += strip->group_lines;
    if (strip->next_line == w->lines) {
        strip->next_line = 0;
        strip->next_group += strip->groups;
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
    const uint64_t line = strip->next_line, group = strip->next_group;
    if (group == w->groups || line == w->lines)
        return false;
    strip->walk = w;
    strip->line = line;
    strip->input = w->input + (int64_t)group * w->in.group_step + (int64_t)line * w->in.line_step;
    strip->output =
        w->output + (int64_t)group * w->out.group_step + (int64_t)line * w->out.line_step;
    strip->groups = 1;
    if (is_crossed(w)) {
        crossed_strip(w, size, element, strip);
    } else if (w->groups > 1) {
        const uint64_t most = size < 2 * w->lines ? 1 : size / w->lines;
        strip->group_lines = w->lines;
        strip->groups = cumsum_least(w->groups - group, most);
        strip->next_group += strip->groups;
    } else {
        strip->group_lines = cumsum_least(w->lines - line, size);
        strip->next_line += strip->group_lines;
    }
    strip->lines = (size_t)(strip->groups * strip->group_lines);
    return true;
}

/* The buffer of a strip. One serves both operands, because the scans work in place. The outputs of
 * a crossed strip go to memory at once, group by group. */
typedef struct column_stage {
    unsigned char *bytes; /* STAGE_BYTES, or NULL: no operand is staged */
    bool gathers;
    bool scatters;
    unsigned rows;  /* that are moved together; MOST_ROWS if none are */
    size_t row;     /* bytes from a row to the next */
    uint64_t parts; /* groups that are scanned apart */
    size_t lines;   /* of each */
    int64_t part;   /* bytes from the input of a part to that of the next */
} column_stage;

KERNEL_INLINE column_stage stage_of(const column_strip *strip, size_t size, unsigned char *bytes) {
    const panel_walk *w = strip->walk;
    const size_t row = (strip->lines * size + 127) / 64 * 64;
    const bool apart = is_copy(w) || is_crossed(w);
    const bool gathers = !is_copy(w) && is_staged(&w->in, strip->group_lines, strip->groups);
    const bool scatters = !apart && is_staged(&w->out, strip->group_lines, strip->groups);
    unsigned rows = gathers || scatters ? ROWS : MOST_ROWS;
    if (rows == ROWS && strip->lines < 64) /* others take longer than a call, and are prefetched */
        rows = STAGE_BYTES / (unsigned)row / ROWS * ROWS;
    const column_stage stage = {.bytes = gathers || scatters ? bytes : NULL,
                                .gathers = gathers,
                                .scatters = scatters,
                                .rows = rows,
                                .row = row,
                                .parts = apart ? strip->groups : 1,
                                .lines = apart ? strip->group_lines : strip->lines,
                                .part = is_copy(w) ? w->in.group_step
                                                   : (int64_t)(strip->group_lines * size)};
    return stage;
}

/* Prefetches, of a crossed strip, the input of the row that is as far behind the rows at position k
 * as row r is from the first of them, or else of the first rows of the next strip. */
KERNEL_INLINE void prefetch_crossed(const column_strip *strip, const column_stage *stage,
                                    const column_rows rows, uint64_t k, unsigned r) {
    const panel_walk *w = strip->walk;
    const int64_t bytes = (int64_t)strip->groups * w->in.group_step;
    const unsigned char *from = rows.in + stage->rows * rows.in_step;
    if (k + stage->rows >= w->length) {
        from = strip->after;
        if (from && w->reversed)
            from += (int64_t)(w->length - 1) * w->in.element_step;
    }
    for (uint64_t l = 0; from && l < strip->group_lines; l++)
        for (int64_t i = 0; i < bytes; i += 64)
            prefetch_l1(from + (int64_t)r * rows.in_step + (int64_t)l * w->in.line_step + i);
}

/* A loop of fewer elements takes as long to begin as to run. */
#define SHORT_RUN 6

/* `count` rows of an operand as its elements are to be moved, from_step being the operand's. Lines
 * are neighbours in the buffer. Rows follow each other as they do in the operand. */
KERNEL_INLINE moved_elements rows_to_move(const column_strip *strip, const operand *of,
                                          const column_stage *stage, unsigned count, size_t size) {
    const bool reversed = strip->walk->reversed;
    const cumsum_copy_dimension lines = {strip->group_lines, of->line_step, (int64_t)size};
    const cumsum_copy_dimension groups = {strip->groups, of->group_step,
                                          (int64_t)(strip->group_lines * size)};
    const cumsum_copy_dimension rows = {count, of->element_step,
                                        reversed ? -(int64_t)stage->row : (int64_t)stage->row};
    const bool by_row = groups.size > 1 && (count == 1 || groups.from_step < rows.from_step);
    const cumsum_copy_dimension other = by_row ? groups : rows;
    const bool lines_inside =
        other.size < SHORT_RUN || (lines.size >= SHORT_RUN && lines.from_step < other.from_step);
    const moved_elements m = {.inner = lines_inside ? lines : other,
                              .outer = lines_inside ? other : lines,
                              .far = by_row ? rows : groups};
    return m;
}

/* Exchanges tensor and buffer. */
KERNEL_INLINE cumsum_copy_dimension back(const cumsum_copy_dimension d) {
    const cumsum_copy_dimension turned = {d.size, d.to_step, d.from_step};
    return turned;
}

/* Gathers the rows at position k: one after the other if they are prefetched on the way. */
KERNEL_OUTLINE void gather_rows(const column_strip *strip, const column_stage *stage, size_t size,
                                uint64_t k) {
    const panel_walk *w = strip->walk;
    const column_rows rows = column_rows_at(strip, k, stage->rows, 0);
    const bool prefetches = w->large && is_crossed(w);
    const unsigned together = prefetches ? 1 : rows.count;
    const moved_elements m = rows_to_move(strip, &w->in, stage, together, size);
    for (unsigned i = 0; i < rows.count; i += together) {
        const unsigned r = w->reversed ? rows.count - 1 - i : i;
        if (prefetches)
            prefetch_crossed(strip, stage, rows, k, r);
        move_elements(size, stage->bytes + r * stage->row, rows.in + (int64_t)r * rows.in_step, &m);
    }
}

KERNEL_OUTLINE void scatter_rows(const column_strip *strip, const column_stage *stage, size_t size,
                                 uint64_t k) {
    const panel_walk *w = strip->walk;
    const column_rows rows = column_rows_at(strip, k, stage->rows, 0);
    const unsigned lowest = w->reversed ? rows.count - 1 : 0;
    const moved_elements m = rows_to_move(strip, &w->out, stage, rows.count, size);
    const moved_elements turned = {back(m.inner), back(m.outer), back(m.far), w->stream};
    move_elements(size, rows.out + (int64_t)lowest * rows.out_step,
                  stage->bytes + lowest * stage->row, &turned);
}

/* The rows at position k with a staged input gathered, and with the buffer in the place of a staged
 * output. */
KERNEL_INLINE column_rows stage_rows(const column_strip *strip, const column_stage *stage,
                                     size_t size, const column_rows rows, uint64_t k) {
    column_rows local = rows;
    if (stage->gathers) {
        gather_rows(strip, stage, size, k);
        local.in = stage->bytes;
        local.in_step = (int64_t)stage->row;
    }
    if (stage->scatters) {
        local.out = stage->bytes;
        local.out_step = (int64_t)stage->row;
        local.streamed = 0;
    }
    return local;
}

/* ROWS of these rows, from number r on, of a part. */
KERNEL_INLINE column_rows some_rows(const column_strip *strip, const column_stage *stage,
                                    column_rows rows, unsigned r, uint64_t part) {
    rows.in += (int64_t)r * rows.in_step + (int64_t)part * stage->part;
    rows.out += (int64_t)r * rows.out_step + (int64_t)part * strip->walk->out.group_step;
    rows.count = rows.count - r < ROWS ? rows.count - r : ROWS;
    return rows;
}

#endif
