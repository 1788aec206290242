/* SPDX-License-Identifier: MIT */
// elements: FLOAT32 FLOAT16 FLOAT16_HALF INTEGER32 INTEGER64
/*
 * The sequential order, a thread a line: for lines that lie side by side, where neighbouring threads
 * touch neighbouring elements. line_length elements of each line, from the tallies in `work` where
 * FLAG_CONTINUES is set; leaves the tallies there where FLAG_CONTINUED is.
 */
#include "scan_element.hlsli"
#if ELEMENTS_ARE_HALVES
#include "scan_neighbours.hlsli"
#endif

#define AHEAD 8 /* loads under way at a time */

/* A thread, its line, and where the line is. */
struct work_item {
    uint thread;
    bool is_line;
    uint2 place;
#if ELEMENTS_ARE_HALVES
    neighbours beside;
#endif
};

/* Elements behind the line's end are the last one again: nothing outside is touched. */
void load_ahead(RWByteAddressBuffer from, uint place, uint k, out tally x[AHEAD]) {
    [unroll] for (uint i = 0; i < AHEAD; i++)
        x[i] = load(from, place + min(k + i, line_length - 1) * input_step);
}

/* x becomes the results of count elements, which are added to the sum. */
void sum_ahead(inout tally sum, inout tally x[AHEAD], uint count) {
    [unroll] for (uint i = 0; i < AHEAD; i++) {
        const tally after = add(sum, widen(x[i]));
        x[i] = after;
        if (has(FLAG_EXCLUSIVE))
            x[i] = sum;
        if (i < count)
            sum = after;
    }
}

#if ELEMENTS_ARE_HALVES
void store_ahead(work_item item, uint k, tally x[AHEAD], uint count) {
    [unroll] for (uint i = 0; i < AHEAD; i++)
        keep_result(item.thread, i, x[i]);
    share_results();
    [branch] if (item.is_line)
        store_results(item.thread, item.beside, item.place.y + k * output_step, count);
    GroupMemoryBarrierWithGroupSync();
}
#else
void store_ahead(work_item item, uint k, tally x[AHEAD], uint count) {
    [branch] if (!item.is_line)
        return;
    [unroll] for (uint i = 0; i < AHEAD; i++)
        [branch] if (i < count)
            store(item.place.y + (k + i) * output_step, x[i]);
}
#endif

[numthreads(GROUP_THREADS, 1, 1)]
void main(uint3 group : SV_GroupID, uint thread : SV_GroupIndex) {
    const uint line_number = group_number(group) * GROUP_THREADS + thread;
    work_item item;
    item.thread = thread;
    item.is_line = line_number < line_count;
    item.place = line_places(min(line_number, line_count - 1));
#if ELEMENTS_ARE_HALVES
    item.beside = enter_line(thread, item.is_line, line_number, item.place.y);
#endif
    tally sum = zero_tally();
    [branch] if (has(FLAG_CONTINUES) && item.is_line)
        sum = load_work(line_number);
    [loop] for (uint k = 0; k < line_length; k += AHEAD) {
        const uint count = min(AHEAD, line_length - k);
        tally x[AHEAD];
        [branch] if (has(FLAG_IN_PLACE))
            load_ahead(output_buffer, item.place.y, k, x);
        else
            load_ahead(input_buffer, item.place.x, k, x);
        sum_ahead(sum, x, count);
        store_ahead(item, k, x, count);
    }
    [branch] if (has(FLAG_CONTINUED) && item.is_line)
        store_work(line_number, sum);
}
