/* SPDX-License-Identifier: MIT */
// elements: FLOAT32 FLOAT16 FLOAT16_HALF INTEGER32 INTEGER64
/*
 * The sequential order, a thread a line, for lines whose own elements are neighbours: the elements
 * go through groupshared memory, 16 of each of 64 lines at a time. Otherwise as sequential_direct.
 */
#include "scan_stage.hlsli"

void fill_stage(RWByteAddressBuffer from, bool in_place, uint thread, uint k) {
    const uint column = min(k + cell_column(thread), line_length - 1);
    [loop] for (uint i = 0; i < ROW; i += AHEAD) {
        tally x[AHEAD];
        [unroll] for (uint j = 0; j < AHEAD; j++) {
            const uint2 place = stage_line[cell_row(thread, i + j)];
            x[j] = load(from, (in_place ? place.y : place.x) + column * input_step);
        }
        [unroll] for (uint n = 0; n < AHEAD; n++)
            stage[cell_row(thread, i + n) * STRIDE + cell_column(thread)] = widen(x[n]);
    }
}

void empty_stage(uint first_line, uint thread, uint k) {
    const uint column = cell_column(thread);
    [loop] for (uint i = 0; i < ROW; i++) {
        const uint row = cell_row(thread, i);
        [branch] if (first_line + row < line_count && k + column < line_length)
            store_cell(row * STRIDE + column, stage_line[row].y + (k + column) * output_step,
                       column + 1 < ROW && k + column + 1 < line_length, column > 0);
    }
}

/* The thread's row becomes the sums of its line. */
tally sum_row(tally sum, uint thread, uint k) {
    const uint count = min(line_length - k, ROW);
    [loop] for (uint i = 0; i < count; i++) {
        const uint cell = thread * STRIDE + i;
        const tally before = sum;
        sum = add(sum, stage[cell]);
        tally result = sum;
        if (has(FLAG_EXCLUSIVE))
            result = before;
        stage[cell] = result;
    }
    return sum;
}

[numthreads(GROUP_THREADS, 1, 1)]
void main(uint3 group : SV_GroupID, uint thread : SV_GroupIndex) {
    const uint first_line = group_number(group) * GROUP_THREADS;
    const uint line_number = first_line + thread;
    stage_line[thread] = line_places(min(line_number, line_count - 1));
    tally sum = zero_tally();
    [branch] if (has(FLAG_CONTINUES) && line_number < line_count)
        sum = load_work(line_number);
    GroupMemoryBarrierWithGroupSync();
    [loop] for (uint k = 0; k < line_length; k += ROW) {
        [branch] if (has(FLAG_IN_PLACE))
            fill_stage(output_buffer, true, thread, k);
        else
            fill_stage(input_buffer, false, thread, k);
        GroupMemoryBarrierWithGroupSync();
        sum = sum_row(sum, thread, k);
        GroupMemoryBarrierWithGroupSync();
        empty_stage(first_line, thread, k);
        GroupMemoryBarrierWithGroupSync();
    }
    [branch] if (has(FLAG_CONTINUED) && line_number < line_count)
        store_work(line_number, sum);
}
