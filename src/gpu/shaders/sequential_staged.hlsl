/* SPDX-License-Identifier: MIT */
// elements: FLOAT32 FLOAT16 FLOAT16_HALF INTEGER32 INTEGER64
/*
 * The sequential order, a thread a line: the elements go through groupshared memory, 1024 of the
 * group's lines at a time, and all threads load and store. They go along the lines or across them,
 * as neighbours lie in each tensor. Otherwise as sequential_direct.
 */
#include "scan_stage.hlsli"

/* Across the lines: the line and the staged element of it that a thread has in turn i of 16. */
uint across_line(uint thread, uint i) {
    return (i * GROUP_THREADS + thread) % lines_per_group();
}
uint across_element(uint thread, uint i) {
    return (i * GROUP_THREADS + thread) / lines_per_group();
}

void fill_across(RWByteAddressBuffer from, bool in_place, uint thread, uint start) {
    [loop] for (uint i = 0; i < ROW; i += AHEAD) {
        tally x[AHEAD];
        [unroll] for (uint j = 0; j < AHEAD; j++) {
            const uint k = min(start + across_element(thread, i + j), line_length - 1);
            const uint2 place = stage_line[across_line(thread, i + j)];
            x[j] = load(from, (in_place ? place.y : place.x) + k * input_step);
        }
        [unroll] for (uint n = 0; n < AHEAD; n++)
            stage[cell_of(across_line(thread, i + n), across_element(thread, i + n))] =
                widen(x[n]);
    }
}

/* Element i of line `nth`, with the same one of the next line where they share a word. */
void store_across(uint first_line, uint nth, uint i, uint element) {
#if ELEMENTS_ARE_HALVES
    const uint place = stage_line[nth].y;
    bool is_upper = nth + 1 < lines_per_group() && first_line + nth + 1 < line_count;
    bool is_lower = nth > 0;
    [branch] if (is_upper)
        is_upper = stage_line[nth + 1].y == place + 1;
    [branch] if (is_lower)
        is_lower = stage_line[nth - 1].y == place - 1;
    [branch] if ((element & 1) == 0 && is_upper)
        store_pair(element, stage[cell_of(nth, i)], stage[cell_of(nth + 1, i)]);
    else if ((element & 1) == 0 || !is_lower)
        store(element, stage[cell_of(nth, i)]);
#else
    store(element, stage[cell_of(nth, i)]);
#endif
}

void empty_across(uint thread, uint first_line, uint start) {
    [loop] for (uint turn = 0; turn < ROW; turn++) {
        const uint nth = across_line(thread, turn);
        const uint i = across_element(thread, turn);
        [branch] if (first_line + nth < line_count && start + i < line_length)
            store_across(first_line, nth, i, stage_line[nth].y + (start + i) * output_step);
    }
}

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
        [branch] if (has(FLAG_FILL_ACROSS)) {
            [branch] if (has(FLAG_IN_PLACE))
                fill_across(output_buffer, true, thread, k);
            else
                fill_across(input_buffer, false, thread, k);
        } else {
            [branch] if (has(FLAG_IN_PLACE))
                fill_stage(output_buffer, true, thread, k);
            else
                fill_stage(input_buffer, false, thread, k);
        }
        GroupMemoryBarrierWithGroupSync();
        [branch] if (is_line)
            sum = sum_line(sum, thread, k);
        GroupMemoryBarrierWithGroupSync();
        [branch] if (has(FLAG_EMPTY_ACROSS))
            empty_across(thread, first_line, k);
        else
            empty_stage(thread, first_line, k);
        GroupMemoryBarrierWithGroupSync();
    }
    [branch] if (has(FLAG_CONTINUED) && is_line)
        store_work(line_number, sum);
}
