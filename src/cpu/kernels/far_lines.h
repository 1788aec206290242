/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_FAR_LINES_H
#define CUMSUM_CPU_FAR_LINES_H

/*
 * Lines whose elements are apart in one tensor or both, but nearer to each other than lines are: so
 * each is a run of memory to itself, and is read and written by itself, some elements at a time, by
 * way of a small buffer in which they are neighbours.
 */

/* Shorter lines are over before this is worth it. */
#define RUN_LENGTH 64

static inline bool is_run(const panel_walk *w, const panel_side side) {
    return w->lines == 1 || side.line == 0 || side.element < side.line;
}

static inline bool lines_are_far_runs(const panel_walk *w) {
    const bool far = w->in.way != WAY_LINE || w->out.way != WAY_LINE;
    return far && w->length >= RUN_LENGTH && is_run(w, w->in) && is_run(w, w->out);
}

static inline panel_walk one_line(const panel_walk *w, uint64_t line) {
    panel_walk one = *w;
    one.input += (int64_t)line * w->in.line;
    one.output += (int64_t)line * w->out.line;
    one.lines = 1;
    return one;
}

KERNEL_INLINE void blocked_far_lines(element_kind kind, const panel_walk *w) {
    for (uint64_t i = 0; i < w->lines; i++) {
        const panel_walk line = one_line(w, line_at(w, i));
        cumsum_line_state state;
        memset(&state, 0, sizeof state);
        blocked_write(kind, &line, NULL, &state, (read_ahead){0});
    }
}

KERNEL_INLINE void integer_far_lines32(element_kind kind, const panel_walk *w) {
    for (uint64_t i = 0; i < w->lines; i++) {
        const panel_walk line = one_line(w, line_at(w, i));
        cumsum_line_state state = {.integer = 0};
        integers_write32(kind, &line, NULL, &state, (read_ahead){0});
    }
}

KERNEL_INLINE void integer_far_lines64(element_kind kind, const panel_walk *w) {
    for (uint64_t i = 0; i < w->lines; i++) {
        const panel_walk line = one_line(w, line_at(w, i));
        cumsum_line_state state = {.integer = 0};
        integers_write64(kind, &line, NULL, &state, (read_ahead){0});
    }
}

/* The sequential order, one line after the other; their elements may also be neighbours. */
KERNEL_INLINE void sequential_by_tiles(element_kind kind, const panel_walk *w) {
    float tally = 0;
    for (uint64_t k = 0; k < w->length; k += LINE_TILE) {
        const unsigned count = tile_count32(w, k);
        tile32 copy;
        sequential_tile(kind, tile_of32(kind, w, k, count, &copy), &tally);
        tile_done32(kind, w, k, count, &copy);
    }
}

KERNEL_INLINE void sequential_few(element_kind kind, const panel_walk *w) {
    for (uint64_t i = 0; i < w->lines; i++) {
        const panel_walk line = one_line(w, line_at(w, i));
        sequential_by_tiles(kind, &line);
    }
}

/* Elements of a line that are neighbours for a while: a multiple of a chunk, and enough for memory
 * to be read as a stream before another line's turn comes. */
#define FAR_PIECE 256

/* The lines begin in different sets of the cache. */
typedef struct far_stage {
    unsigned char in[LANES32][FAR_PIECE * sizeof(float) + 64];
    unsigned char out[LANES32][FAR_PIECE * sizeof(float) + 64];
} far_stage;

/* A piece as a panel of its own. A piece that the end of the lines cuts short is as long as the
 * others, but what is visited last is nobody's. */
KERNEL_INLINE panel_walk staged_piece(element_kind kind, const panel_walk *w, far_stage *stage) {
    const panel_side side = {
        .line = sizeof stage->in[0], .element = (int64_t)kind_size(kind), .way = WAY_LINE};
    panel_walk piece = *w;
    piece.input = stage->in[0];
    piece.output = stage->out[0];
    piece.in = piece.out = side;
    piece.lines = LANES32;
    piece.length = FAR_PIECE;
    piece.stream = false;
    return piece;
}

/* Up to LANES32 lines, lanes being lines. */
KERNEL_INLINE void sequential_lanes(element_kind kind, const panel_walk *w, far_stage *stage,
                                    uint64_t line, unsigned lines) {
    const size_t size = kind_size(kind);
    const panel_walk piece = staged_piece(kind, w, stage);
    v32 tally = zero32();
    for (uint64_t k = 0; k < w->length; k += FAR_PIECE) {
        const uint64_t left = w->length - k;
        const unsigned count = left < FAR_PIECE ? (unsigned)left : FAR_PIECE;
        const uint64_t index = lowest32(*w, k, count);
        const size_t first = w->reverse ? (FAR_PIECE - count) * size : 0;
        for (unsigned l = 0; l < lines; l++)
            gather_elements(size, stage->in[l] + first, w->input + offset32(w->in, line + l, index),
                            w->in.element, count);
        (void)line_chunks32(kind, piece, piece.reverse, piece.exclusive, 0, &tally);
        for (unsigned l = 0; l < lines; l++)
            scatter_elements(size, w->output + offset32(w->out, line + l, index), w->out.element,
                             stage->out[l] + first, count);
    }
}

KERNEL_INLINE void sequential_far_lines(element_kind kind, const panel_walk *w) {
    far_stage stage;
    memset(&stage, 0, sizeof stage);
    for (uint64_t line = 0; line < w->lines; line += LANES32) {
        const uint64_t left = w->lines - line;
        sequential_lanes(kind, w, &stage, line, left < LANES32 ? (unsigned)left : LANES32);
    }
}

#endif
