/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_FLOAT_LINE_H
#define CUMSUM_CPU_FLOAT_LINE_H

/*
 * A contiguous line of floats by itself: the blocked order, whose vectors run along the line
 * (line_scan.inl.h), and the sequential order, which allows vectors only where it cannot be told
 * from the blocked one.
 */

#include "blocked_levels.h"
#include "lane_kernels.h"

/* The blocked order, tile by tile. The levels above the tiles are touched only if the line has more
 * than one. */
KERNEL_INLINE void blocked_line(kernel_kind kind, const line32 line) {
    cumsum_level levels[CUMSUM_BLOCKED_LEVELS];
    line_carry32 c = {zero32(), zero32(), zero32()};
    if (line.length > LINE_TILE)
        memset(levels, 0, sizeof levels);
    for (uint64_t k = 0; k < line.length; k += LINE_TILE) {
        const uint64_t remaining = line.length - k;
        scan_line32(kind, line, k, remaining < LINE_TILE ? remaining : LINE_TILE, &c);
        if (remaining > LINE_TILE) {
            c.tiles = all_lanes_f32(
                push_line_total(kind, levels, 0, k / LINE_TILE, first_lane(c.blocks)));
            c.blocks = zero32();
        }
    }
}

/*
 * Whether every partial sum of the tile is exact, in any order. It is if all elements and the tally
 * are integers whose magnitudes add up to less than 2^24: then any sum of some of them is an
 * integer below 2^24 in magnitude, and binary32 holds all of those.
 *
 * The sum of the magnitudes is rounded itself, but only if it reaches 2^24, and rounding is
 * monotonic, so it cannot come out below 2^24 again. The sign of zero is safe too: the last
 * addition of each output has a tally as an operand that is never -0, so its sum is not -0 either.
 * Not for a binary16 tally, which is exact only up to 2^11.
 */
KERNEL_INLINE bool tile_is_exact(const v32 *tile, unsigned elements, float tally) {
    v32 magnitude = zero32();
    for (unsigned i = 0; i < (elements + LINE_BLOCK - 1) / LINE_BLOCK * LINE_BLOCK / LANES32; i++) {
        if (!whole_f32(tile[i]))
            return false;
        magnitude = add_f32(magnitude, abs_f32(tile[i]));
    }
    float lanes[LANES32], sum = tally < 0 ? -tally : tally;
    store32(lanes, magnitude);
    for (unsigned i = 0; i < LANES32; i++)
        sum += lanes[i];
    return sum < 0x1p24f && tally == (float)(int32_t)tally;
}

/* One addition after the other: outputs replace the elements; returns the new tally. */
KERNEL_INLINE float add_up(kernel_kind kind, float *x, unsigned elements, bool exclusive,
                           float tally) {
    for (unsigned i = 0; i < elements; i++) {
        const float next = add_scalars(kind, tally, x[i]);
        x[i] = exclusive ? tally : next;
        tally = next;
    }
    return tally;
}

KERNEL_INLINE unsigned elements_of_block(unsigned elements, unsigned first) {
    return elements - first < LINE_BLOCK ? elements - first : LINE_BLOCK;
}

KERNEL_INLINE void load_tile(kernel_kind kind, const line32 line, unsigned elements, v32 *tile) {
    for (unsigned i = 0; i < elements; i += LINE_BLOCK)
        load_line_block32(kind, line, i, elements_of_block(elements, i), tile + i / LANES32);
}

KERNEL_INLINE void store_tile(kernel_kind kind, const line32 line, unsigned elements,
                              const v32 *tile) {
    for (unsigned i = 0; i < elements; i += LINE_BLOCK)
        store_line_block32(kind, line, i, elements_of_block(elements, i), tile + i / LANES32);
}

/* The sequential order on a tile: by the network if that gives the same bits, otherwise one element
 * after the other. */
KERNEL_INLINE void sequential_tile(kernel_kind kind, const line32 line, float *tally) {
    union {
        v32 tile[LINE_TILE / LANES32];
        float x[LINE_TILE];
    } u;
    const unsigned elements = (unsigned)line.length;
    load_tile(kind, line, elements, u.tile);
    if (tile_is_exact(u.tile, elements, *tally)) {
        line_carry32 c = {all_lanes_f32(*tally), zero32(), all_lanes_f32(*tally)};
        scan_line32(kind, line, 0, elements, &c);
        *tally = first_lane(add_f32(c.tiles, c.blocks));
    } else {
        *tally = add_up(kind, u.x, elements, line.exclusive, *tally);
        store_tile(kind, line, elements, u.tile);
    }
}

#endif
