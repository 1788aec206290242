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
    return all_lines(w) == 1 || side.line == 0 || side.element < side.line;
}

static inline bool lines_are_far_runs(const panel_walk *w) {
    const bool far = w->in.way != WAY_LINE || w->out.way != WAY_LINE;
    return far && w->length >= RUN_LENGTH && is_run(w, w->in) && is_run(w, w->out);
}

static inline panel_walk one_line(const panel_walk *w, uint64_t line) {
    panel_walk one = *w;
    one.input += line_start(w, w->in, line);
    one.output += line_start(w, w->out, line);
    one.lines = one.rows = 1;
    return one;
}

KERNEL_INLINE void blocked_far_lines(element_kind kind, const panel_walk *w) {
    for (uint64_t i = 0; i < all_lines(w); i++) {
        const panel_walk line = one_line(w, line_at(w, i));
        cumsum_carry state;
        memset(&state, 0, sizeof state);
        blocked_write(kind, &line, NULL, &state, (read_ahead){0});
    }
}

KERNEL_INLINE void integer_far_lines32(element_kind kind, const panel_walk *w) {
    for (uint64_t i = 0; i < all_lines(w); i++) {
        const panel_walk line = one_line(w, line_at(w, i));
        cumsum_carry state = {.integer = 0};
        integers_write32(kind, &line, NULL, &state, (read_ahead){0});
    }
}

KERNEL_INLINE void integer_far_lines64(element_kind kind, const panel_walk *w) {
    for (uint64_t i = 0; i < all_lines(w); i++) {
        const panel_walk line = one_line(w, line_at(w, i));
        cumsum_carry state = {.integer = 0};
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
    for (uint64_t i = 0; i < all_lines(w); i++) {
        const panel_walk line = one_line(w, line_at(w, i));
        sequential_by_tiles(kind, &line);
    }
}

/* Elements of a line that are neighbours for a while: a multiple of a chunk, and enough for memory
 * to be read as a stream before another line's turn comes. */
#define FAR_PIECE 256

/* Bytes: the lines begin in different sets of the cache. */
#define FAR_LINE_STEP (FAR_PIECE * sizeof(float) + 64)

typedef struct far_stage {
    unsigned char in[LANES32 * FAR_LINE_STEP];
    unsigned char out[LANES32 * FAR_LINE_STEP];
} far_stage;

/* A piece as a panel of its own. A piece that the end of the lines cuts short is as long as the
 * others, but what is visited last is nobody's. */
KERNEL_INLINE panel_walk staged_piece(element_kind kind, const panel_walk *w, far_stage *stage) {
    const panel_side side = {
        .line = FAR_LINE_STEP, .element = (int64_t)kind_size(kind), .way = WAY_LINE};
    panel_walk piece = *w;
    piece.input = stage->in;
    piece.output = stage->out;
    piece.in = piece.out = side;
    piece.lines = LANES32;
    piece.rows = 1;
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
        const int64_t index = (int64_t)lowest32(*w, k, count);
        const size_t first = w->reverse ? (FAR_PIECE - count) * size : 0;
        for (unsigned l = 0; l < lines; l++)
            gather_elements(size, stage->in + l * FAR_LINE_STEP + first,
                            w->input + line_start(w, w->in, line + l) + index * w->in.element,
                            w->in.element, count);
        (void)line_chunks32(kind, piece, piece.reverse, piece.exclusive, 0, &tally);
        for (unsigned l = 0; l < lines; l++)
            scatter_elements(size,
                             w->output + line_start(w, w->out, line + l) + index * w->out.element,
                             w->out.element, stage->out + l * FAR_LINE_STEP + first, count);
    }
}

KERNEL_INLINE void sequential_far_lines(element_kind kind, const panel_walk *w) {
    far_stage stage;
    memset(&stage, 0, sizeof stage);
    for (uint64_t line = 0; line < all_lines(w); line += LANES32) {
        const uint64_t left = all_lines(w) - line;
        sequential_lanes(kind, w, &stage, line, left < LANES32 ? (unsigned)left : LANES32);
    }
}

#endif
