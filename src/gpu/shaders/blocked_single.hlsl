/* SPDX-License-Identifier: MIT */
// elements: FLOAT32 FLOAT16 FLOAT16_HALF INTEGER32 INTEGER64
/*
 * The blocked order in a single pass, for few lines of several tiles that are not interleaved: each
 * element is read once and written once. A group takes a tile, publishes its total, waits for the
 * published sums of the tiles before it (scan_publish.hlsli), and adds them in the blocked order.
 *
 * Dispatches of this shader follow each other:
 *
 *     1   clears the words that the others use (not FLAG_CONTINUES)
 *     2   takes the tiles in the order in which groups begin, so a group waits only for groups that
 *         have begun. A device may still let them rest: a group looks a limited number of times,
 *         and then leaves its tile as it is, without a mark, and counts it (FLAG_CONTINUES and
 *         FLAG_CONTINUED)
 *     3   scans the tiles without a mark, of 64 a group. All sums are published by now
 *         (FLAG_CONTINUES)
 *     4   exclusive scans of floats: the same again, for the running sums after tiles that
 *         3 scanned
 */
#define AHEAD ROUNDS /* all of a tile */
#include "scan_publish.hlsli"
#include "scan_tile.hlsli"

#define most_looks first_tile /* of a thread at what it waits for */
#define LEVELS     2          /* above the tiles: enough for 1024^3 elements */
#define NOTHING    0xFFFFFFFFu

groupshared uint shared_number[GROUP_THREADS]; /* the group's tiles, of those of all lines */
groupshared uint shared_count;
groupshared uint shared_missing; /* not 0: the group has looked often enough */
groupshared accumulator found_value[GROUP_TILES * LEVELS * BLOCK];
groupshared accumulator found_block[GROUP_TILES * LEVELS * BLOCKS_PER_TILE];
groupshared accumulator level_carry[GROUP_TILES * LEVELS];
groupshared accumulator level_last[GROUP_TILES * LEVELS];

/* With TICKET a group takes 16 tiles, which are a block of the level above: it reads them twice, the
 * second time from a cache, and publishes the block's sum. */
#ifdef TICKET
#define FIRST_DEPTH      1
#define FIRST_PARTS      BLOCK
#define TICKETS_PER_LINE ((tiles_per_line + BLOCK - 1) / BLOCK)
groupshared accumulator tile_sum[BLOCK];
#else
#define FIRST_DEPTH      0
#define FIRST_PARTS      1
#define TICKETS_PER_LINE NUMBERS_PER_LINE
#endif

/* What a group takes and scans at a time has a number: a tile, or several (scan_stage.hlsli). */
#ifdef ACROSS
#define GROUP_LINES      GROUP_TILES
#define NUMBERS_PER_LINE tiles_per_line
#else
#define GROUP_LINES      1
#define NUMBERS_PER_LINE ((tiles_per_line + GROUP_TILES - 1) / GROUP_TILES)
#endif
#define COUNT_LINES ((line_count + GROUP_LINES - 1) / GROUP_LINES)
#if GROUP_TILES > 1
#define FIRST_LINE(number) ((number) / NUMBERS_PER_LINE * GROUP_LINES)
#define FIRST_TILE(number)                                                                         \
    ((number) % NUMBERS_PER_LINE * (GROUP_TILES / GROUP_LINES))
#define FIRST_MARK(number) (FIRST_LINE(number) * tiles_per_line + FIRST_TILE(number))
#else
#define FIRST_MARK(number) number
#endif

#ifndef REST /* between two looks */
#define REST
#endif

/* Finds the group's tiles: the next one, or of 64 those without a mark. A barrier must follow, and
 * one must be between this and shared_count = 0. */
void take_numbers(uint group, uint thread) {
    uint number = group * GROUP_THREADS + thread;
    bool is_taken = false;
    [branch] if (has(FLAG_CONTINUED)) {
        [branch] if (thread == 0) {
            work.InterlockedAdd(TICKETS, 1, number);
            is_taken = number < COUNT_LINES * TICKETS_PER_LINE;
        }
    } else if (number < COUNT_LINES * NUMBERS_PER_LINE) {
        is_taken = !is_marked(FIRST_MARK(number));
    }
    [branch] if (is_taken) {
        uint nth;
        InterlockedAdd(shared_count, 1, nth);
        shared_number[nth] = number;
    }
}

/* Publishes the total of a tile, and all sums that are complete with it. */
void publish_total(uint line_number, uint tile, accumulator total) {
    uint first = FIRST_DEPTH * tiles_per_line; /* the first value of its kind */
    uint count = tiles_per_line / FIRST_PARTS;
    uint nth = tile / FIRST_PARTS;
    [loop] for (uint depth = FIRST_DEPTH; depth < 4; depth++) {
        const uint zero = publish(value_place(line_number, first + nth), total);
        const bool is_block = (depth & 1) != 0;
        const uint parts = is_block ? BLOCKS_PER_TILE : BLOCK;
        const uint next = first + count;
        nth /= parts;
        count /= parts;
        uint there = 0;
        [branch] if (depth < 3 && nth < count)
            work.InterlockedAdd(count_place(line_number, next + nth), 1 + zero, there);
        [branch] if (there != parts - 1)
            break;
        const uint place = value_place(line_number, first + nth * parts);
        [branch] if (is_block)
            total = published_tile(place);
        else
            total = published_block(place);
        first = next;
    }
}

/* The first look at a value. NOTHING is 0. */
words begin_look(uint line_number, uint value) {
    words seen = words_of(zero_sum());
    [branch] if (value != NOTHING) {
        seen = 0;
        [branch] if (most_looks > 0)
            seen = peek(value_place(line_number, value));
    }
    return seen;
}

/* Loads are cheaper than atomic operations, which execute one after the other on a word. Each 16th
 * look is one all the same, for compilers that take a load out of a loop. */
accumulator end_look(uint line_number, uint value, words seen, inout uint looks) {
    [loop] while (!is_there(seen) && looks < most_looks) {
        [branch] if (looks % 16 == 0)
            seen = look(value_place(line_number, value));
        else
            seen = peek(value_place(line_number, value));
        looks++;
        REST;
    }
    [branch] if (!is_there(seen))
        shared_missing = 1;
    return value_of(seen);
}

/* How many elements of a level lead to C[tile]. The last of them is in a block, and that in a tile
 * of the level. */
uint elements_of(uint level, uint tile) {
    return level == 0 || tile == 0 ? tile : (tile - 1) / TILE;
}

/* The nth block before that block in that tile, and the nth element of that block. */
uint block_to_find(uint level, uint tile, uint nth) {
    const uint count = elements_of(level, tile);
    const uint block = (count - 1) / BLOCK;
    const bool exists = count > 0 && nth < block % BLOCKS_PER_TILE;
    return exists ? block_values(level) + block / BLOCKS_PER_TILE * BLOCKS_PER_TILE + nth : NOTHING;
}
uint value_to_find(uint level, uint tile, uint nth) {
    const uint count = elements_of(level, tile);
    const uint first = (count - 1) / BLOCK * BLOCK;
    return count > 0 && first + nth < count ? level_values(level) + first + nth : NOTHING;
}

/* Finds what C[tile] is made of, of the group's tile `nth`, with 64 threads. A barrier must follow. */
void find_sums(uint thread, uint nth, uint line_number, uint tile) {
    uint looks = 1;
#if GROUP_THREADS > BLOCKS_PER_TILE
    [branch] if (thread >= BLOCKS_PER_TILE)
        return;
#endif
    const uint lower = block_to_find(0, tile, thread);
    const uint upper = block_to_find(1, tile, thread);
    const uint value = thread < LEVELS * BLOCK ? value_to_find(thread / BLOCK, tile, thread % BLOCK)
                                               : NOTHING;
    const words lower_seen = begin_look(line_number, lower);
    const words upper_seen = begin_look(line_number, upper);
    const words value_seen = begin_look(line_number, value);
    const uint place = nth * LEVELS * BLOCKS_PER_TILE + thread;
    found_block[place] = end_look(line_number, lower, lower_seen, looks);
    found_block[place + BLOCKS_PER_TILE] = end_look(line_number, upper, upper_seen, looks);
    const accumulator found = end_look(line_number, value, value_seen, looks);
    [branch] if (thread < LEVELS * BLOCK)
        found_value[nth * LEVELS * BLOCK + thread] = found;
}

/* The carry before the block, and the sum of its elements. A barrier must follow. */
void sum_level(uint level, uint nth, uint tile) {
    const uint place = nth * LEVELS + level;
    accumulator v[BLOCK];
    [unroll] for (uint i = 0; i < BLOCK; i++)
        v[i] = found_value[place * BLOCK + i];
    scan_block(v);
    [unroll] for (uint n = 0; n < BLOCK; n++)
        found_value[place * BLOCK + n] = v[n];
    const uint count = elements_of(level, tile);
    level_last[place] = found_value[place * BLOCK + (count - 1) % BLOCK];
    const uint end = count > 0 ? (count - 1) / BLOCK % BLOCKS_PER_TILE : 0;
    accumulator carry = zero_sum();
    [loop] for (uint block = 0; block < end; block += BLOCK) {
        accumulator sums[BLOCK];
        [unroll] for (uint j = 0; j < BLOCK; j++)
            sums[j] = found_block[place * BLOCKS_PER_TILE + block + j];
        carry = add_in_turn(carry, sums, min(end - block, BLOCK));
    }
    level_carry[place] = carry;
}

/* C[tile], of the group's tile `nth`. */
accumulator sum_levels(uint nth) {
    accumulator sum = zero_sum();
    [unroll] for (uint level = LEVELS; level-- > 0;)
        sum = add(add(sum, level_carry[nth * LEVELS + level]), level_last[nth * LEVELS + level]);
    return sum;
}

/* The running sum before the tile, with the bits of the tile before. One thread calls this. */
accumulator exchange_sums(uint line_number, uint tile, accumulator above) {
    accumulator before = above; /* of integers it has the same bits */
#if ADDS_FLOATS
    const accumulator after = add(add(above, block_carry[ROWS - 1]), block_total[ROWS - 1]);
    [branch] if (has(FLAG_EXCLUSIVE) && shared_missing == 0) {
        uint looks = 1;
        publish(value_place(line_number, after_values() + tile), after);
        const uint value = tile > 0 ? after_values() + tile - 1 : NOTHING;
        before = end_look(line_number, value, begin_look(line_number, value), looks);
    }
#endif
    return before;
}

#if GROUP_TILES == 1
void scan_number(uint thread, uint number) {
    const uint line_number = number / tiles_per_line;
    const uint tile = number % tiles_per_line;
    [branch] if (thread == 0)
        shared_missing = 0;
    enter_lines(thread, line_number);
    GroupMemoryBarrierWithGroupSync();
    accumulator v[BLOCK];
    const bool coarse = take_tile(thread, tile * TILE, v);
    GroupMemoryBarrierWithGroupSync();
    run_carries(thread, coarse);
    [branch] if (thread == LAST_CARRY && has(FLAG_CONTINUED))
        publish_total(line_number, tile, add(block_carry[ROWS - 1], block_total[ROWS - 1]));
    find_sums(thread, 0, line_number, tile);
    GroupMemoryBarrierWithGroupSync();
    [branch] if (thread < LEVELS)
        sum_level(thread, 0, tile);
    GroupMemoryBarrierWithGroupSync();
    const accumulator above = sum_levels(0);
    accumulator before = zero_sum();
    [branch] if (thread == 0)
        before = exchange_sums(line_number, tile, above);
    GroupMemoryBarrierWithGroupSync();
    const bool is_complete = shared_missing == 0;
    [branch] if (is_complete)
        sum_blocks(thread, above, before, v, coarse);
    GroupMemoryBarrierWithGroupSync();
    [branch] if (is_complete) {
        empty_stage(thread, line_number, tile * TILE);
        [branch] if (thread == 0)
            work.Store(mark_place(number), 1);
    } else if (thread == 0 && has(FLAG_CONTINUED)) {
        uint others;
        work.InterlockedAdd(LEFT, 1, others);
    }
}
#else
#include "scan_several.hlsli"
#endif

#ifdef TICKET
/* Tile n of a ticket; C[t] is `above`. */
void finish_tile(uint thread, uint line_number, uint tile, accumulator above) {
    const uint number = line_number * tiles_per_line + tile;
    const bool exists = tile < tiles_per_line;
    accumulator before = zero_sum();
    accumulator v[BLOCK];
    const bool coarse = take_tile(thread, tile * TILE, v);
    GroupMemoryBarrierWithGroupSync();
    run_carries(thread, coarse);
    GroupMemoryBarrierWithGroupSync();
    [branch] if (thread == 0 && exists)
        before = exchange_sums(line_number, tile, above);
    GroupMemoryBarrierWithGroupSync();
    const bool is_complete = exists && shared_missing == 0;
    [branch] if (is_complete)
        sum_blocks(thread, above, before, v, coarse);
    GroupMemoryBarrierWithGroupSync();
    [branch] if (is_complete)
        empty_stage(thread, line_number, tile * TILE);
    [branch] if (thread == 0 && is_complete) {
        work.Store(mark_place(number), 1);
    } else if (thread == 0 && exists) {
        uint others;
        work.InterlockedAdd(LEFT, 1, others);
    }
    GroupMemoryBarrierWithGroupSync();
}

/* The sums of the levels before a tile. */
void find_levels(uint thread, uint line_number, uint tile) {
    find_sums(thread, 0, line_number, tile);
    GroupMemoryBarrierWithGroupSync();
    [branch] if (thread < LEVELS)
        sum_level(thread, 0, tile);
    GroupMemoryBarrierWithGroupSync();
}

/* Tiles beyond the line's end have zeros. */
void scan_ticket(uint thread, uint ticket) {
    const uint line_number = ticket / TICKETS_PER_LINE;
    const uint first = ticket % TICKETS_PER_LINE * BLOCK;
    accumulator v[BLOCK];
    [branch] if (thread == 0)
        shared_missing = 0;
    enter_lines(thread, line_number);
    GroupMemoryBarrierWithGroupSync();
    [loop] for (uint n = 0; n < BLOCK; n++) {
        const bool coarse = take_tile(thread, (first + n) * TILE, v);
        GroupMemoryBarrierWithGroupSync();
        run_carries(thread, coarse);
        [branch] if (thread == LAST_CARRY)
            tile_sum[n] = add(block_carry[ROWS - 1], block_total[ROWS - 1]);
        GroupMemoryBarrierWithGroupSync();
    }
    [branch] if (thread < BLOCK && first + thread < tiles_per_line)
        publish(value_place(line_number, first + thread), tile_sum[thread]);
    [unroll] for (uint i = 0; i < BLOCK; i++)
        v[i] = tile_sum[i];
    scan_block(v);
    GroupMemoryBarrierWithGroupSync();
    [branch] if (thread == 0) {
        [unroll] for (uint j = 0; j < BLOCK; j++)
            tile_sum[j] = v[j];
        [branch] if (first + BLOCK <= tiles_per_line)
            publish_total(line_number, first, v[BLOCK - 1]);
    }
    find_levels(thread, line_number, first);
    const accumulator begin = sum_levels(0);
    GroupMemoryBarrierWithGroupSync();
    find_levels(thread, line_number, first + 1);
    const accumulator upper = add(add(zero_sum(), level_carry[1]), level_last[1]);
    const accumulator base = add(upper, level_carry[0]);
    finish_tile(thread, line_number, first, begin);
    [loop] for (uint m = 1; m < BLOCK; m++)
        finish_tile(thread, line_number, first + m, add(base, tile_sum[m - 1]));
}
#endif

[numthreads(GROUP_THREADS, 1, 1)]
void main(uint3 group : SV_GroupID, uint thread : SV_GroupIndex) {
    [branch] if (!has(FLAG_CONTINUES)) {
        clear_words(group_number(group), thread);
        return;
    }
    [branch] if (thread == 0)
        shared_count = 0;
    GroupMemoryBarrierWithGroupSync();
    take_numbers(group_number(group), thread);
    GroupMemoryBarrierWithGroupSync();
#ifdef TICKET
    [branch] if (has(FLAG_CONTINUED)) {
        if (shared_count > 0)
            scan_ticket(thread, shared_number[0]);
        return;
    }
#endif
    [loop] for (uint nth = 0; nth < GROUP_THREADS; nth++) {
        if (nth >= shared_count)
            return;
        scan_number(thread, shared_number[nth]);
        GroupMemoryBarrierWithGroupSync();
    }
}
