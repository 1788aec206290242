/* SPDX-License-Identifier: MIT */
// elements: FLOAT32 FLOAT16 FLOAT16_HALF HALF_SUMS INTEGER32 INTEGER64
/*
 * The blocked order, one thread per tile, for interleaved lines. Adjacent threads work on the same
 * tile of adjacent lines, so they access adjacent elements.
 */
#include "scan_interleaved.hlsli"

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

/* Sums the thread's tile from `from`, and stores the outputs or the tile's record. */
void sum_tile(RWByteAddressBuffer from, work_item item, uint tile, uint count, bool totals) {
    accumulator above = zero_sum();
    accumulator before = above;
    if (!totals) {
        above = tiles_before(item.line_number, tile);
        before = sum_before(item.line_number, tile);
    }
    accumulator carry = zero_sum();
    accumulator carry_before_last = carry;
    accumulator last = carry;
    [loop] for (uint done = 0; done < count; done += BLOCK) {
        const uint k = tile * TILE + done;
        accumulator v[BLOCK];
        const bool coarse = take_block(from, item.place.x, k, v);
        carry_before_last = carry;
        last = v[BLOCK - 1];
        carry = add(carry, last);
        if (!totals) {
            sum_block(add(above, carry_before_last), before, v, coarse);
            store_block(item, k, v);
        }
    }
    [branch] if (totals && item.is_line)
        store_record(item.line_number, tile, carry_before_last, last);
}

[numthreads(GROUP_THREADS, 1, 1)]
void main(uint3 group : SV_GroupID, uint thread : SV_GroupIndex) {
    const uint first = group_number(group) * GROUP_THREADS;
    const uint number = first + thread;
    work_item item;
    item.thread = thread;
    item.is_line = number / line_count < tile_count;
#if !ELEMENTS_ARE_HALVES
    if (!item.is_line)
        return;
#endif
    item.line_number = number % line_count;
    const uint tile = tile_of(number);
    item.place = line_places(item.line_number);
#if ELEMENTS_ARE_HALVES
    item.beside = enter_line(thread, item.is_line, item.line_number, item.place.y);
#endif
    const uint count = count_elements(min(tile_of(first), tile_of(first + GROUP_THREADS - 1)));
    /* In place a thread reads and writes through one slot. A pass for totals stores no output. */
    [branch] if (has(FLAG_TOTALS)) {
        item.place.x = has(FLAG_IN_PLACE) ? item.place.y : item.place.x;
        sum_tile(input_buffer, item, tile, count, true);
    } else if (has(FLAG_IN_PLACE)) {
        item.place.x = item.place.y;
        sum_tile(output_buffer, item, tile, count, false);
    } else {
        sum_tile(input_buffer, item, tile, count, false);
    }
}
