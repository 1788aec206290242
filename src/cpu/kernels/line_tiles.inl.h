/* SPDX-License-Identifier: MIT */
/*
 * A line of any access pattern, tile by tile. A tile of a contiguous operand is scanned where it
 * lies (line_scan.inl.h). A strided operand's tile is gathered into a buffer first, or scattered
 * from it afterwards.
 *
 *   for each tile at position k:
 *       LINE line = tile_of(kind, w, k, count, &copy);
 *       scan `line`
 *       tile_done(kind, w, k, count, &copy);
 *
 * Parameter: WIDTH (kernel_macros.h). lane_kernels.h includes this file after line_scan.inl.h.
 */
#include "elements.h"
#include "moves.h"
#include "panel_walk.h"
#include "segment_prefetch.h"

#ifndef WIDTH
#error "line_tiles.inl.h: define WIDTH"
#endif

/* A tile's elements as neighbours, in the order of memory. */
typedef struct TILE_COPY {
    unsigned char bytes[LINE_TILE * (WIDTH / 8)];
} TILE_COPY;

/* Bytes from the line's lowest element to the lowest of a tile. */
KERNEL_INLINE int64_t FN(tile_offset)(const panel_walk *w, const operand of, uint64_t k,
                                      unsigned count) {
    return (int64_t)(w->reversed ? w->length - k - count : k) * of.element_step;
}

/* Elements of the tile at position k. */
static inline unsigned FN(tile_count)(const panel_walk *w, uint64_t k) {
    const uint64_t remaining = w->length - k;
    return remaining < LINE_TILE ? (unsigned)remaining : LINE_TILE;
}

/* The tile at position k as a contiguous line that is only read. */
KERNEL_INLINE LINE FN(tile_input)(kernel_kind kind, const panel_walk *w, uint64_t k, unsigned count,
                                  TILE_COPY *copy) {
    LINE line = {.in = w->input + FN(tile_offset)(w, w->in, k, count),
                 .length = count,
                 .reversed = w->reversed,
                 .exclusive = w->exclusive,
                 .store = w->store};
    if (w->in.pattern != ACCESS_CONTIGUOUS) {
        gather_elements(kind_size(kind), copy->bytes, line.in,
                        strided_run(w->in.element_step, count));
        line.in = copy->bytes;
    }
    return line;
}

/* The same, to be written too: directly, or in place into the copy. */
KERNEL_INLINE LINE FN(tile_of)(kernel_kind kind, const panel_walk *w, uint64_t k, unsigned count,
                               TILE_COPY *copy) {
    LINE line = FN(tile_input)(kind, w, k, count, copy);
    const bool direct = w->out.pattern == ACCESS_CONTIGUOUS;
    line.out = direct ? w->output + FN(tile_offset)(w, w->out, k, count) : copy->bytes;
    line.stream = direct && w->stream;
    return line;
}

/* Scatters the outputs of a tile, unless they were written directly. */
KERNEL_INLINE void FN(tile_done)(kernel_kind kind, const panel_walk *w, uint64_t k, unsigned count,
                                 const TILE_COPY *copy) {
    if (w->out.pattern != ACCESS_CONTIGUOUS)
        scatter_elements(kind_size(kind), w->output + FN(tile_offset)(w, w->out, k, count),
                         copy->bytes, strided_run(w->out.element_step, count));
}

/* Scans a tile, whose position in its segment is k, and prefetches the same elements of the next
 * segment on the way. */
KERNEL_INLINE void FN(scan_tile)(kernel_kind kind, const LINE line, const prefetch_range next,
                                 uint64_t k, LINE_CARRY *c) {
    for (unsigned i = 0; i < line.length; i += PREFETCH_ELEMENTS) {
        const unsigned remaining = (unsigned)line.length - i;
        prefetch_elements(next, k + i, kind_size(kind));
        FN(scan_line)
        (kind, line, i, remaining < PREFETCH_ELEMENTS ? remaining : PREFETCH_ELEMENTS, c);
    }
}
