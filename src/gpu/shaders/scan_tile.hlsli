/* SPDX-License-Identifier: MIT */
/*
 * Tiles of the blocked order on the stage: each thread of a group takes a block of 16 elements, or
 * two threads do where a group has 128 for a tile.
 */
#ifndef SCAN_TILE
#define SCAN_TILE

#include "scan_blocked.hlsli"
#include "scan_stage.hlsli"

groupshared accumulator block_total[ROWS];
groupshared accumulator block_carry[ROWS]; /* the sum of the line's blocks before this one */

#define PARTS (GROUP_THREADS / ROWS) /* threads of a block */
#define PART  (BLOCK / PARTS)        /* elements of a thread */

#if PARTS > 1
groupshared accumulator part_total[GROUP_THREADS];

/* The last round of the network: a block's upper half adds the last element of the lower one. */
void join_parts(uint thread, inout accumulator v[BLOCK]) {
    part_total[thread] = v[PART - 1];
    GroupMemoryBarrierWithGroupSync();
    [branch] if (thread % PARTS > 0)
        [unroll] for (uint i = 0; i < PART; i++)
            v[i] = add(v[i], part_total[thread - 1]);
}
#endif

/* The value that the thread `distance` before has, of 32 threads; of the first ones their own. */
#ifndef FROM_BELOW
#define FROM_BELOW(thread, value, distance) from_below(thread, value, distance)
#ifdef SCANS_TOTALS
groupshared accumulator lanes[GROUP_THREADS];
accumulator from_below(uint thread, accumulator value, uint distance) {
    lanes[thread] = value;
    GroupMemoryBarrierWithGroupSync();
    const accumulator found = lanes[thread - (thread % 32 < distance ? 0 : distance)];
    GroupMemoryBarrierWithGroupSync();
    return found;
}
#endif
#endif

/* Loads the tile that begins with element `start` of the group's lines. The thread's block, after
 * the network, is in v. A barrier must follow, and enter_lines with one must come before. Returns
 * whether all elements of the group are coarse. */
bool take_tile(uint thread, uint start, out accumulator v[BLOCK]) {
    [branch] if (has(FLAG_IN_PLACE))
        fill_stage(output_buffer, true, thread, start);
    else
        fill_stage(input_buffer, false, thread, start);
    GroupMemoryBarrierWithGroupSync();
    const bool coarse = stage_is_coarse();
    const uint cell = thread / PARTS * STRIDE + thread % PARTS * PART;
    [unroll] for (uint i = 0; i < PART; i++)
        v[i] = stage[cell + i];
#if PARTS > 1
    [unroll] for (uint rest = PART; rest < BLOCK; rest++)
        v[rest] = zero_sum();
#endif
    scan_block(v, coarse);
#if PARTS > 1
    join_parts(thread, v);
#endif
    [branch] if (thread % PARTS == PARTS - 1)
        block_total[thread / PARTS] = v[PART - 1];
    return coarse;
}

/* Sums a line's block totals, one after the other. Coarse ones are loaded 16 at a time, so that the
 * additions are all there is between them. Fewer blocks have the totals of others behind them. */
void sum_totals(uint first, uint rows, bool coarse) {
    accumulator carry = zero_sum();
    [branch] if (coarse) {
        [loop] for (uint done = 0; done < rows; done += BLOCK) {
            accumulator totals[BLOCK];
            [unroll] for (uint i = 0; i < BLOCK; i++)
                totals[i] = block_total[(first + done + i) % ROWS];
            [unroll] for (uint j = 0; j < BLOCK; j++) {
                [branch] if (done + j < rows)
                    block_carry[first + done + j] = carry;
                carry = add_coarse(carry, totals[j]);
            }
        }
    } else {
        [loop] for (uint row = first; row < first + rows; row++) {
            block_carry[row] = carry;
            carry = add(carry, block_total[row]);
        }
    }
}

#if defined(CARRIES_BY_ALL)
#define LAST_CARRY (ROWS - 1) /* the thread that has the last block's carry, without a barrier */
/* Every thread adds up the totals before its block, in the same order. */
void run_carries(uint thread, bool coarse) {
    const uint first = (thread >> line_shift) << line_shift;
    accumulator carry = zero_sum();
    [branch] if (thread >= ROWS)
        return;
    [loop] for (uint done = first; done < thread; done += BLOCK) {
        accumulator totals[BLOCK];
        [unroll] for (uint i = 0; i < BLOCK; i++)
            totals[i] = block_total[(done + i) % ROWS];
        carry = add_in_turn(carry, totals, min(thread - done, BLOCK));
    }
    block_carry[thread] = carry;
}
#elif defined(SCANS_TOTALS)
#define LAST_CARRY    (ROWS - 1)
#define ROWS_PER_TILE (ROWS / GROUP_TILES)
groupshared accumulator half_total[GROUP_TILES];
/* Integers have the same bits in any order: a scan of the totals in rounds. */
void run_carries(uint thread, bool coarse) {
    const uint rows = 1u << line_shift;
    const uint row = thread % rows;
    accumulator sum = block_total[thread];
    [unroll] for (uint distance = 1; distance < 32; distance *= 2) {
        const accumulator below = FROM_BELOW(thread, sum, distance);
        if (min(row, thread % 32) >= distance)
            sum = add(sum, below);
    }
    [branch] if (thread % ROWS_PER_TILE == 31)
        half_total[thread / ROWS_PER_TILE] = sum;
    accumulator carry = FROM_BELOW(thread, sum, 1);
    GroupMemoryBarrierWithGroupSync();
    if (row % 32 == 0)
        carry = zero_sum();
    if (row >= 32)
        carry = add(carry, half_total[thread / ROWS_PER_TILE]);
    block_carry[thread] = carry;
}
#else
#define LAST_CARRY 0
/* Sums the block totals of each line in sequential order, one thread per line. */
void run_carries(uint thread, bool coarse) {
    [branch] if (thread < lines_per_group())
        sum_totals(thread << line_shift, 1u << line_shift, coarse);
}
#endif

/* Writes the outputs of the thread's block to the stage. `above` is the sum of the tiles before the
 * tile, `before` the running sum before it, for the first block of a line. */
void sum_blocks(uint thread, accumulator above, accumulator before, accumulator v[BLOCK],
                bool coarse) {
    const uint row = thread / PARTS;
    const accumulator base = add(above, block_carry[row]);
    [branch] if (row_start(row) > 0) /* with the bits that the block before gives */
        before = add(add(above, block_carry[row - 1]), block_total[row - 1]);
#if PARTS > 1
    [branch] if (thread % PARTS > 0)
        before = add(base, part_total[thread - 1]);
#endif
    sum_block(base, before, v, coarse);
    [unroll] for (uint i = 0; i < PART; i++)
        stage[row * STRIDE + thread % PARTS * PART + i] = v[i];
}

#endif
