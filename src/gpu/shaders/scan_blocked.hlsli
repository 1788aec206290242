/* SPDX-License-Identifier: MIT */
/*
 * The blocked order (docs/numerics.md): a line consists of tiles of 64 blocks of 16 elements. The
 * totals of a line's tiles are a line of the next level, which is scanned in the same order.
 *
 * If a line has more than one tile, each tile has a record of three running sums in `work`:
 *
 *     0   the tile's total; the next level's scan replaces it by C[t], the sum of the tiles before
 *     1   the carry before the tile's last block
 *     2   the last sum of that block
 *
 * C[t] + [1] + [2], in this order, is the running sum after the tile. An exclusive scan stores it
 * as the first output of the next tile.
 */
#ifndef SCAN_BLOCKED
#define SCAN_BLOCKED

#include "scan_element.hlsli"

#define BLOCK           16
#define BLOCKS_PER_TILE 64
#define TILE            (BLOCK * BLOCKS_PER_TILE)
#define RECORD          3

/* Drops v[0] and appends `last`. Loops use it, since registers have no index. */
void rotate(inout accumulator v[BLOCK], accumulator last) {
    [unroll] for (uint i = 0; i + 1 < BLOCK; i++)
        v[i] = v[i + 1];
    v[BLOCK - 1] = last;
}

/* The network below for any numbers, in a short loop: element t adds the sums whose bits are set in
 * t, the shortest one first. */
void scan_slowly(inout accumulator v[BLOCK]) {
    accumulator sums[4] = {v[0], v[0], v[0], v[0]};
    [loop] for (uint t = 0; t < BLOCK; t++) {
        accumulator sum = v[0];
        [unroll] for (uint s = 0; s < 4; s++) {
            const uint below = (1u << s) - 1;
            if (t >> s & 1)
                sum = add(sum, sums[s]);
            else if ((t & below) == below)
                sums[s] = sum;
        }
        rotate(v, sum);
    }
}

/* v[i] becomes the sum of v[0..i], by Sklansky's network ("Conditional-Sum Addition Logic", 1960):
 * in round s every element whose bit s is set adds the last element of the half before it. */
void scan_block(inout accumulator v[BLOCK], bool coarse) {
    [branch] if (coarse) {
        [unroll] for (uint s = 1; s < BLOCK; s *= 2)
            [unroll] for (uint i = 0; i < BLOCK; i++)
                if (i & s)
                    v[i] = add_coarse(v[i], v[(i | (s - 1)) ^ s]);
    } else {
        scan_slowly(v);
    }
}

/* The same, with a look whether all are coarse. Returns that. */
bool scan_block(inout accumulator v[BLOCK]) {
    uint least = ALL_COARSE;
    [unroll] for (uint i = 0; i < BLOCK; i++)
        least = coarsest(least, v[i]);
    const bool coarse = is_coarse(least);
    scan_block(v, coarse);
    return coarse;
}

/* v becomes the block's outputs. `before` is the running sum before the block, and becomes the one
 * after it; `base` is the sum that the block's own sums are added to. */
void sum_block(accumulator base, inout accumulator before, inout accumulator v[BLOCK],
               bool coarse) {
    [branch] if (coarse && is_coarse(coarsest(ALL_COARSE, base))) {
        [unroll] for (uint i = 0; i < BLOCK; i++) {
            const accumulator sum = add_coarse(base, v[i]);
            v[i] = sum;
            if (has(FLAG_EXCLUSIVE))
                v[i] = before;
            before = sum;
        }
    } else {
        [loop] for (uint n = 0; n < BLOCK; n++) {
            const accumulator sum = add(base, v[0]);
            accumulator result = sum;
            if (has(FLAG_EXCLUSIVE))
                result = before;
            rotate(v, result);
            before = sum;
        }
    }
}

/* Adds the first `count` of v to the carry, one after the other. The additions are all there is
 * between them: what v is made of was loaded before. */
accumulator add_in_turn(accumulator carry, accumulator v[BLOCK], uint count) {
    uint least = coarsest(ALL_COARSE, carry);
    [unroll] for (uint i = 0; i < BLOCK; i++)
        least = coarsest(least, v[i]);
    [branch] if (is_coarse(least)) {
        [unroll] for (uint j = 0; j < BLOCK; j++) {
            const accumulator sum = add_coarse(carry, v[j]);
            if (j < count)
                carry = sum;
        }
    } else {
        [loop] for (uint n = 0; n < count; n++) {
            carry = add(carry, v[0]);
            rotate(v, carry);
        }
    }
    return carry;
}

uint record_place(uint line_number, uint tile) {
    return record_base + (line_number * tiles_per_line + tile) * RECORD;
}

void store_record(uint line_number, uint tile, accumulator carry, accumulator last) {
    const uint place = record_place(line_number, tile);
    store_work(place, add(carry, last));
    store_work(place + 1, carry);
    store_work(place + 2, last);
}

/* C[t]: the sum of the line's tiles before this one. */
accumulator tiles_before(uint line_number, uint tile) {
    accumulator sum = zero_sum();
    [branch] if (tiles_per_line > 1)
        sum = load_work(record_place(line_number, tile));
    return sum;
}

/* The running sum before the tile: the last inclusive sum of the tile before it, with the same
 * bits. */
accumulator sum_before(uint line_number, uint tile) {
    accumulator sum = zero_sum();
    [branch] if (tile > 0) {
        const uint place = record_place(line_number, tile - 1);
        sum = add(add(load_work(place), load_work(place + 1)), load_work(place + 2));
    }
    return sum;
}

#endif
