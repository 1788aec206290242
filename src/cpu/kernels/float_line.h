/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_FLOAT_LINE_H
#define CUMSUM_CPU_FLOAT_LINE_H

/*
 * A contiguous line of floats by itself: the blocked order, whose vectors run along the line
 * (line_scan.inl.h), and the sequential order, which allows vectors where the sum stays in one
 * binade (binade_scan.h) and where no order rounds.
 */

#include "binade_scan.h"
#include "blocked_levels.h"
#include "lane_kernels.h"

/* Elements for which it pays to ask whether their sums are exact, and elements in one binade after
 * which the next one is tried soon. */
#define EXACT_ELEMENTS 64
#define LONG_STRETCH   256

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

/* What is left of each magnitude when it is rounded by adding `power`, as a magnitude. */
KERNEL_INLINE v32 rest_of_multiple(v32 v, v32 power) {
    const v32 magnitude = abs_f32(v);
    return abs_f32(sub_f32(sub_f32(add_f32(magnitude, power), power), magnitude));
}

/*
 * Whether every partial sum of a tally and some elements is exact, in any order. It is if all of
 * them are multiples of a power of two, 2^k, and their magnitudes add up to less than 2^(k + 24):
 * then any sum of some of them is such a multiple too, below 2^(k + 24) in magnitude, and binary32
 * holds all of those. The smallest k that the sum of the magnitudes, A, allows is the best one.
 *
 * A is rounded itself, but only if it reaches 2^(k + 24), and rounding is monotonic, so it cannot
 * come out below that again. With this k, 2^(k + 23) is the largest power of two up to A. Adding
 * that to a magnitude rounds it to a multiple of 2^k, or of 2^(k + 1) if it is as large itself,
 * which may say no where the answer is yes.
 *
 * The sign of zero is safe too: the last addition of each output has a tally as an operand that is
 * never -0, so its sum is not -0 either. k is at least -126, so nothing is subnormal. Not for a
 * binary16 tally, which has 13 bits less.
 */
KERNEL_INLINE bool sums_are_exact(const float *x, unsigned elements, float tally) {
    v32 even = zero32(), odd = zero32(); /* two chains of additions take half the time of one */
    for (unsigned i = 0; i < elements; i += 2 * LANES32) {
        even = add_f32(even, abs_f32(load32(x + i)));
        if (i + LANES32 < elements)
            odd = add_f32(odd, abs_f32(load32(x + i + LANES32)));
    }
    float lanes[LANES32], sum = tally < 0 ? -tally : tally;
    store32(lanes, add_f32(even, odd));
    for (unsigned i = 0; i < LANES32; i++)
        sum += lanes[i];
    const uint32_t exponent = float_bits(sum) >> 23;
    if (exponent < 24 || exponent > 254)
        return sum == 0;
    const v32 power = all_lanes_u32(exponent << 23); /* 2^(k + 23) */
    even = rest_of_multiple(all_lanes_f32(tally), power);
    odd = zero32();
    for (unsigned i = 0; i < elements; i += 2 * LANES32) {
        even = add_f32(even, rest_of_multiple(load32(x + i), power));
        if (i + LANES32 < elements)
            odd = add_f32(odd, rest_of_multiple(load32(x + i + LANES32), power));
    }
    return !lanes_from_u32(add_f32(even, odd), 1);
}

/* The same of a tile, whose last block is filled up with zeros. The first block alone tells of most
 * tiles that they are not. */
KERNEL_INLINE bool tile_is_exact(const float *x, unsigned elements, float tally) {
    return sums_are_exact(x, LINE_BLOCK, tally) && sums_are_exact(x, elements, tally);
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

/* A tile as floats. Vectors are loaded and stored as bytes, which may alias them. */
typedef union float_tile {
    v32 aligned;
    float x[LINE_TILE];
} float_tile;

KERNEL_INLINE void load_tile(kernel_kind kind, const line32 line, uint64_t k, unsigned elements,
                             float_tile *tile) {
    for (unsigned i = 0; i < elements; i += LINE_BLOCK) {
        v32 v[LINE_BLOCK / LANES32];
        load_line_block32(kind, line, k + i, elements_of_block(elements, i), v);
        UNROLL
        for (size_t j = 0; j < LINE_BLOCK / LANES32; j++)
            store32(tile->x + i + j * LANES32, v[j]);
    }
}

KERNEL_INLINE void store_tile(kernel_kind kind, const line32 line, uint64_t k, unsigned elements,
                              const float_tile *tile) {
    for (unsigned i = 0; i < elements; i += LINE_BLOCK) {
        v32 v[LINE_BLOCK / LANES32];
        UNROLL
        for (size_t j = 0; j < LINE_BLOCK / LANES32; j++)
            v[j] = load32(tile->x + i + j * LANES32);
        store_line_block32(kind, line, k + i, elements_of_block(elements, i), v);
    }
}

/* `elements` from position k on, at most a tile: by the network if that gives the same bits,
 * otherwise one element after the other. Returns whether it was the network. */
KERNEL_INLINE bool sequential_tile(kernel_kind kind, const line32 line, uint64_t k,
                                   unsigned elements, float *tally) {
    float_tile tile;
    load_tile(kind, line, k, elements, &tile);
    if (elements >= EXACT_ELEMENTS && kind != KIND_F16_NARROW &&
        tile_is_exact(tile.x, elements, *tally)) {
        line_carry32 c = {all_lanes_f32(*tally), zero32(), all_lanes_f32(*tally)};
        scan_line32(kind, line, k, elements, &c);
        *tally = first_lane(add_f32(c.tiles, c.blocks));
        return true;
    }
    *tally = add_up(kind, tile.x, elements, line.exclusive, *tally);
    store_tile(kind, line, k, elements, &tile);
    return false;
}

/* Where a line in the sequential order has got to. */
typedef struct sequential_state {
    float tally;
    unsigned pause; /* elements to add up another way when the sum next leaves its binade */
    bool exact;     /* these were exact the last time */
} sequential_state;

#define SEQUENTIAL_START ((sequential_state){0, LINE_BLOCK, false})

/*
 * Scans `line` in the sequential order. While the sums stay in the binade of the tally, they are
 * scanned as integers. When they leave it, the next `pause` elements are summed by sequential_tile.
 * The pause doubles each time, up to a tile, and is a block again after a long stretch in one
 * binade. So data that leaves its binade again and again costs little more than one addition after
 * the other.
 */
KERNEL_INLINE void sequential_elements(kernel_kind kind, const line32 line,
                                       sequential_state *state) {
    uint64_t k = 0;
    while (k < line.length) {
        const uint64_t start = k;
        if (!state->exact)
            k = scan_in_binade(kind, line, k, &state->tally);
        if (k - start >= LONG_STRETCH)
            state->pause = LINE_BLOCK;
        const uint64_t remaining = line.length - k;
        const unsigned elements = remaining < state->pause ? (unsigned)remaining : state->pause;
        if (elements)
            state->exact = sequential_tile(kind, line, k, elements, &state->tally);
        if (state->pause < LINE_TILE)
            state->pause *= 2;
        k += elements;
    }
}

#endif
