/* SPDX-License-Identifier: MIT */
/*
 * The scans in blocks of lines by lanes for each kind, and the table that exports them
 * (panel_walk.h). Included once, after the vector operations. Parameters:
 *   BLOCK_SCANS         the name of the table
 *   BLOCK_SCANS_STATIC  `static`, or nothing if another object file uses the table
 */
#if !defined(BLOCK_SCANS) || !defined(BLOCK_SCANS_STATIC)
#error "block_scans.inl.h: define BLOCK_SCANS and BLOCK_SCANS_STATIC"
#endif

#include "lane_kernels.h"
#include "moves.h"

#define WIDTH 32
#include "blocks.inl.h"

#include "block_scan.inl.h"
#undef WIDTH

#define WIDTH 64
#include "blocks.inl.h"

#include "block_scan.inl.h"
#undef WIDTH

/* Elements of a strided line that are gathered before those of the next: a multiple of every chunk,
 * and enough for hardware to recognize a stream. */
#define STRIDED_PIECE 256

/* Bytes between lines in the buffer: a cache line more than a piece, so that lines begin in
 * different sets of the first-level cache. */
#define STAGE_LINE_STEP (STRIDED_PIECE * sizeof(float) + 64)

/*
 * The sequential order of floats in lines whose elements are apart in an operand, but nearer to
 * each other than lines are (lines_are_strided in panel_walk.h). Each line is a stretch of memory
 * to itself, and is read and written a piece at a time by way of a buffer: a panel of LANES32
 * contiguous lines, which `scan` scans in place, from `accumulators` on. A piece that the end of
 * the lines cuts short is scanned at full length too: the scan visits what is missing last, and its
 * outputs are not used. So are lanes without a line.
 */
KERNEL_INLINE void strided_block(size_t size, const panel_walk *w, walk_function *scan,
                                 unsigned char *stage, uint64_t line, unsigned lines) {
    float accumulators[LANES32] = {0};
    panel_walk piece = *w;
    piece.input = piece.output = stage;
    piece.in = piece.out = (operand){
        .line_step = STAGE_LINE_STEP, .element_step = (int64_t)size, .pattern = ACCESS_CONTIGUOUS};
    piece.lines = LANES32;
    piece.groups = 1;
    piece.length = STRIDED_PIECE;
    piece.stream = false;
    piece.carry = accumulators;
    for (uint64_t k = 0, count; k < w->length; k += count) {
        count = cumsum_least(w->length - k, STRIDED_PIECE);
        /* A reversed scan starts at the upper end of the buffer. */
        unsigned char *first = stage + (w->reversed ? (STRIDED_PIECE - count) * size : 0);
        for (unsigned l = 0; l < lines; l++)
            gather_elements(size, first + l * STAGE_LINE_STEP,
                            line_piece(w, line + l, k, count).input,
                            strided_run(w->in.element_step, (unsigned)count));
        scan(&piece);
        for (unsigned l = 0; l < lines; l++)
            scatter_elements(size, line_piece(w, line + l, k, count).output,
                             first + l * STAGE_LINE_STEP,
                             strided_run(w->out.element_step, (unsigned)count));
    }
}

/* The buffer is cleared once, so that lanes without a line have numbers. Not inlined, so that the
 * buffer takes stack only while it is used: a call has less than 32 KiB (cumsum.h). */
KERNEL_OUTLINE void strided_blocks(size_t size, const panel_walk *w, walk_function *scan) {
    unsigned char stage[LANES32 * STAGE_LINE_STEP];
    memset(stage, 0, sizeof stage);
    for (uint64_t line = 0; line < all_lines(w); line += LANES32) {
        strided_block(size, w, scan, stage, line,
                      (unsigned)cumsum_least(all_lines(w) - line, LANES32));
    }
}

#undef STAGE_LINE_STEP
#undef STRIDED_PIECE

/* The functions of a kind. */
#define SEQUENTIAL_BLOCKS(name, kind, width)                                                       \
    static void rest_of_##name(const panel_walk *w, uint64_t line, unsigned lines, uint64_t k,     \
                               uint64_t end, v##width *state) {                                    \
        scan_rest##width(actual_kind(kind, w->actual), LANES_SEQUENTIAL, *w, line, lines, k, end,  \
                         state);                                                                   \
    }                                                                                              \
    static void blocks_##name(const panel_walk *w) {                                               \
        v##width accumulators[512 / LANES##width];                                                 \
        scan_panel_blocks##width(actual_kind(kind, w->actual), LANES_SEQUENTIAL, w,                \
                                 rest_of_##name, accumulators);                                    \
    }
#define FLOAT_BLOCKS(name, kind)                                                                   \
    SEQUENTIAL_BLOCKS(name, kind, 32)                                                              \
    static void strided_##name(const panel_walk *w) {                                              \
        strided_blocks(kind_size(kind), w, blocks_##name);                                         \
    }                                                                                              \
    static void blocked_rest_of_##name(const panel_walk *w, uint64_t line, unsigned lines,         \
                                       uint64_t k, uint64_t end, v32 *state) {                     \
        scan_rest32(kind, LANES_BLOCKED, *w, line, lines, k, end, state);                          \
    }                                                                                              \
    static void blocked_blocks_##name(const panel_walk *w) {                                       \
        v32 states[COLUMN_MEMORY(256, 2)];                                                         \
        if (has_blocked_blocks(kind))                                                              \
            scan_panel_blocks32(kind, LANES_BLOCKED, w, blocked_rest_of_##name, states);           \
    }

FLOAT_KINDS(FLOAT_BLOCKS)
SEQUENTIAL_BLOCKS(i32, KIND_I32, 32)
SEQUENTIAL_BLOCKS(i64, KIND_I64, 64)

#define FLOAT_SCANS(name, kind) [kind] = {blocks_##name, strided_##name, blocked_blocks_##name},

BLOCK_SCANS_STATIC const block_scans BLOCK_SCANS[] = {[KIND_I32] = {blocks_i32, NULL, blocks_i32},
                                                      [KIND_I64] = {blocks_i64, NULL, blocks_i64},
                                                      FLOAT_KINDS(FLOAT_SCANS)};
