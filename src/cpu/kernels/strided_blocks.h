/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_STRIDED_BLOCKS_H
#define CUMSUM_CPU_STRIDED_BLOCKS_H

/*
 * The sequential order of floats in lines whose elements are apart in an operand, but nearer to
 * each other than lines are (lines_are_strided in panel_walk.h). Each line is a stretch of memory
 * to itself, and is read and written a piece at a time by way of a small buffer, in which its
 * elements are neighbours; LANES32 lines are scanned at once, a lane each.
 */

#include "lane_blocks.h"
#include "moves.h"

/* Elements of a line that are gathered before those of the next line: a multiple of every chunk,
 * and enough for hardware to recognize a stream. */
#define STRIDED_PIECE 256

/* Bytes between lines in the buffer: a cache line more than a piece, so that lines begin in
 * different sets of the first-level cache. */
#define STAGE_LINE_STEP (STRIDED_PIECE * sizeof(float) + 64)

typedef struct strided_stage {
    unsigned char lines[LANES32 * STAGE_LINE_STEP];
} strided_stage;

/* The buffer as a panel of LANES32 contiguous lines, which is scanned in place. A piece that the
 * end of the lines cuts short is scanned at full length too: the scan visits what is missing last,
 * and its outputs are not used. */
KERNEL_INLINE panel_walk staged_piece(size_t size, const panel_walk *w, strided_stage *stage) {
    const operand staged = {
        .line_step = STAGE_LINE_STEP, .element_step = (int64_t)size, .pattern = ACCESS_CONTIGUOUS};
    panel_walk piece = *w;
    piece.input = piece.output = stage->lines;
    piece.in = piece.out = staged;
    piece.lines = LANES32;
    piece.groups = 1;
    piece.length = STRIDED_PIECE;
    piece.stream = false;
    return piece;
}

/* Up to LANES32 lines from end to end, lanes being lines. Lanes without a line scan what the buffer
 * holds. A reversed scan has a short piece at the upper end of the buffer, where it starts. */
KERNEL_INLINE void strided_block(size_t size, const panel_walk *w,
                                 const block_functions32 *functions, strided_stage *stage,
                                 uint64_t line, unsigned lines) {
    const panel_walk piece = staged_piece(size, w, stage);
    v32 accumulator = zero32();
    for (uint64_t k = 0; k < w->length; k += STRIDED_PIECE) {
        const uint64_t remaining = w->length - k;
        const unsigned count = remaining < STRIDED_PIECE ? (unsigned)remaining : STRIDED_PIECE;
        const int64_t index = (int64_t)lowest32(*w, k, count);
        const size_t first = w->reversed ? (STRIDED_PIECE - count) * size : 0;
        for (unsigned l = 0; l < lines; l++) {
            const int64_t start = line_start(w, w->in, line + l) + index * w->in.element_step;
            gather_elements(size, stage->lines + l * STAGE_LINE_STEP + first, w->input + start,
                            strided_run(w->in.element_step, count));
        }
        functions->lines(&piece, 0, &accumulator);
        for (unsigned l = 0; l < lines; l++) {
            const int64_t start = line_start(w, w->out, line + l) + index * w->out.element_step;
            scatter_elements(size, w->output + start, stage->lines + l * STAGE_LINE_STEP + first,
                             strided_run(w->out.element_step, count));
        }
    }
}

/* The buffer is cleared once, so that lanes without a line have numbers. Not inlined, so that the
 * buffer takes stack only while it is used: a call has less than 32 KiB (cumsum.h). */
KERNEL_OUTLINE void strided_blocks(size_t size, const panel_walk *w,
                                   const block_functions32 *functions) {
    strided_stage stage;
    memset(&stage, 0, sizeof stage);
    for (uint64_t line = 0; line < all_lines(w); line += LANES32) {
        const uint64_t remaining = all_lines(w) - line;
        const unsigned lines = remaining < LANES32 ? (unsigned)remaining : LANES32;
        strided_block(size, w, functions, &stage, line, lines);
    }
}

#undef STAGE_LINE_STEP
#undef STRIDED_PIECE

#endif
