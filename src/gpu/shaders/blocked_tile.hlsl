/* SPDX-License-Identifier: MIT */
// elements: FLOAT32 FLOAT16 FLOAT16_HALF HALF_SUMS INTEGER32 INTEGER64
/*
 * The blocked order, one group per tile and one thread per block, for lines that are not
 * interleaved and for the levels above. Several lines share a group if they have at most half a
 * tile.
 */
#include "scan_tile.hlsli"

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
    accumulator v[BLOCK];
    const bool coarse = take_tile(thread, tile * TILE, v);
    GroupMemoryBarrierWithGroupSync();
    run_carries(thread, coarse);
    GroupMemoryBarrierWithGroupSync();
    [branch] if (has(FLAG_TOTALS)) {
        [branch] if (thread == ROWS - 1)
            store_record(line_number, tile, block_carry[thread], v[BLOCK - 1]);
        return;
    }
    accumulator before = zero_sum();
    [branch] if (row_start(thread) == 0)
        before = sum_before(line_number, tile);
    sum_blocks(thread, tiles_before(line_number, tile), before, v, coarse);
    GroupMemoryBarrierWithGroupSync();
    empty_stage(thread, first_line, tile * TILE);
}
