/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_FLOAT_LINE_H
#define CUMSUM_CPU_FLOAT_LINE_H

/* A line of floats with neighbouring elements: the blocked order, and the sequential one. */

/* One of the CUMSUM_BLOCKED_LEVELS levels above the tiles. Written on vectors, so that it serves
 * one line (all lanes alike) and LANES32 lines. */
typedef struct level {
    v32 halves[4];     /* the last element of the lower half in stages 1, 2, 4, 8 of the network */
    v32 carry;         /* the sum of the finished blocks of the current tile */
    v32 tiles_before;  /* from the level above */
    unsigned elements; /* of the current tile */
} level;

static inline void clear_level(level *l) {
    l->carry = l->tiles_before = zero32();
    l->elements = 0;
}

/* Sklansky's network over 16 vectors. */
KERNEL_INLINE void scan_vectors(element_kind kind, v32 v[LINE_BLOCK]) {
    UNROLL
    for (unsigned s = 1; s < LINE_BLOCK; s *= 2)
        UNROLL
    for (unsigned i = 0; i < LINE_BLOCK; i++)
        if (i & s)
            v[i] = add_elements32(kind, v[i], v[(i | (s - 1)) ^ s]);
}

/* Sklansky's network on element number i of a block, after those before it: where i has the bit of
 * a stage it receives the last element of the lower half, which is one of those. */
KERNEL_INLINE v32 scan_next(element_kind kind, v32 halves[4], unsigned i, v32 x) {
    for (unsigned stage = 0; stage < 4; stage++) {
        const unsigned bit = 1u << stage;
        if (i & bit)
            x = add_elements32(kind, x, halves[stage]);
        else if ((i & (bit - 1)) == bit - 1)
            halves[stage] = x;
    }
    return x;
}

/* Gives a level its next element and answers the tally with it included. */
static inline v32 push_level(element_kind kind, level *levels, unsigned depth, v32 element) {
    level *here = &levels[depth];
    const unsigned i = here->elements++ % LINE_BLOCK;
    const v32 base = add_elements32(kind, here->tiles_before, here->carry);
    const v32 scanned = scan_next(kind, here->halves, i, element);
    if (i == LINE_BLOCK - 1)
        here->carry = add_elements32(kind, here->carry, scanned);
    if (here->elements == LINE_TILE && depth + 1 < CUMSUM_BLOCKED_LEVELS) {
        here->tiles_before = push_level(kind, levels, depth + 1, here->carry);
        here->carry = zero32();
        here->elements = 0;
    }
    return add_elements32(kind, base, scanned);
}

static inline unsigned tile_length(const line32 line, uint64_t k) {
    const uint64_t rest = line.length - k;
    return rest < LINE_TILE ? (unsigned)rest : LINE_TILE;
}

KERNEL_INLINE void blocked_line(element_kind kind, const line32 line) {
    cumsum_level levels[CUMSUM_BLOCKED_LEVELS];
    carry32 c = {zero32(), zero32(), zero32()};
    if (line.length > LINE_TILE)
        memset(levels, 0, sizeof levels);
    for (uint64_t k = 0; k < line.length; k += LINE_TILE) {
        runs32(kind, line, k, tile_length(line, k), &c);
        if (line.length - k > LINE_TILE) {
            c.tiles = all_lanes_f32(push_total(kind, levels, 0, first_lane(c.blocks)));
            c.blocks = zero32();
        }
    }
}

/*
 * Is every partial sum of the tile exact, in any order? The values are integers, and their
 * magnitudes with the tally's add up to less than 2^24: then so does every sum of some of them, and
 * binary32 holds all integers up to there. (The sum of the magnitudes is itself rounded, but only
 * from 2^24 on, and rounding cannot bring it back below.) The sign of zero is safe too: the last
 * addition of each output is to a tally that is never -0. A binary16 tally is another matter.
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

static inline float float_flush(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    if (!(bits & 0x7F800000u))
        bits &= 0x80000000u;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* One addition after the other. */
KERNEL_INLINE float add_up(element_kind kind, float *x, unsigned elements, bool exclusive,
                           float tally) {
    for (unsigned i = 0; i < elements; i++) {
        float next = tally + x[i];
        if (kind == KIND_F32_FLUSH)
            next = float_flush(next);
        x[i] = exclusive ? tally : next;
        tally = next;
    }
    return tally;
}

KERNEL_INLINE void load_tile(element_kind kind, const line32 line, unsigned elements, v32 *tile) {
    for (unsigned i = 0; i < elements; i += LINE_BLOCK) {
        const unsigned count = elements - i < LINE_BLOCK ? elements - i : LINE_BLOCK;
        load_run32(kind, line, i, count, tile + i / LANES32);
    }
}

KERNEL_INLINE void store_tile(element_kind kind, const line32 line, unsigned elements,
                              const v32 *tile) {
    for (unsigned i = 0; i < elements; i += LINE_BLOCK) {
        const unsigned count = elements - i < LINE_BLOCK ? elements - i : LINE_BLOCK;
        store_run32(kind, line, i, count, tile + i / LANES32);
    }
}

/* The sequential order on a tile: by the network where that cannot be told from it, else one
 * element after the other. */
KERNEL_INLINE void sequential_tile(element_kind kind, const line32 line, float *tally) {
    union {
        v32 tile[LINE_TILE / LANES32];
        float x[LINE_TILE];
    } u;
    const unsigned elements = (unsigned)line.length;
    load_tile(kind, line, elements, u.tile);
    if (tile_is_exact(u.tile, elements, *tally)) {
        carry32 c = {all_lanes_f32(*tally), zero32(), all_lanes_f32(*tally)};
        runs32(kind, line, 0, elements, &c);
        *tally = first_lane(add_f32(c.tiles, c.blocks));
    } else {
        *tally = add_up(kind, u.x, elements, line.exclusive, *tally);
        store_tile(kind, line, elements, u.tile);
    }
}

#endif
