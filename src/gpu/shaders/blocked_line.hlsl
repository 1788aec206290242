/* SPDX-License-Identifier: MIT */
// elements: FLOAT32 FLOAT16 FLOAT16_HALF INTEGER32 INTEGER64
/*
 * The blocked order, one thread per tile, for interleaved lines. Adjacent threads work on the same
 * tile of adjacent lines, so they access adjacent elements.
 */
#include "scan_blocked.hlsli"
#if ELEMENTS_ARE_HALVES
#include "scan_neighbours.hlsli"
#endif

/* A thread and its tile. */
struct work_item {
    uint thread;
    bool is_tile;
    uint line_number;
    uint tile;
    uint2 place; /* of the line's element k = 0, in input and output */
#if ELEMENTS_ARE_HALVES
    neighbours beside;
#endif
};

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

/* v becomes the block's outputs. `before` is the tally before the block, and becomes the one after
 * it; `base` is the sum that the block's own sums are added to. */
void sum_block(tally base, inout tally before, inout tally v[BLOCK]) {
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
    [branch] if (item.is_tile && k < line_length)
        store_results(item.thread, item.beside, item.place.y + k * output_step,
                      min(BLOCK, line_length - k));
    GroupMemoryBarrierWithGroupSync();
}
#else
void store_block(work_item item, uint k, tally v[BLOCK]) {
    [branch] if (!item.is_tile)
        return;
    [unroll] for (uint i = 0; i < BLOCK; i++)
        [branch] if (k + i < line_length)
            store(item.place.y + (k + i) * output_step, v[i]);
}
#endif

/* The elements that all threads of the group loop over, so that all reach every barrier. A thread
 * whose tile is shorter stores nothing in the last rounds. Its record is then wrong, which does not
 * matter: it is the last tile of its line, and no output depends on the record. */
uint count_elements(uint group_tile) {
    return min(TILE, line_length - group_tile * TILE);
}

/* The outputs are computed in the reverse order of the totals: the elements that the pass for the
 * totals read last are still in the caches. */
uint tile_of(uint number) {
    const uint nth = min(number / line_count, tile_count - 1);
    return first_tile + (has(FLAG_TOTALS) ? nth : tile_count - 1 - nth);
}

[numthreads(GROUP_THREADS, 1, 1)]
void main(uint3 group : SV_GroupID, uint thread : SV_GroupIndex) {
    const uint first = group_number(group) * GROUP_THREADS;
    const uint number = first + thread;
    const bool totals = has(FLAG_TOTALS);
    work_item item;
    item.thread = thread;
    item.is_tile = number / line_count < tile_count;
    item.line_number = number % line_count;
    item.tile = tile_of(number);
    item.place = line_places(item.line_number);
#if ELEMENTS_ARE_HALVES
    item.beside = enter_line(thread, item.is_tile, item.line_number, item.place.y);
#endif
    tally above = zero_tally();
    tally before = above;
    [branch] if (!totals) {
        above = tiles_before(item.line_number, item.tile);
        before = tally_before(item.line_number, item.tile);
    }
    tally carry = zero_tally();
    tally carry_before_last = carry;
    tally last = carry;
    const uint count = count_elements(min(tile_of(first), tile_of(first + GROUP_THREADS - 1)));
    [loop] for (uint done = 0; done < count; done += BLOCK) {
        const uint k = item.tile * TILE + done;
        tally v[BLOCK];
        [branch] if (has(FLAG_IN_PLACE))
            load_block(output_buffer, item.place.y, k, v);
        else
            load_block(input_buffer, item.place.x, k, v);
        widen_block(k, v);
        scan_block(v);
        carry_before_last = carry;
        last = v[BLOCK - 1];
        carry = add(carry, last);
        [branch] if (!totals) {
            sum_block(add(above, carry_before_last), before, v);
            store_block(item, k, v);
        }
    }
    [branch] if (totals && item.is_tile)
        store_record(item.line_number, item.tile, carry_before_last, last);
}
