/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_REFERENCE_ORDERS_H
#define CUMSUM_CPU_REFERENCE_ORDERS_H

/*
 * The sequential and the blocked order of the reference, as docs/numerics.md defines them. The
 * names S, c[b], C[t] and v_b[i] are those of that document.
 *
 * The file that includes this one defines before: `real`, the type of accumulators, of which +0 is
 * all bits zero; and load, add and store, which say how elements are read, added and written.
 */

#include "reference.h"

#include <string.h>

/*
 * The sequential order: S(0) = +0, S(k+1) = fl(S(k) + x[k]). Output k is S(k+1), or S(k) for an
 * exclusive scan.
 */

REFERENCE_INLINE void sequential_lines(const cumsum_panel *panel, uint64_t lines,
                                       cumsum_arithmetic rules) {
    const cumsum_panel here = *panel; /* a copy, which no output can alias */
    real accumulator[REFERENCE_LINES] = {0};
    for (uint64_t k = 0; k < here.length; k++)
        for (uint64_t i = 0; i < lines; i++) {
            const real element = load(reference_input(&here, i, k), rules);
            const real before = accumulator[i];
            accumulator[i] = add(before, element, rules);
            store(reference_output(&here, i, k), rules.exclusive ? before : accumulator[i], rules);
        }
}

/*
 * The blocked order. A line is cut into blocks of 16 elements, and 64 blocks make a tile of 1024.
 * The totals of the tiles are a line of their own, one level up, scanned in the same order, and so
 * on.
 *
 * Invariant: a level needs no more memory than the block that it is in the middle of. Four levels
 * are enough: the fourth takes one value per 1024^3 elements, and no line is longer than 2^32.
 */

enum {
    BLOCK = 16,
    BLOCKS_PER_TILE = 64,
    LEVELS = 4,
    BLOCKED_LINES = REFERENCE_BLOCKED_BYTES / sizeof(real)
};

typedef struct level {
    real block[BLOCK]; /* the elements of the current block so far, then +0 */
    unsigned elements; /* in `block` */
    unsigned blocks;   /* finished blocks of the current tile: b */
    real carry;        /* c[b]: the sum of those blocks */
    real tiles_before; /* C[t]: the sum of the tiles before this one, from the level above */
} level;

/* One round of Sklansky's prefix network (J. Sklansky, "Conditional-sum addition logic", 1960): the
 * upper half of each 2s elements gets the last sum of the lower half added. */
REFERENCE_INLINE void scan_round(real v[BLOCK], unsigned s, cumsum_arithmetic rules) {
    for (unsigned i = 0; i < BLOCK; i++)
        if (i & s)
            v[i] = add(v[i], v[(i | (s - 1)) ^ s], rules);
}

/* v[i] becomes the sum of v[0..i], for all i, in four rounds. */
REFERENCE_INLINE void scan_block(real v[BLOCK], cumsum_arithmetic rules) {
    scan_round(v, 1, rules);
    scan_round(v, 2, rules);
    scan_round(v, 4, rules);
    scan_round(v, 8, rules);
}

static real sum_after(level *levels, unsigned depth, real element, cumsum_arithmetic rules);

/* Adds the total of a block: c[b+1] = fl(c[b] + total). After the last block of a tile the carry is
 * the tile's total, which is an element of the level above, and a new tile begins. */
REFERENCE_INLINE void finish_block(level *levels, unsigned depth, real total,
                                   cumsum_arithmetic rules) {
    level *here = &levels[depth];
    here->carry = add(here->carry, total, rules);
    if (++here->blocks < BLOCKS_PER_TILE)
        return;
    here->tiles_before = sum_after(levels, depth + 1, here->carry, rules);
    here->carry = 0;
    here->blocks = 0;
}

/* fl(C[t] + c[b]), the first half of S(i+1) = fl(fl(C[t] + c[b]) + v_b[i]). */
REFERENCE_INLINE real block_base(const level *here, cumsum_arithmetic rules) {
    return add(here->tiles_before, here->carry, rules);
}

/* Gives a level its next element. Returns its running sum, which includes that element. */
static real sum_after(level *levels, unsigned depth, real element, cumsum_arithmetic rules) {
    level *here = &levels[depth];
    const unsigned i = here->elements++;
    here->block[i] = element;
    real v[BLOCK];
    memcpy(v, here->block, sizeof v);
    scan_block(v, rules);
    const real sum = add(block_base(here, rules), v[i], rules);
    if (here->elements == BLOCK) {
        memset(here->block, 0, sizeof here->block);
        here->elements = 0;
        finish_block(levels, depth, v[BLOCK - 1], rules);
    }
    return sum;
}

/* The state of all lines of a call: 25 KiB on the stack. */
typedef struct lines_state {
    real v[BLOCKED_LINES][BLOCK]; /* the elements of its block, then their sums */
    real base[BLOCKED_LINES];     /* block_base of that block */
    real accumulator[BLOCKED_LINES];
    level levels[BLOCKED_LINES][LEVELS];
} lines_state;

/* Loads 16 elements of each line from element `first` on; past the end of the line, +0. */
REFERENCE_INLINE void load_blocks(lines_state *state, const cumsum_panel *panel, uint64_t first,
                                  cumsum_arithmetic rules) {
    for (unsigned k = 0; k < BLOCK; k++)
        for (uint64_t i = 0; i < panel->lines; i++)
            state->v[i][k] =
                k < panel->length - first ? load(reference_input(panel, i, first + k), rules) : 0;
}

/* Scans the block of each line, and moves the line's levels on. */
REFERENCE_INLINE void scan_blocks(lines_state *state, uint64_t lines, cumsum_arithmetic rules) {
    for (uint64_t i = 0; i < lines; i++) {
        scan_block(state->v[i], rules);
        state->base[i] = block_base(&state->levels[i][0], rules);
        finish_block(state->levels[i], 0, state->v[i][BLOCK - 1], rules);
    }
}

/* Stores the outputs of the blocks: S(i+1) = fl(base + v[i]). */
REFERENCE_INLINE void store_blocks(lines_state *state, const cumsum_panel *panel, uint64_t first,
                                   cumsum_arithmetic rules) {
    for (unsigned k = 0; k < BLOCK && k < panel->length - first; k++)
        for (uint64_t i = 0; i < panel->lines; i++) {
            const real before = state->accumulator[i];
            state->accumulator[i] = add(state->base[i], state->v[i][k], rules);
            store(reference_output(panel, i, first + k),
                  rules.exclusive ? before : state->accumulator[i], rules);
        }
}

/* On the lines themselves, the lowest level, a block is loaded and scanned once for all its
 * elements. That also works in place, since a block is read before any of it is written. */
REFERENCE_INLINE void blocked_lines(const cumsum_panel *panel, cumsum_arithmetic rules) {
    const cumsum_panel here = *panel; /* a copy, which no output can alias */
    lines_state state;
    memset(state.accumulator, 0,
           (size_t)here.lines * sizeof *state.accumulator); /* every +0 is all bits zero */
    memset(state.levels, 0, (size_t)here.lines * sizeof *state.levels);
    for (uint64_t first = 0; first < here.length; first += BLOCK) {
        load_blocks(&state, &here, first, rules);
        scan_blocks(&state, here.lines, rules);
        store_blocks(&state, &here, first, rules);
    }
}

#endif
