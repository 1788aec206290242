/* SPDX-License-Identifier: MIT */
// elements: FLOAT32 FLOAT16 FLOAT16_HALF INTEGER32 INTEGER64
/*
 * The sequential order, a thread a line, for lines whose own elements are neighbours: the elements
 * go through groupshared memory, 1024 of the group's lines at a time. Otherwise as
 * sequential_direct.
 */
#include "scan_stage.hlsli"

/* The staged elements of the group's line `nth`, from `start` on, become its sums. */
tally sum_line(tally sum, uint nth, uint start) {
    const uint count = min(line_length - start, elements_per_line());
    [loop] for (uint i = 0; i < count; i += AHEAD) {
        const uint cell = cell_of(nth, i);
        tally x[AHEAD];
        [unroll] for (uint j = 0; j < AHEAD; j++)
            x[j] = stage[cell + j];
        [unroll] for (uint n = 0; n < AHEAD; n++) {
            const tally after = add(sum, x[n]);
            x[n] = after;
            if (has(FLAG_EXCLUSIVE))
                x[n] = sum;
            if (i + n < count)
                sum = after;
        }
        [unroll] for (uint m = 0; m < AHEAD; m++)
            stage[cell + m] = x[m];
    }
    return sum;
}

[numthreads(GROUP_THREADS, 1, 1)]
void main(uint3 group : SV_GroupID, uint thread : SV_GroupIndex) {
    const uint first_line = group_number(group) * lines_per_group();
    const uint line_number = first_line + thread;
    const bool is_line = thread < lines_per_group() && line_number < line_count;
    enter_lines(thread, first_line);
    tally sum = zero_tally();
    [branch] if (has(FLAG_CONTINUES) && is_line)
        sum = load_work(line_number);
    GroupMemoryBarrierWithGroupSync();
    [loop] for (uint k = 0; k < line_length; k += elements_per_line()) {
        [branch] if (has(FLAG_IN_PLACE))
            fill_stage(output_buffer, true, thread, k);
        else
            fill_stage(input_buffer, false, thread, k);
        GroupMemoryBarrierWithGroupSync();
        [branch] if (is_line)
            sum = sum_line(sum, thread, k);
        GroupMemoryBarrierWithGroupSync();
        empty_stage(thread, first_line, k);
        GroupMemoryBarrierWithGroupSync();
    }
    [branch] if (has(FLAG_CONTINUED) && is_line)
        store_work(line_number, sum);
}
