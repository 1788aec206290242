/* SPDX-License-Identifier: MIT */
// elements: FLOAT32 FLOAT16 FLOAT16_HALF INTEGER32 INTEGER64
/*
 * The blocked order, for many interleaved lines of several tiles. A group walks 64 >> line_shift
 * adjacent lines, and takes 1 << line_shift blocks of each at a time. Adjacent threads have the
 * same block of adjacent lines, so they access adjacent elements.
 */
#define WALKERS GROUP_THREADS
#include "scan_walk.hlsli"
#if ELEMENTS_ARE_HALVES
#include "scan_neighbours.hlsli"
#endif

groupshared tally block_total[2 * GROUP_THREADS]; /* of even and of odd steps */
groupshared tally shared_above[GROUP_THREADS];    /* C[t] of a line */

uint lines_per_group() {
    return GROUP_THREADS >> line_shift;
}

/* A thread's place in its group. */
struct work_item {
    uint thread;
    uint nth; /* of the group's lines */
    uint block;
    bool is_line;
    uint line_number;
    uint2 place; /* of the line's element k = 0, in input and output */
#if ELEMENTS_ARE_HALVES
    neighbours beside;
#endif
};

work_item enter_group(uint thread, uint first_line) {
    work_item item;
    item.thread = thread;
    item.nth = thread & (lines_per_group() - 1);
    item.block = thread / lines_per_group();
    item.is_line = first_line + item.nth < line_count;
    item.line_number = min(first_line + item.nth, line_count - 1);
    item.place = line_places(item.line_number);
#if ELEMENTS_ARE_HALVES
    item.beside = enter_line(thread, item.is_line, item.line_number, item.place.y);
    item.beside.next = item.beside.next && item.nth + 1 < lines_per_group();
    item.beside.previous = item.beside.previous && item.nth > 0;
#endif
    return item;
}

/* Beyond the line's end, loads the last element again, so that nothing outside the tensor is
 * accessed. */
void load_block(RWByteAddressBuffer from, uint place, uint k, out tally v[BLOCK]) {
    [unroll] for (uint i = 0; i < BLOCK; i++)
        v[i] = load(from, place + min(k + i, line_length - 1) * input_step);
}

/* Elements beyond the line's end become +0. */
void widen_block(uint k, inout tally v[BLOCK]) {
    [unroll] for (uint i = 0; i < BLOCK; i++) {
        v[i] = widen(v[i]);
        if (k + i >= line_length)
            v[i] = zero_tally();
    }
}

/* What enters a block: the sum of the tile's blocks before it, and the tally before it. */
struct entry {
    tally carry;
    tally before;
};

/* Runs over the step's blocks of the thread's line, each thread for itself. `at` is where the line
 * enters the step, and becomes where it leaves it. Returns where the thread's block is entered. */
entry run_blocks(work_item item, uint parity, tally above, tally total, inout entry at) {
    entry own = at;
    const uint cells = parity * GROUP_THREADS + item.nth;
    [branch] if (line_shift > 0) {
        block_total[parity * GROUP_THREADS + item.thread] = total;
        GroupMemoryBarrierWithGroupSync();
    }
    [loop] for (uint b = 0; b >> line_shift == 0; b++) {
        [branch] if (line_shift > 0)
            total = block_total[cells + b * lines_per_group()];
        if (b == item.block)
            own = at;
        [branch] if (has(FLAG_EXCLUSIVE))
            at.before = add(add(above, at.carry), total);
        at.carry = add(at.carry, total);
    }
    return own;
}

/* v becomes the block's outputs. */
void sum_block(tally above, entry at, inout tally v[BLOCK]) {
    const tally base = add(above, at.carry);
    tally before = at.before;
    [unroll] for (uint i = 0; i < BLOCK; i++) {
        const tally sum = add(base, v[i]);
        v[i] = sum;
        if (has(FLAG_EXCLUSIVE))
            v[i] = before;
        before = sum;
    }
}

#if ELEMENTS_ARE_HALVES
void store_block(work_item item, uint k, tally v[BLOCK]) {
    [unroll] for (uint i = 0; i < BLOCK; i++)
        keep_result(item.thread, i, v[i]);
    share_results();
    [branch] if (item.is_line && k < line_length)
        store_results(item.thread, item.beside, item.place.y + k * output_step,
                      min(BLOCK, line_length - k));
    GroupMemoryBarrierWithGroupSync();
}
#else
void store_block(work_item item, uint k, tally v[BLOCK]) {
    [branch] if (!item.is_line)
        return;
    [unroll] for (uint i = 0; i < BLOCK; i++)
        [branch] if (k + i < line_length)
            store(item.place.y + (k + i) * output_step, v[i]);
}
#endif

/* One tile of the group's lines. Returns where the lines leave it. If the line ends before the
 * tile's last block, that is wrong, and no output depends on it. */
entry sum_tile(work_item item, uint tile, tally above, tally before) {
    entry at;
    at.carry = zero_tally();
    at.before = before;
    const uint step = BLOCK << line_shift;
    const uint count = min(TILE, line_length - tile * TILE);
    [loop] for (uint done = 0; done < count; done += step) {
        const uint k = tile * TILE + done + item.block * BLOCK;
        tally v[BLOCK];
        [branch] if (has(FLAG_IN_PLACE))
            load_block(output_buffer, item.place.y, k, v);
        else
            load_block(input_buffer, item.place.x, k, v);
        widen_block(k, v);
        scan_block(v);
        const entry own = run_blocks(item, done / step & 1, above, v[BLOCK - 1], at);
        sum_block(above, own, v);
        store_block(item, k, v);
    }
    return at;
}

/* C[tile + 1], for all threads of a line. */
tally step_on(work_item item, uint tile, tally total) {
    [branch] if (item.block == 0)
        shared_above[item.nth] = enter_total(item.nth, tile, total);
    [branch] if (line_shift > 0)
        GroupMemoryBarrierWithGroupSync();
    return shared_above[item.nth];
}

[numthreads(GROUP_THREADS, 1, 1)]
void main(uint3 group : SV_GroupID, uint thread : SV_GroupIndex) {
    const uint first_line = group_number(group) * lines_per_group();
    if (first_line >= line_count)
        return;
    const work_item item = enter_group(thread, first_line);
    tally above = load_state(STATE_ABOVE, item.line_number);
    tally before = load_state(STATE_TALLY, item.line_number);
    [branch] if (item.block == 0)
        load_levels(item.nth, item.line_number);
    [loop] for (uint tile = first_tile; tile < first_tile + tile_count; tile++) {
        const entry left = sum_tile(item, tile, above, before);
        before = left.before;
        above = step_on(item, tile, left.carry);
    }
    [branch] if (has(FLAG_CONTINUED) && item.is_line && item.block == 0)
        store_state(item.nth, item.line_number, above, before);
}
