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

/* Sums the block totals of each line in sequential order, one thread per line. */
void run_carries(uint thread, bool coarse) {
    [branch] if (thread < lines_per_group())
        sum_totals(thread << line_shift, 1u << line_shift, coarse);
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
