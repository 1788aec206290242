/* SPDX-License-Identifier: MIT */
// elements: FLOAT32 FLOAT16 FLOAT16_HALF INTEGER32 INTEGER64
/*
 * The blocked order, for many interleaved lines of several tiles. A group walks 64 >> line_shift
 * adjacent lines, and takes 1 << line_shift blocks of each at a time. Adjacent threads have the
 * same block of adjacent lines, so they access adjacent elements.
 */
#include "scan_walk.hlsli"
#include "scan_interleaved.hlsli"

groupshared accumulator block_total[2 * GROUP_THREADS]; /* of even and of odd steps */
groupshared accumulator shared_above[GROUP_THREADS];    /* C[t] of a line */

uint lines_per_group() {
    return GROUP_THREADS >> line_shift;
}

/* What a thread takes of its group's elements. */
struct share {
    uint nth; /* of the group's lines */
    uint block;
    work_item item;
};

share enter_group(uint thread, uint first_line) {
    share own;
    work_item item;
    own.nth = thread & (lines_per_group() - 1);
    own.block = thread / lines_per_group();
    item.thread = thread;
    item.is_line = first_line + own.nth < line_count;
    item.line_number = min(first_line + own.nth, line_count - 1);
    item.place = line_places(item.line_number);
#if ELEMENTS_ARE_HALVES
    item.beside = enter_line(thread, item.is_line, item.line_number, item.place.y);
    item.beside.next = item.beside.next && own.nth + 1 < lines_per_group();
    item.beside.previous = item.beside.previous && own.nth > 0;
#endif
    own.item = item;
    return own;
}

/* What enters a block: the sum of the tile's blocks before it, and the running sum before it. */
struct entry {
    accumulator carry;
    accumulator before;
};

/* Runs over the step's blocks of the thread's line, each thread for itself. `at` is where the line
 * enters the step, and becomes where it leaves it. Returns where the thread's block is entered. */
entry run_blocks(share own, uint parity, accumulator above, accumulator total, inout entry at) {
    entry found = at;
    const uint cells = parity * GROUP_THREADS + own.nth;
    [branch] if (line_shift > 0) {
        block_total[parity * GROUP_THREADS + own.item.thread] = total;
        GroupMemoryBarrierWithGroupSync();
    }
    [loop] for (uint b = 0; b >> line_shift == 0; b++) {
        [branch] if (line_shift > 0)
            total = block_total[cells + b * lines_per_group()];
        if (b == own.block)
            found = at;
        [branch] if (has(FLAG_EXCLUSIVE))
            at.before = add(add(above, at.carry), total);
        at.carry = add(at.carry, total);
    }
    return found;
}

/* One tile of the group's lines. Returns where the lines leave it. If the line ends before the
 * tile's last block, that is wrong, and no output depends on it. */
entry sum_tile(RWByteAddressBuffer from, share own, uint tile, accumulator above,
               accumulator before) {
    entry at;
    at.carry = zero_sum();
    at.before = before;
    const uint step = BLOCK << line_shift;
    const uint count = min(TILE, line_length - tile * TILE);
    [loop] for (uint done = 0; done < count; done += step) {
        const uint k = tile * TILE + done + own.block * BLOCK;
        accumulator v[BLOCK];
        const bool coarse = take_block(from, own.item.place.x, k, v);
        entry block = run_blocks(own, done / step & 1, above, v[BLOCK - 1], at);
        sum_block(add(above, block.carry), block.before, v, coarse);
        store_block(own.item, k, v);
    }
    return at;
}

/* C[tile + 1], for all threads of a line. */
accumulator step_on(share own, uint tile, accumulator total) {
    [branch] if (own.block == 0)
        shared_above[own.nth] = enter_total(own.nth, tile, total);
    [branch] if (line_shift > 0)
        GroupMemoryBarrierWithGroupSync();
    return shared_above[own.nth];
}

void walk(RWByteAddressBuffer from, share own) {
    const uint line_number = own.item.line_number;
    accumulator above = load_state(STATE_ABOVE, line_number);
    accumulator before = load_state(STATE_BEFORE, line_number);
    [branch] if (own.block == 0)
        load_levels(own.nth, line_number);
    [loop] for (uint tile = first_tile; tile < first_tile + tile_count; tile++) {
        const entry left = sum_tile(from, own, tile, above, before);
        before = left.before;
        above = step_on(own, tile, left.carry);
    }
    [branch] if (has(FLAG_CONTINUED) && own.item.is_line && own.block == 0)
        store_state(own.nth, line_number, above, before);
}

/* In place a thread reads and writes through one slot. */
[numthreads(GROUP_THREADS, 1, 1)]
void main(uint3 group : SV_GroupID, uint thread : SV_GroupIndex) {
    const uint first_line = group_number(group) * lines_per_group();
    if (first_line >= line_count)
        return;
    share own = enter_group(thread, first_line);
    [branch] if (has(FLAG_IN_PLACE)) {
        own.item.place.x = own.item.place.y;
        walk(output_buffer, own);
    } else {
        walk(input_buffer, own);
    }
}
