/* SPDX-License-Identifier: MIT */
// elements: FLOAT32 FLOAT16 FLOAT16_HALF TALLY_HALF INTEGER32 INTEGER64
/*
 * The blocked order, a group a tile, for lines whose own elements are neighbours, and for the levels
 * above. A thread has a block. Of lines that are shorter than half a tile several share a group:
 * each takes 1 << block_shift of its threads.
 */
#include "scan_blocked.hlsli"
#include "scan_stage.hlsli"

groupshared tally block_total[ROWS];
groupshared tally block_carry[ROWS]; /* c[b] */

/* Where a group is. */
struct group_place {
    uint first_line;
    uint tile;
};

uint lines_per_group() {
    return ROWS >> block_shift;
}

/* Which element of its line is at the start of a row. */
uint row_start(uint row, uint tile) {
    return tile * TILE + (row & ((1u << block_shift) - 1)) * BLOCK;
}

/* Elements behind the line's end are loaded as the last one again, and become +0. */
tally load_cell(RWByteAddressBuffer from, bool in_place, uint row, uint k) {
    const uint2 place = stage_line[row >> block_shift];
    const uint start = in_place ? place.y : place.x;
    return load(from, start + min(k, line_length - 1) * input_step);
}

void fill_stage(RWByteAddressBuffer from, bool in_place, uint thread, group_place here) {
    const uint column = cell_column(thread);
    [loop] for (uint i = 0; i < ROW; i += AHEAD) {
        tally x[AHEAD];
        [unroll] for (uint j = 0; j < AHEAD; j++) {
            const uint row = cell_row(thread, i + j);
            x[j] = load_cell(from, in_place, row, row_start(row, here.tile) + column);
        }
        [unroll] for (uint n = 0; n < AHEAD; n++) {
            const uint row = cell_row(thread, i + n);
            tally element = widen(x[n]);
            if (row_start(row, here.tile) + column >= line_length)
                element = zero_tally();
            stage[row * STRIDE + column] = element;
        }
    }
}

void empty_stage(uint thread, group_place here) {
    const uint column = cell_column(thread);
    [loop] for (uint i = 0; i < ROW; i++) {
        const uint row = cell_row(thread, i);
        const uint k = row_start(row, here.tile) + column;
        const uint line_number = row >> block_shift;
        [branch] if (here.first_line + line_number < line_count && k < line_length)
            store_cell(row * STRIDE + column, stage_line[line_number].y + k * output_step,
                       column + 1 < ROW && k + 1 < line_length, column > 0);
    }
}

/* The carries run over the block totals of each line, one thread a line. */
void run_carries(uint thread) {
    [branch] if (thread < lines_per_group()) {
        tally carry = zero_tally();
        const uint end = (thread + 1) << block_shift;
        [loop] for (uint row = thread << block_shift; row < end; row++) {
            block_carry[row] = carry;
            carry = add(carry, block_total[row]);
        }
    }
}

/* The tally before the thread's block. */
tally before_block(uint thread, uint line_number, uint tile, tally above) {
    tally before = zero_tally();
    [branch] if ((thread & ((1u << block_shift) - 1)) != 0)
        before = add(add(above, block_carry[thread - 1]), block_total[thread - 1]);
    else
        before = tally_before(line_number, tile);
    return before;
}

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
    /* Backwards where the tiles were done before: what was read last is in the caches. */
    if (!has(FLAG_TOTALS))
        number = groups - 1 - number;
    group_place here;
    here.first_line = number / tile_count * lines_per_group();
    here.tile = first_tile + number % tile_count;
    [branch] if (thread < lines_per_group())
        stage_line[thread] = line_places(min(here.first_line + thread, line_count - 1));
    GroupMemoryBarrierWithGroupSync();
    [branch] if (has(FLAG_IN_PLACE))
        fill_stage(output_buffer, true, thread, here);
    else
        fill_stage(input_buffer, false, thread, here);
    GroupMemoryBarrierWithGroupSync();
    tally v[BLOCK];
    [unroll] for (uint i = 0; i < BLOCK; i++)
        v[i] = stage[thread * STRIDE + i];
    scan_block(v);
    block_total[thread] = v[BLOCK - 1];
    GroupMemoryBarrierWithGroupSync();
    run_carries(thread);
    GroupMemoryBarrierWithGroupSync();
    const uint line_number = min(here.first_line + (thread >> block_shift), line_count - 1);
    [branch] if (has(FLAG_TOTALS)) {
        [branch] if (thread == ROWS - 1)
            store_record(line_number, here.tile, block_carry[thread], v[BLOCK - 1]);
        return;
    }
    sum_blocks(thread, line_number, here.tile, v);
    GroupMemoryBarrierWithGroupSync();
    empty_stage(thread, here);
}
