/* SPDX-License-Identifier: MIT */
// elements: FLOAT32 FLOAT16 FLOAT16_HALF INTEGER32 INTEGER64
/*
 * The blocked order, a thread a tile, for lines that lie side by side: neighbouring threads are on
 * the same tile of neighbouring lines.
 */
#include "scan_blocked.hlsli"

void load_block(RWByteAddressBuffer from, uint place, uint k, out tally v[BLOCK]) {
    [unroll] for (uint i = 0; i < BLOCK; i++)
        v[i] = load(from, place + min(k + i, line_length - 1) * input_step);
}

/* +0 for elements that the line does not have. */
void widen_block(uint k, inout tally v[BLOCK]) {
    [unroll] for (uint i = 0; i < BLOCK; i++) {
        v[i] = widen(v[i]);
        if (k + i >= line_length)
            v[i] = zero_tally();
    }
}

/* Answers the tally after the block. */
tally store_block(uint place, uint k, tally base, tally before, tally v[BLOCK]) {
    [unroll] for (uint i = 0; i < BLOCK; i++) {
        const tally sum = add(base, v[i]);
        [branch] if (k + i < line_length) {
            tally result = sum;
            if (has(FLAG_EXCLUSIVE))
                result = before;
            store(place + (k + i) * output_step, result);
        }
        before = sum;
    }
    return before;
}

[numthreads(GROUP_THREADS, 1, 1)]
void main(uint3 group : SV_GroupID, uint thread : SV_GroupIndex) {
    const uint number = group_number(group) * GROUP_THREADS + thread;
    if (number / line_count >= tile_count)
        return;
    const uint line_number = number % line_count;
    const uint tile = first_tile + number / line_count;
    const uint2 place = line_places(line_number);
    const bool totals = has(FLAG_TOTALS);
    tally above = zero_tally();
    tally before = above;
    [branch] if (!totals) {
        above = tiles_before(line_number, tile);
        before = tally_before(line_number, tile);
    }
    tally carry = zero_tally();
    tally carry_before_last = carry;
    tally last = carry;
    /* What a line's last tile does not have is not needed: nobody asks for its record. */
    const uint count = min(TILE, line_length - tile * TILE);
    [loop] for (uint done = 0; done < count; done += BLOCK) {
        const uint k = tile * TILE + done;
        tally v[BLOCK];
        [branch] if (has(FLAG_IN_PLACE))
            load_block(output_buffer, place.y, k, v);
        else
            load_block(input_buffer, place.x, k, v);
        widen_block(k, v);
        scan_block(v);
        [branch] if (!totals)
            before = store_block(place.y, k, add(above, carry), before, v);
        carry_before_last = carry;
        last = v[BLOCK - 1];
        carry = add(carry, last);
    }
    [branch] if (totals)
        store_record(line_number, tile, carry_before_last, last);
}
