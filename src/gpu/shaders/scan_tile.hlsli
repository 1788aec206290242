/* SPDX-License-Identifier: MIT */
/*
 * Tiles of the blocked order on the stage: each thread of a group takes a block of 16 elements.
 */
#ifndef SCAN_TILE
#define SCAN_TILE

#include "scan_blocked.hlsli"
#include "scan_stage.hlsli"

groupshared accumulator block_total[ROWS];
groupshared accumulator block_carry[ROWS]; /* the sum of the line's blocks before this one */

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
    [unroll] for (uint i = 0; i < BLOCK; i++)
        v[i] = stage[thread * STRIDE + i];
    scan_block(v, coarse);
    block_total[thread] = v[BLOCK - 1];
    return coarse;
}

void sum_totals(uint thread, bool coarse) {
    accumulator carry = zero_sum();
    const uint end = (thread + 1) << line_shift;
    [loop] for (uint row = thread << line_shift; row < end; row++) {
        block_carry[row] = carry;
        if (coarse)
            carry = add_coarse(carry, block_total[row]);
        else
            carry = add(carry, block_total[row]);
    }
}

/* Sums the block totals of each line in sequential order, one thread per line. */
void run_carries(uint thread, bool coarse) {
    [branch] if (thread < lines_per_group()) {
        [branch] if (coarse)
            sum_totals(thread, true);
        else
            sum_totals(thread, false);
    }
}

/* Writes the outputs of the thread's block to the stage. `above` is the sum of the tiles before the
 * tile, `before` the running sum before it, for the first block of a line. */
void sum_blocks(uint thread, accumulator above, accumulator before, accumulator v[BLOCK],
                bool coarse) {
    const accumulator base = add(above, block_carry[thread]);
    [branch] if (row_start(thread) > 0) /* with the bits that the block before gives */
        before = add(add(above, block_carry[thread - 1]), block_total[thread - 1]);
    sum_block(base, before, v, coarse);
    [unroll] for (uint i = 0; i < BLOCK; i++)
        stage[thread * STRIDE + i] = v[i];
}

#endif
