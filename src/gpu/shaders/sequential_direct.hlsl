/* SPDX-License-Identifier: MIT */
// elements: FLOAT32 FLOAT16 FLOAT16_HALF INTEGER32 INTEGER64
/*
 * The sequential order, one thread per line, without staging: for interleaved lines, where adjacent
 * threads access adjacent elements. Scans line_length elements of each line. With FLAG_CONTINUES
 * the carry-ins are in `work`; with FLAG_CONTINUED the carry-outs go there.
 */
#include "scan_element.hlsli"
#if ELEMENTS_ARE_HALVES
#include "scan_neighbours.hlsli"
#endif

#define AHEAD 8 /* loads of a thread in flight at a time */

/* A thread and its line. */
struct work_item {
    uint thread;
    bool is_line;
    uint2 place; /* of the line's element k = 0, in input and output */
#if ELEMENTS_ARE_HALVES
    neighbours beside;
#endif
};

/* Beyond the line's end, loads the last element again, so that nothing outside the tensor is
 * accessed. */
void load_ahead(RWByteAddressBuffer from, uint place, uint k, out tally x[AHEAD]) {
    [unroll] for (uint i = 0; i < AHEAD; i++)
        x[i] = load(from, place + min(k + i, line_length - 1) * input_step);
}

/* Adds the elements of x to the sum. x becomes their outputs. */
void sum_all(inout tally sum, inout tally x[AHEAD], bool flushes) {
    [unroll] for (uint i = 0; i < AHEAD; i++) {
        const tally after = add_as(sum, widen(x[i]), flushes);
        x[i] = has(FLAG_EXCLUSIVE) ? sum : after;
        sum = after;
    }
}

/* Adds the first `count` elements. All lines have as many, so nothing but the line's end keeps
 * comparisons from the chain of additions. */
void sum_ahead(inout tally sum, inout tally x[AHEAD], uint count) {
    [branch] if (count < AHEAD) {
        [unroll] for (uint i = 0; i < AHEAD; i++) {
            const tally after = add(sum, widen(x[i]));
            x[i] = has(FLAG_EXCLUSIVE) ? sum : after;
            if (i < count)
                sum = after;
        }
    } else if (ELEMENT == FLOAT32 && has(FLAG_FLUSH)) {
        sum_all(sum, x, true);
    } else {
        sum_all(sum, x, false);
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
