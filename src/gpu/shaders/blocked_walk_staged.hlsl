/* SPDX-License-Identifier: MIT */
// elements: FLOAT32 FLOAT16 FLOAT16_HALF INTEGER32 INTEGER64
/*
 * The blocked order, for many lines of several tiles that are not interleaved. A group walks a
 * line: each thread takes a block of the tile, and thread 0 carries the sums on.
 */
#define WALKERS 1
#include "scan_tile.hlsli"
#include "scan_walk.hlsli"

groupshared tally shared_above[2]; /* C[t] of even and of odd tiles */

/* Sums the block totals, and steps on to C[tile + 1]. Returns the tally after the tile. */
tally step_on(uint tile, bool coarse) {
    run_carries(0, coarse);
    const tally carry = block_carry[ROWS - 1];
    const tally last = block_total[ROWS - 1];
    shared_above[(tile + 1) & 1] = enter_total(0, tile, add(carry, last));
    return add(add(shared_above[tile & 1], carry), last);
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
        tally v[BLOCK];
        const bool coarse = take_tile(thread, tile * TILE, v);
        GroupMemoryBarrierWithGroupSync();
        tally after = before;
        [branch] if (thread == 0) {
            begin_stage();
            after = step_on(tile, coarse);
        }
        GroupMemoryBarrierWithGroupSync();
        sum_blocks(thread, shared_above[tile & 1], before, v, coarse);
        before = after;
        GroupMemoryBarrierWithGroupSync();
        empty_stage(thread, line_number, tile * TILE);
        GroupMemoryBarrierWithGroupSync();
    }
    [branch] if (has(FLAG_CONTINUED) && thread == 0)
        store_state(0, line_number, shared_above[end & 1], before);
}
