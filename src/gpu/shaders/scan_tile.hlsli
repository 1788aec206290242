/* SPDX-License-Identifier: MIT */
/*
 * Tiles of the blocked order on the stage: each thread of a group takes a block of 16 elements.
 */
#ifndef SCAN_TILE
#define SCAN_TILE

#include "scan_blocked.hlsli"
#include "scan_stage.hlsli"

groupshared tally block_total[ROWS];
groupshared tally block_carry[ROWS]; /* the sum of the line's blocks before this one */

/* Loads the tile that begins with element `start` of the group's lines. The thread's block, after
 * the network, is in v. A barrier must follow, and enter_lines with one must come before. */
void take_tile(uint thread, uint start, out tally v[BLOCK]) {
    [branch] if (has(FLAG_IN_PLACE))
        fill_stage(output_buffer, true, thread, start);
    else
        fill_stage(input_buffer, false, thread, start);
    GroupMemoryBarrierWithGroupSync();
    [unroll] for (uint i = 0; i < BLOCK; i++)
        v[i] = stage[thread * STRIDE + i];
    scan_block(v);
    block_total[thread] = v[BLOCK - 1];
}

/* Sums the block totals of each line in sequential order, one thread per line. */
void run_carries(uint thread) {
    [branch] if (thread < lines_per_group()) {
        tally carry = zero_tally();
        const uint end = (thread + 1) << line_shift;
        [loop] for (uint row = thread << line_shift; row < end; row++) {
            block_carry[row] = carry;
            carry = add(carry, block_total[row]);
        }
    }
}

/* Writes the outputs of the thread's block to the stage. `above` is the sum of the tiles before the
 * tile, `before` the tally before it, for the first block of a line. */
void sum_blocks(uint thread, tally above, tally before, tally v[BLOCK]) {
    const tally base = add(above, block_carry[thread]);
    [branch] if (row_start(thread) > 0) /* with the bits that the block before gives */
        before = add(add(above, block_carry[thread - 1]), block_total[thread - 1]);
    [unroll] for (uint i = 0; i < BLOCK; i++) {
        const tally sum = add(base, v[i]);
        tally result = sum;
        if (has(FLAG_EXCLUSIVE))
            result = before;
        stage[thread * STRIDE + i] = result;
        before = sum;
    }
}

#endif
