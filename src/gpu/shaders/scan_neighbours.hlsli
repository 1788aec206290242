/* SPDX-License-Identifier: MIT */
/*
 * Stores of 16-bit elements of interleaved lines. A word then holds elements of two lines, which
 * two adjacent threads sum. The threads of a group write their results to groupshared memory, and
 * the thread whose element is the lower half of a word stores both halves.
 *
 * All threads call enter_line once, and then, as often as needed: keep_result, share_results,
 * store_results, a barrier.
 */
#ifndef SCAN_NEIGHBOURS
#define SCAN_NEIGHBOURS

#include "scan_element.hlsli"

#define RESULTS 16 /* of each thread, at most, at a time */

groupshared accumulator kept_results[RESULTS * GROUP_THREADS];
groupshared uint kept_places[GROUP_THREADS];

struct neighbours {
    bool next;     /* the next thread's elements lie right behind this one's */
    bool previous; /* the previous thread's elements lie right before this one's */
};

/* `is_line` is true if the thread has a line; `place` is the place of its output. Adjacent threads
 * have adjacent lines. Behind the last line, the threads may begin with line 0 again, for the next
 * tile. */
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

void keep_result(uint thread, uint i, accumulator value) {
    kept_results[i * GROUP_THREADS + thread] = value;
}

/* Makes the kept results visible to all threads. In place, no thread may store before all threads
 * have loaded. An output of an exclusive scan does not depend on the element that it replaces, so
 * nothing but this barrier keeps that order. */
void share_results() {
    [branch] if (has(FLAG_IN_PLACE))
        AllMemoryBarrierWithGroupSync();
    else
        GroupMemoryBarrierWithGroupSync();
}

/* Stores results 0 to end - 1, to place `element` and every output_step from there. */
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
