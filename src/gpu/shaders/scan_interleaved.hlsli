/* SPDX-License-Identifier: MIT */
/*
 * Blocks of interleaved lines, whose 16 elements a thread loads, sums and stores itself. Adjacent
 * threads have the same block of adjacent lines, so they access adjacent elements.
 */
#ifndef SCAN_INTERLEAVED
#define SCAN_INTERLEAVED

#include "scan_blocked.hlsli"
#if ELEMENTS_ARE_HALVES
#include "scan_neighbours.hlsli"
#endif

/* A thread and its line. */
struct work_item {
    uint thread;
    bool is_line; /* otherwise the thread stores nothing */
    uint line_number;
    uint2 place; /* of the line's element k = 0, in input and output */
#if ELEMENTS_ARE_HALVES
    neighbours beside;
#endif
};

/* Beyond the line's end, loads the last element again, so that nothing outside the tensor is
 * accessed. */
void load_block(RWByteAddressBuffer from, uint place, uint k, out accumulator v[BLOCK]) {
    [unroll] for (uint i = 0; i < BLOCK; i++)
        v[i] = load(from, place + min(k + i, line_length - 1) * input_step);
}

/* Elements beyond the line's end become +0. Returns whether all are coarse. */
bool widen_block(uint k, inout accumulator v[BLOCK]) {
    uint least = ALL_COARSE;
    [unroll] for (uint i = 0; i < BLOCK; i++) {
        v[i] = widen(v[i]);
        if (k + i >= line_length)
            v[i] = zero_sum();
        least = coarsest(least, v[i]);
    }
    return is_coarse(least);
}

/* The sums of the block at element k of the line that begins at `place`. Returns whether all are
 * coarse. */
bool take_block(RWByteAddressBuffer from, uint place, uint k, out accumulator v[BLOCK]) {
    load_block(from, place, k, v);
    const bool coarse = widen_block(k, v);
    scan_block(v, coarse);
    return coarse;
}

#if ELEMENTS_ARE_HALVES
void store_block(work_item item, uint k, accumulator v[BLOCK]) {
    [unroll] for (uint i = 0; i < BLOCK; i++)
        keep_result(item.thread, i, v[i]);
    share_results();
    [branch] if (item.is_line && k < line_length)
        store_results(item.thread, item.beside, item.place.y + k * output_step,
                      min(BLOCK, line_length - k));
    GroupMemoryBarrierWithGroupSync();
}
#else
void store_block(work_item item, uint k, accumulator v[BLOCK]) {
    [branch] if (!item.is_line)
        return;
    [unroll] for (uint i = 0; i < BLOCK; i++)
        [branch] if (k + i < line_length)
            store(item.place.y + (k + i) * output_step, v[i]);
}
#endif

#endif
