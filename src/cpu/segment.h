/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_SEGMENT_H
#define CUMSUM_CPU_SEGMENT_H

/*
 * Segments of a line: what lets several threads work on one line (chained_scan.c).
 *
 * Each kernel table offers two functions for an order of additions. `reduce` computes the sums of a
 * segment without knowing what precedes it; it reads the whole segment and is most of the work that
 * threads do side by side. `write` computes the outputs of a segment, either from sums that were
 * advanced or directly from the carry. In between, cumsum_segment_advance moves the carry over a
 * segment, given its sums; it is quick, because it must run in the order of the line, one segment
 * after the other.
 *
 * Invariant: the carry holds everything that the order of additions needs to continue a line from
 * some element, so the outputs have the same bits however a line is cut. docs/kernels.md has the
 * proof for each order.
 */

#include "wide_sum.h"

#include <stdbool.h>
#include <stdint.h>

struct cumsum_panel;
struct cumsum_arithmetic;

/* Elements of a block and of a tile of the blocked order (docs/numerics.md). A segment begins at a
 * tile. */
#define CUMSUM_BLOCK UINT64_C(16)
#define CUMSUM_TILE  UINT64_C(1024)

/* Maximum length of a segment that is reduced before it is written, in tiles: a segment's sums hold
 * a number for each. */
#define CUMSUM_SEGMENT_TILES 128

/* Levels of the blocked order above the tiles. The totals of the tiles are scanned like a line of
 * their own, its tiles' totals are scanned one level higher, and so on. Three levels take 1024^4
 * elements, more than any line has. */
#define CUMSUM_BLOCKED_LEVELS 3

static inline uint64_t cumsum_least(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

/* How many of these levels a line of this length has: 0 if it has one tile. */
static inline unsigned cumsum_blocked_depth(uint64_t length) {
    unsigned depth = 0;
    for (; length > CUMSUM_TILE; length = (length + CUMSUM_TILE - 1) / CUMSUM_TILE)
        depth++;
    return depth;
}

/* Scratch memory of a panel (scratch.h): the lines of binary32 sums for which it has a level. */
#define CUMSUM_SCRATCH_LINES 1024
#define CUMSUM_SCRATCH_LEVEL (sizeof(float) * 6 * CUMSUM_SCRATCH_LINES)

/* The same for lines side by side in the exact order (kernels/exact_scan.h). */
#define CUMSUM_SCRATCH_EXACT (UINT64_C(88) << 10)

/* One of these levels, in the middle of a tile; all zero at the start of a line. The names c[b] and
 * C[t] are those of docs/numerics.md. */
typedef struct cumsum_level {
    float halves[4];    /* the last element of the lower half in stages 1, 2, 4, 8 of the network */
    float carry;        /* c[b]: the sum of the finished blocks of the current tile */
    float tiles_before; /* C[t]: the running sum before the current tile */
} cumsum_level;

/* What precedes an element of a line in the blocked order. */
typedef struct cumsum_blocked_carry {
    cumsum_level tile;                          /* the tile that is open, as a level of its own */
    cumsum_level levels[CUMSUM_BLOCKED_LEVELS]; /* above the tiles; not of a total */
    uint64_t position;                          /* elements before */
    float before;  /* the last output, which an exclusive scan repeats first; not of a total */
    float last[2]; /* of a total: c[b] and v_b[i] of the last element (carry.c) */
} cumsum_blocked_carry;

/* The carry: what precedes an element of a line, as the carry-in of one segment and the carry-out
 * of the segment before, or of a piece. All zero at the start of a line. Functions take a pointer
 * to the member of the order and type. */
typedef union cumsum_line_carry {
    uint32_t integer32; /* the running sum */
    uint64_t integer64;
    float accumulator; /* of the sequential order, which has no segments */
    cumsum_blocked_carry blocked;
    cumsum_wide_sum exact;
} cumsum_line_carry;

/* The sums of one segment. `reduce` fills in what the segment adds; cumsum_segment_advance replaces
 * that by what precedes it, which is all that `write` needs. */
typedef union cumsum_segment_sums {
    struct {
        float tiles[CUMSUM_SEGMENT_TILES]; /* of each whole tile: its total, then C[t] */
        float before;                      /* the last output of the segment before this one */
        float last[2]; /* of the last whole tile: c[63], and the total of its block 63 */
    } blocked;
    uint64_t integer;
    cumsum_wide_sum exact;
} cumsum_segment_sums;

/* `segment` is a panel of one line. Every segment but the last of a line is whole tiles long. */
typedef struct cumsum_segment_functions {
    /* Computes the sums of a segment of up to CUMSUM_SEGMENT_TILES tiles. */
    void (*reduce)(const struct cumsum_panel *segment, const struct cumsum_arithmetic *arithmetic,
                   cumsum_segment_sums *sums);
    /* Writes the outputs of a segment. With a carry (not NULL), starts from it and moves it on;
     * `before` is not used then, and the segment may have any length, but in the blocked order
     * begins at a block and, unless the line ends there, ends at one. Without a carry, starts from
     * the advanced sums `before`. `next` (may be NULL) is the segment that this thread writes next,
     * to be prefetched meanwhile. */
    void (*write)(const struct cumsum_panel *segment, const struct cumsum_arithmetic *arithmetic,
                  const cumsum_segment_sums *before, void *carry, const struct cumsum_panel *next);
} cumsum_segment_functions;

/* Moves the carry over a segment of so many elements, and replaces the segment's sums by what
 * precedes it. The same for all instruction sets. */
void cumsum_segment_advance(const struct cumsum_arithmetic *arithmetic, uint64_t elements,
                            cumsum_segment_sums *sums, void *carry);

#endif
