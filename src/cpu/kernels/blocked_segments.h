/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_BLOCKED_SEGMENTS_H
#define CUMSUM_CPU_BLOCKED_SEGMENTS_H

/*
 * The blocked order on segments of a line (segment.h), for threads inside of a line, for strided
 * lines and for pieces. A segment begins at a tile. What the bits of an output depend on is C[t] of
 * its tile, the elements of the tile and, in an exclusive scan, the last output before the segment;
 * so threads that reduce segments in any order give the bits of one thread (docs/kernels.md).
 */

#include "lane_kernels.h"
#include "line_levels.h"

#define TILE_BLOCKS (LINE_TILE / LINE_BLOCK)

/*
 * The totals of 16 blocks from position k on. The network makes a block's total, element 15, by
 * adding pairs, pairs of pairs and so on; the rest of the network does not matter for it. 16 blocks
 * are reduced at once: each round adds the even lanes of two vectors to their odd ones, which
 * leaves the totals in order.
 */
KERNEL_INLINE void block_totals(kernel_kind kind, const line32 line, unsigned k,
                                float totals[LINE_BLOCK]) {
    v32 v[LINE_BLOCK * LINE_BLOCK / LANES32];
    UNROLL
    for (size_t b = 0; b < LINE_BLOCK; b++)
        load_line_block32(kind, line, k + b * LINE_BLOCK, LINE_BLOCK, v + b * LINE_BLOCK / LANES32);
    UNROLL
    for (unsigned n = LINE_BLOCK * LINE_BLOCK / LANES32; n > LINE_BLOCK / LANES32; n /= 2) {
        UNROLL
        for (size_t i = 0; i < n / 2; i++)
            v[i] = add_elements32(kind, odds32(v[2 * i], v[2 * i + 1]),
                                  evens32(v[2 * i], v[2 * i + 1]));
    }
    UNROLL
    for (size_t i = 0; i < LINE_BLOCK / LANES32; i++)
        store32(totals + i * LANES32, v[i]);
}

/* LANES32 tiles that are reduced together, a lane each. */
typedef struct tile_totals {
    float blocks[LANES32][TILE_BLOCKS]; /* the total of each block */
    v32 carry;                          /* c[64]: the total of the tile */
    v32 last_carry;                     /* c[63] */
    v32 last_block;                     /* the total of the last block, so that c[64] = fl(both) */
} tile_totals;

/* Runs the carries of all tiles over their blocks, which is one addition after the other; lanes
 * hide its latency. */
KERNEL_INLINE void add_blocks(kernel_kind kind, tile_totals *t) {
    t->carry = zero32();
    for (unsigned b = 0; b < TILE_BLOCKS; b += LANES32) {
        v32 v[LANES32];
        for (unsigned l = 0; l < LANES32; l++)
            v[l] = load32(t->blocks[l] + b);
        transpose32(v);
        for (unsigned i = 0; i < LANES32; i++) {
            t->last_carry = t->carry;
            t->carry = add_elements32(kind, t->carry, v[i]);
        }
        t->last_block = v[LANES32 - 1];
    }
}

/* The `reduce` of cumsum_segment_functions: of the whole tiles. Elements behind them are the end of
 * the line, and no later tile depends on them. */
KERNEL_INLINE void blocked_reduce(kernel_kind kind, const panel_walk *w,
                                  cumsum_segment_sums *sums) {
    const unsigned tiles = (unsigned)(w->length / LINE_TILE);
    for (unsigned first = 0; first < tiles; first += LANES32) {
        const unsigned count = (unsigned)cumsum_least(tiles - first, LANES32);
        float lanes[3][LANES32];
        tile_totals t;
        if (count < LANES32)
            memset(t.blocks, 0, sizeof t.blocks);
        for (unsigned l = 0; l < count; l++) {
            tile_copy32 copy;
            const uint64_t k = (uint64_t)(first + l) * LINE_TILE;
            const line32 line = tile_input32(kind, w, k, LINE_TILE, &copy);
            for (unsigned b = 0; b < TILE_BLOCKS; b += LINE_BLOCK)
                block_totals(kind, line, b * LINE_BLOCK, t.blocks[l] + b);
        }
        add_blocks(kind, &t);
        store32(lanes[0], t.carry);
        store32(lanes[1], t.last_carry);
        store32(lanes[2], t.last_block);
        memcpy(sums->blocked.tiles + first, lanes[0], count * sizeof(float));
        sums->blocked.last[0] = lanes[1][count - 1];
        sums->blocked.last[1] = lanes[2][count - 1];
    }
}

/* Moves a carry over `count` elements of its tile, behind which c[b] is `blocks`. */
KERNEL_INLINE void leave_blocks(kernel_kind kind, cumsum_blocked_carry *carry, unsigned count,
                                float blocks) {
    carry->position += count;
    carry->tile.carry = blocks;
    if (carry->position % LINE_TILE == 0)
        leave_tile(kind, carry);
}

/* The `write` of cumsum_segment_functions. With a carry, the segment is reduced and written in one
 * pass and the carry moves on; without one, `before` has what cumsum_segment_advance left. */
KERNEL_INLINE void blocked_write(kernel_kind kind, const panel_walk *w,
                                 const cumsum_segment_sums *before, void *line_carry,
                                 const prefetch_range next) {
    cumsum_blocked_carry *carry = line_carry;
    line_carry32 c = {zero32(), zero32(),
                      all_lanes_f32(carry ? carry->before : before->blocked.before)};
    for (uint64_t k = 0, count; k < w->length; k += count) {
        const uint64_t tile = LINE_TILE - (carry ? carry->position % LINE_TILE : 0);
        tile_copy32 copy;
        count = cumsum_least(w->length - k, tile);
        c.tiles =
            all_lanes_f32(carry ? carry->tile.tiles_before : before->blocked.tiles[k / LINE_TILE]);
        c.blocks = all_lanes_f32(carry ? carry->tile.carry : 0);
        scan_tile32(kind, tile_of32(kind, w, k, (unsigned)count, &copy), next, k, &c);
        tile_done32(kind, w, k, (unsigned)count, &copy);
        if (carry)
            leave_blocks(kind, carry, (unsigned)count, first_lane(c.blocks));
    }
    if (carry)
        carry->before = first_lane(last32(c.previous));
}

#undef TILE_BLOCKS

#endif
