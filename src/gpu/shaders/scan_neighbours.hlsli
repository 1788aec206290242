/* SPDX-License-Identifier: MIT */
/*
 * Storing halves of lines that lie side by side: a word holds elements of two lines, and so of two
 * threads. The threads of a group lay their results out in groupshared memory, and the one whose
 * element is the lower half of a word stores both.
 *
 *     enter_line                      once, by all threads
 *     keep_result, share_results, store_results, barrier as often as needed
 */
#ifndef SCAN_NEIGHBOURS
#define SCAN_NEIGHBOURS

#include "scan_element.hlsli"

#define RESULTS 16 /* of each thread, at most, at a time */

groupshared tally kept_results[RESULTS * GROUP_THREADS];
groupshared uint kept_places[GROUP_THREADS];

struct neighbours {
    bool next; /* the next thread's elements lie right behind this one's */
    bool previous;
};

/* All threads; `is_line` where the thread has one, place is its output. The threads' lines follow
 * each other, and begin again where `line_number` is 0. */
neighbours enter_line(uint thread, bool is_line, uint line_number, uint place) {
    neighbours found;
    kept_places[thread] = place;
    GroupMemoryBarrierWithGroupSync();
    found.next = is_line && thread + 1 < GROUP_THREADS && line_number + 1 < line_count;
    found.previous = is_line && thread > 0 && line_number > 0;
    [branch] if (found.next)
        found.next = kept_places[thread + 1] == place + 1;
    [branch] if (found.previous)
        found.previous = kept_places[thread - 1] == place - 1;
    return found;
}

void keep_result(uint thread, uint i, tally value) {
    kept_results[i * GROUP_THREADS + thread] = value;
}

/* The results are there for all. In place nobody stores before everybody has loaded: a result of an
 * exclusive scan does not wait for the element in whose place it goes. */
void share_results() {
    [branch] if (has(FLAG_IN_PLACE))
        AllMemoryBarrierWithGroupSync();
    else
        GroupMemoryBarrierWithGroupSync();
}

/* Results 0 to end - 1, element `element` and those output_step further on. */
void store_results(uint thread, neighbours found, uint element, uint end) {
    [loop] for (uint i = 0; i < end; i++, element += output_step) {
        const uint kept = i * GROUP_THREADS + thread;
        const bool is_low = (element & 1) == 0;
        [branch] if (is_low && found.next)
            store_pair(element, kept_results[kept], kept_results[kept + 1]);
        else if (is_low || !found.previous)
            store(element, kept_results[kept]);
    }
}

#endif
