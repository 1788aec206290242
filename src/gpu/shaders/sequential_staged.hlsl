/* SPDX-License-Identifier: MIT */
// elements: FLOAT32 FLOAT16 FLOAT16_HALF INTEGER32 INTEGER64
/*
 * The sequential order, one thread per line, staged: 1024 elements of the group's lines at a time
 * go through groupshared memory, and all threads of the group load and store them. For each
 * operand, adjacent threads access adjacent elements of a line, or adjacent lines if the operand's
 * lines are interleaved. Constants, carries and bits are those of sequential_direct.
 */
#include "scan_stage.hlsli"

/* The line, and the staged element of it, that a thread loads or stores in round i of 16. A group
 * has a power of two of lines. */
uint2 element_of(uint thread, uint i, bool interleaved) {
    const uint number = i * GROUP_THREADS + thread;
    const uint row = round_row(thread, i);
    if (interleaved)
        return uint2(number & (lines_per_group() - 1), number >> (6 - line_shift));
    return uint2(row >> line_shift, row_start(row) + round_column(thread));
}

/* The thread's share of the elements from `start` on. Beyond a line's end, loads its last element
 * again, so that nothing outside the tensor is accessed. In place the input's slot will do: an
 * element is in the stage before a barrier, and its output is stored after it. */
void load_share(uint thread, uint start, inout accumulator x[ROW]) {
    [branch] if (start >= line_length)
        return;
    [unroll] for (uint i = 0; i < ROW; i++) {
        const uint2 at = element_of(thread, i, has(FLAG_LOAD_INTERLEAVED));
        const uint2 place = stage_line[at.x];
        const uint k = min(start + at.y, line_length - 1);
        x[i] = load(input_buffer, (has(FLAG_IN_PLACE) ? place.y : place.x) + k * input_step);
    }
}

void stage_share(uint thread, accumulator x[ROW]) {
    uint least = ALL_COARSE;
    [unroll] for (uint i = 0; i < ROW; i++) {
        const uint2 at = element_of(thread, i, has(FLAG_LOAD_INTERLEAVED));
        least = coarsest(least, x[i]);
        stage[cell_of(at.x, at.y)] = widen(x[i]);
    }
    share_coarsest(least);
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
    [loop] for (uint i = 0; i < ROW; i++) {
        const uint2 at = element_of(thread, i, true);
        [branch] if (first_line + at.x < line_count && start + at.y < line_length)
            store_interleaved(first_line, at.x, at.y,
                              stage_line[at.x].y + (start + at.y) * output_step);
    }
}

/* Sums some elements of a row, which become their outputs. */
accumulator sum_cells(accumulator sum, uint cell, uint count, bool coarse) {
    [loop] for (const uint end = cell + count; cell < end; cell++) {
        accumulator after;
        if (coarse)
            after = add_coarse(sum, stage[cell]);
        else
            after = add(sum, stage[cell]);
        stage[cell] = has(FLAG_EXCLUSIVE) ? sum : after;
        sum = after;
    }
    return sum;
}

/* A whole row of coarse numbers. Between two additions the running sum passes nothing but the
 * guard. */
accumulator sum_row(accumulator sum, uint cell) {
    accumulator x[ROW];
    [unroll] for (uint j = 0; j < ROW; j++)
        x[j] = stage[cell + j];
    [unroll] for (uint n = 0; n < ROW; n++) {
        const accumulator after = add_coarse(sum, x[n]);
        stage[cell + n] = has(FLAG_EXCLUSIVE) ? sum : after;
        sum = after;
    }
    return sum;
}

/* Sums the staged elements of the group's line `nth`, the first of which is element `start`.
 * Returns the line's sum so far. */
accumulator sum_line(accumulator sum, uint nth, uint start, bool coarse) {
    const uint count = min(line_length - start, elements_per_line());
    uint cell = cell_of(nth, 0);
    [loop] for (uint done = ROW; done <= count; done += ROW, cell += STRIDE) {
        if (coarse)
            sum = sum_row(sum, cell);
        else
            sum = sum_cells(sum, cell, ROW, false);
    }
    return sum_cells(sum, cell, count % ROW, coarse);
}

[numthreads(GROUP_THREADS, 1, 1)]
void main(uint3 group : SV_GroupID, uint thread : SV_GroupIndex) {
    const uint first_line = group_number(group) * lines_per_group();
    const uint line_number = first_line + thread;
    const bool is_line = thread < lines_per_group() && line_number < line_count;
    enter_lines(thread, first_line);
    accumulator sum = zero_sum();
    [branch] if (has(FLAG_CONTINUES) && is_line)
        sum = load_work(line_number);
    GroupMemoryBarrierWithGroupSync();
    accumulator x[ROW];
    [unroll] for (uint i = 0; i < ROW; i++)
        x[i] = zero_sum();
    load_share(thread, 0, x);
    [loop] for (uint k = 0; k < line_length; k += elements_per_line()) {
        stage_share(thread, x);
        GroupMemoryBarrierWithGroupSync();
        /* These loads are in flight while the line is summed. */
        load_share(thread, k + elements_per_line(), x);
        [branch] if (is_line) {
            [branch] if (stage_is_coarse() && is_coarse(coarsest(ALL_COARSE, sum)))
                sum = sum_line(sum, thread, k, true);
            else
                sum = sum_line(sum, thread, k, false);
        }
        GroupMemoryBarrierWithGroupSync();
        [branch] if (thread == 0)
            begin_stage();
        [branch] if (has(FLAG_STORE_INTERLEAVED))
            empty_interleaved(thread, first_line, k);
        else
            empty_stage(thread, first_line, k);
        GroupMemoryBarrierWithGroupSync();
    }
    [branch] if (has(FLAG_CONTINUED) && is_line)
        store_work(line_number, sum);
}
