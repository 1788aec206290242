/* SPDX-License-Identifier: MIT */
/*
 * The blocked order. A line is blocks of 16 elements, 64 blocks make a tile of 1024; the totals of
 * the tiles are a line of their own, one level up, scanned in the same order, and so on. A level
 * needs no more memory than the block that it is in the middle of, and four levels are enough: the
 * fourth takes one value per 1024^3 elements, and no line is longer than 2^32.
 */
#include "reference_float.h"

enum {
    BLOCK = 16,
    BLOCKS_PER_TILE = 64,
    LEVELS = 4
};

typedef struct level {
    float block[BLOCK]; /* the elements of the current block so far, then +0 */
    unsigned elements;  /* how many */
    unsigned blocks;    /* finished blocks of the current tile: b */
    float carry;        /* c[b]: the sum of those blocks */
    float tiles_before; /* C[t]: the tally of the tiles before this one, from the level above */
} level;

/* Sklansky's network: v[i] becomes the sum of v[0..i], for all i at once, in four rounds. */
static void scan_block(float v[BLOCK], const cumsum_arithmetic *arithmetic) {
    for (unsigned s = 1; s < BLOCK; s *= 2)
        for (unsigned i = 0; i < BLOCK; i++)
            if (i & s)
                v[i] = reference_add(v[i], v[(i | (s - 1)) ^ s], arithmetic);
}

static float tally_after(level *levels, unsigned depth, float element,
                         const cumsum_arithmetic *arithmetic);

/* c[b+1] = fl(c[b] + total). After the last block of a tile the carry is the tile's total, which is
 * an element of the level above, and a new tile begins. */
static void finish_block(level *levels, unsigned depth, float total,
                         const cumsum_arithmetic *arithmetic) {
    level *here = &levels[depth];
    here->carry = reference_add(here->carry, total, arithmetic);
    if (++here->blocks < BLOCKS_PER_TILE)
        return;
    here->tiles_before = tally_after(levels, depth + 1, here->carry, arithmetic);
    here->carry = 0.0f;
    here->blocks = 0;
}

/* fl(C[t] + c[b]), the first half of S(i+1) = fl(fl(C[t] + c[b]) + v_b[i]). */
static float block_base(const level *here, const cumsum_arithmetic *arithmetic) {
    return reference_add(here->tiles_before, here->carry, arithmetic);
}

/* Gives a level its next element and answers its tally with that element included. */
static float tally_after(level *levels, unsigned depth, float element,
                         const cumsum_arithmetic *arithmetic) {
    level *here = &levels[depth];
    const unsigned i = here->elements++;
    here->block[i] = element;
    float v[BLOCK];
    memcpy(v, here->block, sizeof v);
    scan_block(v, arithmetic);
    const float tally = reference_add(block_base(here, arithmetic), v[i], arithmetic);
    if (here->elements == BLOCK) {
        memset(here->block, 0, sizeof here->block);
        here->elements = 0;
        finish_block(levels, depth, v[BLOCK - 1], arithmetic);
    }
    return tally;
}

/* The elements first, first + 1, ... of the line, as far as there are any; +0 for the others. */
static void load_block(const reference_line *line, uint64_t first, unsigned count, float v[BLOCK],
                       const cumsum_arithmetic *arithmetic) {
    for (unsigned i = 0; i < BLOCK; i++)
        v[i] = i < count ? reference_load(line->input + (int64_t)(first + i) * line->input_step,
                                          arithmetic)
                         : 0.0f;
}

/* On the line itself a block is loaded and scanned once, for all of its elements. In place too: it
 * is read before any of it is written. */
void cumsum_reference_blocked_line(const reference_line *line,
                                   const cumsum_arithmetic *arithmetic) {
    level levels[LEVELS];
    memset(levels, 0, sizeof levels); /* every +0 is all bits zero */
    float tally = 0.0f;
    for (uint64_t first = 0; first < line->length; first += BLOCK) {
        const uint64_t rest = line->length - first;
        const unsigned count = rest < BLOCK ? (unsigned)rest : BLOCK;
        float v[BLOCK];
        load_block(line, first, count, v, arithmetic);
        scan_block(v, arithmetic);
        const float base = block_base(&levels[0], arithmetic);
        for (unsigned i = 0; i < count; i++) {
            const float before = tally;
            tally = reference_add(base, v[i], arithmetic);
            reference_store(line->output + (int64_t)(first + i) * line->output_step,
                            arithmetic->exclusive ? before : tally, arithmetic);
        }
        finish_block(levels, 0, v[BLOCK - 1], arithmetic);
    }
}
