/* SPDX-License-Identifier: MIT */
// elements: FLOAT32 FLOAT16 FLOAT16_HALF INTEGER32 INTEGER64
/*
 * The blocked order, for many lines of several tiles that are not interleaved. A group walks a
 * line: each thread takes a block of the tile, and thread 0 carries the sums on.
 */
#define WALKERS 1
#include "scan_stage.hlsli"
#include "scan_walk.hlsli"

groupshared tally block_total[ROWS];
groupshared tally block_carry[ROWS]; /* the sum of the line's blocks before this one */
groupshared tally shared_above[2];   /* C[t] of even and of odd tiles */

/* Sums the block totals in sequential order, and steps on to C[tile + 1]. Returns the tally after
 * the tile. */
tally run_carries(uint tile) {
    tally carry = zero_tally();
    tally last = carry;
    [loop] for (uint row = 0; row < ROWS; row++) {
        last = carry;
        block_carry[row] = carry;
        carry = add(carry, block_total[row]);
    }
    shared_above[(tile + 1) & 1] = enter_total(0, tile, carry);
    return add(add(shared_above[tile & 1], last), block_total[ROWS - 1]);
}

/* Writes the outputs of the thread's block to the stage. `before` is the tally before the tile, for
 * the tile's first block. */
void sum_blocks(uint thread, tally above, tally before, tally v[BLOCK]) {
    const tally base = add(above, block_carry[thread]);
    [branch] if (thread > 0) /* with the bits that the block before gives */
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

[numthreads(GROUP_THREADS, 1, 1)]
void main(uint3 group : SV_GroupID, uint thread : SV_GroupIndex) {
    const uint line_number = group_number(group);
    if (line_number >= line_count)
        return;
    tally before = load_state(STATE_TALLY, line_number); /* thread 0's alone goes on */
    [branch] if (thread == 0) {
        load_levels(0, line_number);
        shared_above[first_tile & 1] = load_state(STATE_ABOVE, line_number);
    }
    enter_lines(thread, line_number);
    GroupMemoryBarrierWithGroupSync();
    const uint end = first_tile + tile_count;
    [loop] for (uint tile = first_tile; tile < end; tile++) {
        [branch] if (has(FLAG_IN_PLACE))
            fill_stage(output_buffer, true, thread, tile * TILE);
        else
            fill_stage(input_buffer, false, thread, tile * TILE);
        GroupMemoryBarrierWithGroupSync();
        tally v[BLOCK];
        [unroll] for (uint i = 0; i < BLOCK; i++)
            v[i] = stage[thread * STRIDE + i];
        scan_block(v);
        block_total[thread] = v[BLOCK - 1];
        GroupMemoryBarrierWithGroupSync();
        tally after = before;
        [branch] if (thread == 0)
            after = run_carries(tile);
        GroupMemoryBarrierWithGroupSync();
        sum_blocks(thread, shared_above[tile & 1], before, v);
        before = after;
        GroupMemoryBarrierWithGroupSync();
        empty_stage(thread, line_number, tile * TILE);
        GroupMemoryBarrierWithGroupSync();
    }
    [branch] if (has(FLAG_CONTINUED) && thread == 0)
        store_state(0, line_number, shared_above[end & 1], before);
}
