/* SPDX-License-Identifier: MIT */
/*
 * A variant of blocked_single, for CUDA (GROUP_TILES of bench/variants.txt): a group takes several
 * tiles (scan_stage.hlsli), each with 64 threads, or 128. It leaves or stores all of them.
 */
#ifndef SCAN_SEVERAL
#define SCAN_SEVERAL

/* Where the outputs of the thread's tile begin: C[t], and the running sum before the tile. */
struct tile_start {
    accumulator above;
    accumulator before;
};

#ifdef LOOKS_BACK
groupshared accumulator seen_sum[BLOCKS_PER_TILE];
groupshared uint nearest; /* of the groups before: one that knows all sums up to its end */

/* The sum of a line's groups before one. Integers have the same bits in any order. */
accumulator look_back(uint thread, uint line_number, uint groups) {
    accumulator sum = zero_sum();
    bool is_known = false;
    [loop] for (uint end = groups; end > 0 && !is_known; end -= min(end, BLOCKS_PER_TILE)) {
        [branch] if (thread == 0)
            nearest = BLOCKS_PER_TILE;
        GroupMemoryBarrierWithGroupSync();
        [branch] if (thread < min(end, BLOCKS_PER_TILE)) {
            const uint place = value_place(line_number, (end - 1 - thread) * GROUP_TILES);
            words total = begin_look(line_number, (end - 1 - thread) * GROUP_TILES);
            words all_before = begin_look(line_number, (end - 1 - thread) * GROUP_TILES + 1);
            [loop] for (uint looks = 1; looks < most_looks && !is_there(total); looks++) {
                [branch] if (looks % 16 == 0)
                    total = look(place);
                else
                    total = peek(place);
                all_before = peek(place + WORDS * 4);
                REST;
            }
            [branch] if (is_there(all_before))
                InterlockedMin(nearest, thread);
            else if (!is_there(total))
                shared_missing = 1;
            seen_sum[thread] = value_of(is_there(all_before) ? all_before : total);
        }
        GroupMemoryBarrierWithGroupSync();
        is_known = nearest < BLOCKS_PER_TILE;
        [loop] for (uint i = 0; i < min(end, min(nearest + 1, BLOCKS_PER_TILE)); i++)
            sum = add(sum, seen_sum[i]);
        GroupMemoryBarrierWithGroupSync();
    }
    return sum;
}

/* A group publishes the sum of its tiles in the place of its first tile's total, and the sum of the
 * line up to its end in that of the second. */
tile_start start_tile(uint thread, uint nth, uint number) {
    const uint first = FIRST_TILE(number);
    const uint place = value_place(FIRST_LINE(number), first);
    accumulator all_tiles = zero_sum();
    tile_start start;
    start.above = zero_sum();
    [unroll] for (uint n = 0; n < GROUP_TILES; n++) {
        if (n == nth)
            start.above = all_tiles;
        const uint last_row = (n + 1) * BLOCKS_PER_TILE - 1;
        all_tiles = add(all_tiles, add(block_carry[last_row], block_total[last_row]));
    }
    [branch] if (thread == 0 && has(FLAG_CONTINUED))
        publish(place, all_tiles);
    const accumulator begin = look_back(thread, FIRST_LINE(number), first / GROUP_TILES);
    [branch] if (thread == 0 && shared_missing == 0 && first + GROUP_TILES < tiles_per_line)
        publish(place + WORDS * 4, add(begin, all_tiles));
    start.above = add(begin, start.above);
    start.before = start.above;
    return start;
}
#else
groupshared accumulator tile_above[GROUP_TILES];
groupshared accumulator tile_after[GROUP_TILES];
groupshared accumulator tile_before[GROUP_TILES];

/* Of tiles that follow each other the last one's threads find the sums: the others need a part of
 * them. The first tile of a block of tiles needs those of the block before. */
uint finder_of(uint nth, uint first) {
    const uint last = min(GROUP_TILES, tiles_per_line - first) - 1;
    return GROUP_LINES > 1 || (nth == 0 && first % BLOCK == 0) ? nth : last;
}

/* C[tile], of a tile whose sums `finder` found: the running sum before the tile's block of tiles, and
 * the sum of that block's tiles before this one. */
accumulator sum_found(uint finder, uint tile) {
    const uint place = finder * LEVELS;
    const accumulator upper = add(add(zero_sum(), level_carry[place + 1]), level_last[place + 1]);
    return add(add(upper, level_carry[place]), found_value[place * BLOCK + (tile - 1) % BLOCK]);
}

/* The two halves of exchange_sums. */
void publish_after(uint line_number, uint tile, accumulator after) {
#if ADDS_FLOATS
    [branch] if (has(FLAG_EXCLUSIVE) && shared_missing == 0)
        publish(value_place(line_number, after_values() + tile), after);
#endif
}
accumulator find_before(uint line_number, uint tile, accumulator above) {
    accumulator before = above;
#if ADDS_FLOATS
    [branch] if (has(FLAG_EXCLUSIVE) && shared_missing == 0) {
        uint looks = 1;
        const uint value = tile > 0 ? after_values() + tile - 1 : NOTHING;
        before = end_look(line_number, value, begin_look(line_number, value), looks);
    }
#endif
    return before;
}

tile_start start_tile(uint thread, uint nth, uint number) {
    const uint lane = thread % (BLOCKS_PER_TILE * PARTS);
    const uint last_row = nth * BLOCKS_PER_TILE + BLOCKS_PER_TILE - 1;
    const uint first = FIRST_TILE(number);
    const uint line_number = FIRST_LINE(number) + (GROUP_LINES > 1 ? nth : 0);
    const uint tile = first + (GROUP_LINES > 1 ? 0 : nth);
    const uint finder = finder_of(nth, first);
    const bool exists = line_number < line_count && tile < tiles_per_line;
    const bool finds = exists && nth == finder;
    [branch] if (lane == 0 && exists && has(FLAG_CONTINUED))
        publish_total(line_number, tile, add(block_carry[last_row], block_total[last_row]));
    [branch] if (finds && lane < BLOCKS_PER_TILE)
        find_sums(lane, nth, line_number, tile);
    GroupMemoryBarrierWithGroupSync();
    [branch] if (finds && lane < LEVELS)
        sum_level(lane, nth, tile);
    GroupMemoryBarrierWithGroupSync();
    [branch] if (lane == 0) {
        const accumulator above = sum_found(finder, tile);
        tile_above[nth] = above;
        tile_after[nth] = add(add(above, block_carry[last_row]), block_total[last_row]);
        [branch] if (exists)
            publish_after(line_number, tile, tile_after[nth]);
    }
    GroupMemoryBarrierWithGroupSync();
    [branch] if (lane == 0) {
        accumulator before = tile_above[nth];
        [branch] if (GROUP_LINES == 1 && nth > 0)
            before = tile_after[nth - 1];
        else if (exists)
            before = find_before(line_number, tile, before);
        tile_before[nth] = before;
    }
    GroupMemoryBarrierWithGroupSync();
    tile_start start;
    start.above = tile_above[nth];
    start.before = tile_before[nth];
    return start;
}
#endif

void scan_number(uint thread, uint number) {
    const uint nth = thread / (BLOCKS_PER_TILE * PARTS);
    const uint lane = thread % (BLOCKS_PER_TILE * PARTS);
    const uint first = FIRST_TILE(number);
    const uint line_number = FIRST_LINE(number) + (GROUP_LINES > 1 ? nth : 0);
    const uint tile = first + (GROUP_LINES > 1 ? 0 : nth);
    const bool exists = line_number < line_count && tile < tiles_per_line;
    [branch] if (thread == 0)
        shared_missing = 0;
    enter_lines(thread, FIRST_LINE(number));
    GroupMemoryBarrierWithGroupSync();
    accumulator v[BLOCK];
    const bool coarse = take_tile(thread, first * TILE, v);
    GroupMemoryBarrierWithGroupSync();
    run_carries(thread, coarse);
    GroupMemoryBarrierWithGroupSync();
    const tile_start start = start_tile(thread, nth, number);
    GroupMemoryBarrierWithGroupSync();
    const bool is_complete = shared_missing == 0;
    [branch] if (is_complete)
        sum_blocks(thread, start.above, start.before, v, coarse);
    GroupMemoryBarrierWithGroupSync();
    [branch] if (is_complete)
        empty_stage(thread, FIRST_LINE(number), first * TILE);
    [branch] if (lane == 0 && exists) {
        [branch] if (is_complete) {
            work.Store(mark_place(line_number * tiles_per_line + tile), 1);
        } else if (has(FLAG_CONTINUED)) {
            uint others;
            work.InterlockedAdd(LEFT, 1, others);
        }
    }
}

#endif
