/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_SEGMENT_H
#define CUMSUM_CPU_SEGMENT_H

/*
 * A line cut into parts, so that several threads can work on it. What a part adds to the tally is
 * found without knowing what comes before it (total); that is then carried from part to part in the
 * order of the line, which is quick (advance); after which each part can be written by itself
 * (write). A part whose predecessors are all known is summed and written in one go (pass).
 *
 * What is carried is what the order of additions needs to go on, so the bits are those of the line
 * in one piece: docs/kernels.md.
 */

#include "wide_sum.h"

#include <stdint.h>

struct cumsum_panel;
struct cumsum_arithmetic;

#define CUMSUM_TILE UINT64_C(1024) /* elements: a part begins at a multiple */

/* Tiles of a part at most, where it is summed before it is written. */
#define CUMSUM_SEGMENT_TILES 128

/* The blocked order above its tiles: the totals of the tiles are a line of their own, whose tiles'
 * totals are another one, and so on. Three levels take 1024^4 elements. */
#define CUMSUM_BLOCKED_LEVELS 3

typedef struct cumsum_level {
    float block[16]; /* the elements of the current block so far, then +0 */
    float carry;     /* the sum of the blocks before it in its tile: c[b] */
    float before;    /* the tally of the tiles before that: C[t] */
    uint32_t elements;
    uint32_t blocks; /* finished ones of the current tile */
} cumsum_level;

/* All of a line before some element; all zero at its start. */
typedef union cumsum_carry {
    struct {
        float tiles;  /* C[t] of the next tile */
        float before; /* the last output, which an exclusive line repeats */
        cumsum_level levels[CUMSUM_BLOCKED_LEVELS];
    } blocked;
    uint64_t integer; /* the tally */
    cumsum_wide_sum exact;
} cumsum_carry;

/* Of a part: first what it adds, then what comes before it. */
typedef union cumsum_segment_sums {
    struct {
        float tiles[CUMSUM_SEGMENT_TILES]; /* the total of each whole tile, then C[t] of each */
        float before;                      /* the last output of the part before this one */
        float last[2]; /* of the last whole tile: c[63], and its block's total */
    } blocked;
    uint64_t integer;
    cumsum_wide_sum exact;
} cumsum_segment_sums;

/* `part` is a panel of one line; all but the last part of a line are whole tiles. */
typedef struct cumsum_segment_functions {
    /* The sums of a part of up to CUMSUM_SEGMENT_TILES tiles. */
    void (*total)(const struct cumsum_panel *part, const struct cumsum_arithmetic *arithmetic,
                  cumsum_segment_sums *sums);
    /* Moves the state over a part of so many elements; sums becomes what comes before it. */
    void (*advance)(uint64_t length, const struct cumsum_arithmetic *arithmetic,
                    cumsum_segment_sums *sums, cumsum_carry *state);
    /* Writes a part that this comes before; where state is not NULL, that which the state says
     * instead, and moves the state: then a part of any length, in one go. `next`, where it is not
     * NULL, is what this thread will read next: to be brought into its cache on the way. */
    void (*write)(const struct cumsum_panel *part, const struct cumsum_arithmetic *arithmetic,
                  const cumsum_segment_sums *before, cumsum_carry *state,
                  const struct cumsum_panel *next);
} cumsum_segment_functions;

#endif
