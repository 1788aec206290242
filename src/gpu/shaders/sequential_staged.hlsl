/* SPDX-License-Identifier: MIT */
// elements: FLOAT32 FLOAT16 FLOAT16_HALF INTEGER32 INTEGER64
/*
 * The sequential order, one thread per line, staged: 1024 elements of the group's lines at a time
 * go through groupshared memory, and all threads of the group load and store them. For each
 * operand, adjacent threads access adjacent elements of a line, or adjacent lines if the operand's
 * lines are interleaved. Constants, carries and bits are those of sequential_direct.
 */
#include "scan_stage.hlsli"

/* Interleaved lines: the line, and the staged element of it, that a thread accesses in round i of
 * 16. */
uint interleaved_line(uint thread, uint i) {
    return (i * GROUP_THREADS + thread) % lines_per_group();
}
uint interleaved_element(uint thread, uint i) {
    return (i * GROUP_THREADS + thread) / lines_per_group();
}

void fill_interleaved(RWByteAddressBuffer from, bool in_place, uint thread, uint start) {
    [loop] for (uint i = 0; i < ROW; i += AHEAD) {
        tally x[AHEAD];
        [unroll] for (uint j = 0; j < AHEAD; j++) {
            const uint k = min(start + interleaved_element(thread, i + j), line_length - 1);
            const uint2 place = stage_line[interleaved_line(thread, i + j)];
            x[j] = load(from, (in_place ? place.y : place.x) + k * input_step);
        }
        [unroll] for (uint n = 0; n < AHEAD; n++)
            stage[cell_of(interleaved_line(thread, i + n), interleaved_element(thread, i + n))] =
                widen(x[n]);
    }
}

/* Stores element i of line `nth`, together with the same element of the next line if the two share
 * a word. */
void store_interleaved(uint first_line, uint nth, uint i, uint element) {
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

void empty_interleaved(uint thread, uint first_line, uint start) {
    [loop] for (uint round = 0; round < ROW; round++) {
        const uint nth = interleaved_line(thread, round);
        const uint i = interleaved_element(thread, round);
        [branch] if (first_line + nth < line_count && start + i < line_length)
            store_interleaved(first_line, nth, i, stage_line[nth].y + (start + i) * output_step);
    }
}

/* Sums the staged elements of the group's line `nth`, the first of which is element `start`. The
 * cells become its outputs. Returns the line's sum so far. */
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
        [branch] if (has(FLAG_LOAD_INTERLEAVED)) {
            [branch] if (has(FLAG_IN_PLACE))
                fill_interleaved(output_buffer, true, thread, k);
            else
                fill_interleaved(input_buffer, false, thread, k);
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
        [branch] if (has(FLAG_STORE_INTERLEAVED))
            empty_interleaved(thread, first_line, k);
        else
            empty_stage(thread, first_line, k);
        GroupMemoryBarrierWithGroupSync();
    }
    [branch] if (has(FLAG_CONTINUED) && is_line)
        store_work(line_number, sum);
}
