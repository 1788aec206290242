/* SPDX-License-Identifier: MIT */
// elements: FLOAT32 FLOAT16 FLOAT16_HALF TALLY_HALF INTEGER32 INTEGER64
/*
 * The blocked order, one group per tile and one thread per block, for lines that are not
 * interleaved and for the levels above. Several lines share a group if they have at most half a
 * tile.
 */
#include "scan_blocked.hlsli"
#include "scan_stage.hlsli"

groupshared tally block_total[ROWS];
groupshared tally block_carry[ROWS]; /* the sum of the line's blocks before this one */

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

/* The tally before the thread's block, with the bits that the block before it gives. */
tally before_block(uint thread, uint line_number, uint tile, tally above) {
    tally before = zero_tally();
    [branch] if (row_start(thread) > 0)
        before = add(add(above, block_carry[thread - 1]), block_total[thread - 1]);
    else
        before = tally_before(line_number, tile);
    return before;
}

/* Writes the outputs of the thread's block to the stage. */
void sum_blocks(uint thread, uint line_number, uint tile, tally v[BLOCK]) {
    const tally above = tiles_before(line_number, tile);
    const tally base = add(above, block_carry[thread]);
    tally before = before_block(thread, line_number, tile, above);
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
    const uint groups = (line_count + lines_per_group() - 1) / lines_per_group() * tile_count;
    uint number = group_number(group);
    if (number >= groups)
        return;
    /* The outputs are computed in the reverse order of the totals: the elements that were read last
     * are still in the caches. */
    if (!has(FLAG_TOTALS))
        number = groups - 1 - number;
    const uint first_line = number / tile_count * lines_per_group();
    const uint tile = first_tile + number % tile_count;
    const uint line_number = min(first_line + (thread >> line_shift), line_count - 1);
    enter_lines(thread, first_line);
    GroupMemoryBarrierWithGroupSync();
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
    run_carries(thread);
    GroupMemoryBarrierWithGroupSync();
    [branch] if (has(FLAG_TOTALS)) {
        [branch] if (thread == ROWS - 1)
            store_record(line_number, tile, block_carry[thread], v[BLOCK - 1]);
        return;
    }
    sum_blocks(thread, line_number, tile, v);
    GroupMemoryBarrierWithGroupSync();
    empty_stage(thread, first_line, tile * TILE);
}
