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

#define AHEAD 16 /* loads of a thread in flight at a time */

/* A thread and its line. */
struct work_item {
    uint thread;
    bool is_line;
    uint2 place; /* of the line's next element, in input and output */
#if ELEMENTS_ARE_HALVES
    neighbours beside;
#endif
};

/* Loads the first `count` elements, and the last of them again and again. So nothing outside the
 * tensor is accessed. */
void load_ahead(RWByteAddressBuffer from, uint place, uint count, out accumulator x[AHEAD]) {
    [unroll] for (uint i = 0; i < AHEAD; i++)
        x[i] = load(from, place + min(i, count - 1) * input_step);
}

/* Adds the first `count` elements of x to the sum. They become their outputs. */
void sum_ahead(inout accumulator sum, inout accumulator x[AHEAD], uint count) {
    [unroll] for (uint i = 0; i < AHEAD; i++) {
        const accumulator after = add_coarse(sum, widen(x[i]));
        x[i] = has(FLAG_EXCLUSIVE) ? sum : after;
        if (i < count)
            sum = after;
    }
}

#if ELEMENTS_ARE_HALVES
void store_ahead(work_item item, accumulator x[AHEAD], uint count) {
    [unroll] for (uint i = 0; i < AHEAD; i++)
        keep_result(item.thread, i, x[i]);
    share_results();
    [branch] if (item.is_line)
        store_results(item.thread, item.beside, item.place.y, count);
    GroupMemoryBarrierWithGroupSync();
}
#else
void store_ahead(work_item item, accumulator x[AHEAD], uint count) {
    [unroll] for (uint i = 0; i < AHEAD; i++)
        [branch] if (i < count)
            store(item.place.y + i * output_step, x[i]);
}
#endif

/* Adds the next elements, of which some are not coarse, and stores their outputs. They are loaded
 * again, in a short loop: registers have no index. */
accumulator sum_slowly(RWByteAddressBuffer from, uint2 place, uint count, accumulator sum) {
    [loop] for (uint n = 0; n < count; n++) {
        const accumulator after = add(sum, load(from, place.x));
        store(place.y, has(FLAG_EXCLUSIVE) ? sum : after);
        sum = after;
        place += steps();
    }
    return sum;
}

/* Adds the next `count` elements, at most AHEAD, and stores their outputs. */
accumulator scan_ahead(RWByteAddressBuffer from, work_item item, uint count, accumulator sum) {
    accumulator x[AHEAD];
    load_ahead(from, item.place.x, count, x);
    uint least = coarsest(ALL_COARSE, sum);
    [unroll] for (uint i = 0; i < AHEAD; i++)
        least = coarsest(least, x[i]);
    [branch] if (is_coarse(least)) {
        sum_ahead(sum, x, count);
        store_ahead(item, x, count);
    } else {
        sum = sum_slowly(from, item.place, count, sum);
    }
    return sum;
}

/* Scans a line. Most elements need no comparison with the line's end. */
accumulator scan_line(RWByteAddressBuffer from, work_item item, accumulator sum) {
    [loop] for (uint end = AHEAD; end <= line_length; end += AHEAD) {
        sum = scan_ahead(from, item, AHEAD, sum);
        item.place += AHEAD * steps();
    }
    const uint count = line_length % AHEAD;
    [branch] if (count > 0)
        sum = scan_ahead(from, item, count, sum);
    return sum;
}

/* In place a thread reads and writes through one slot. */
accumulator scan_elements(work_item item, accumulator sum) {
    [branch] if (has(FLAG_IN_PLACE)) {
        item.place.x = item.place.y;
        sum = scan_line(output_buffer, item, sum);
    } else {
        sum = scan_line(input_buffer, item, sum);
    }
    return sum;
}

[numthreads(GROUP_THREADS, 1, 1)]
void main(uint3 group : SV_GroupID, uint thread : SV_GroupIndex) {
    const uint line_number = group_number(group) * GROUP_THREADS + thread;
    work_item item;
    item.thread = thread;
    item.is_line = line_number < line_count;
#if ELEMENTS_ARE_HALVES
    item.place = line_places(min(line_number, line_count - 1));
    item.beside = enter_line(thread, item.is_line, line_number, item.place.y);
#else
    if (!item.is_line)
        return;
    item.place = line_places(line_number);
#endif
    accumulator sum = zero_sum();
    [branch] if (has(FLAG_CONTINUES) && item.is_line)
        sum = load_work(record_base + (line_number << line_shift));
    sum = scan_elements(item, sum);
    [branch] if (has(FLAG_CONTINUED) && item.is_line)
        store_work(line_number, sum);
}
