/* SPDX-License-Identifier: MIT */
// elements: FLOAT32 FLOAT16 FLOAT16_HALF INTEGER32 INTEGER64
/*
 * The sequential order, a thread a line: for lines that lie side by side, where neighbouring threads
 * touch neighbouring elements. line_length elements of each line, from the tallies in `work` where
 * FLAG_CONTINUES is set; leaves the tallies there.
 */
#include "scan_element.hlsli"

/* Loads under way at a time. */
#if ELEMENTS_ARE_HALVES
#define AHEAD 4
#else
#define AHEAD 8
#endif

void load_ahead(RWByteAddressBuffer from, uint place, uint k, out tally x[AHEAD]) {
    [unroll] for (uint i = 0; i < AHEAD; i++)
        x[i] = load(from, place + min(k + i, line_length - 1) * input_step);
}

[numthreads(GROUP_THREADS, 1, 1)]
void main(uint3 group : SV_GroupID, uint thread : SV_GroupIndex) {
    const uint line_number = group_number(group) * GROUP_THREADS + thread;
    if (line_number >= line_count)
        return;
    const uint2 place = line_places(line_number);
    tally sum = zero_tally();
    [branch] if (has(FLAG_CONTINUES))
        sum = load_work(line_number);
    [loop] for (uint k = 0; k < line_length; k += AHEAD) {
        tally x[AHEAD];
        [branch] if (has(FLAG_IN_PLACE))
            load_ahead(output_buffer, place.y, k, x);
        else
            load_ahead(input_buffer, place.x, k, x);
        [unroll] for (uint i = 0; i < AHEAD; i++) {
            [branch] if (k + i < line_length) {
                const tally before = sum;
                sum = add(sum, widen(x[i]));
                tally result = sum;
                if (has(FLAG_EXCLUSIVE))
                    result = before;
                store(place.y + (k + i) * output_step, result);
            }
        }
    }
    [branch] if (has(FLAG_CONTINUED))
        store_work(line_number, sum);
}
