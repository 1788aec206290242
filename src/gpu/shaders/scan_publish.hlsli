/* SPDX-License-Identifier: MIT */
/*
 * Sums that groups of one dispatch publish for each other, in `work`. All words are 0 at first. A
 * published value has no word that is 0, so a word that is read is either all of its value or
 * missing; no order of memory accesses is needed. Values are written, and waited for, by atomic
 * operations, which all groups see.
 *
 * A line of T tiles has these values, in turn:
 *
 *     T            the tiles' totals: the elements of level 1
 *     T >> 4       the sums of its blocks, after the network
 *     T >> 10      the totals of its tiles: the elements of level 2
 *     T >> 14      the sums of its blocks; level 2 has one tile
 *     T            floats: the running sums after the tiles, for exclusive scans
 *
 * and then, for each of the T >> 4, T >> 10 and T >> 14 values, a counter of those values of its
 * sum that are published. The group that publishes the last one computes the sum, so no group waits
 * for that. The bits do not depend on which group it is. The last words, one for each tile, are
 * marks: the tile's outputs are stored.
 */
#ifndef SCAN_PUBLISH
#define SCAN_PUBLISH

#ifndef WORK_BUFFER
#define WORK_BUFFER globallycoherent RWByteAddressBuffer
#endif
#include "scan_blocked.hlsli"

/* The words of a value: the complement of a float, with another NaN for the one whose complement is
 * 0; 16 bits of an integer each, with a bit that is always set. */
#if ELEMENT == INTEGER64
#define WORDS 4
typedef uint4 words;
#elif ELEMENT == INTEGER32
#define WORDS 2
typedef uint2 words;
#else
#define WORDS 1
typedef uint words;
#endif
#define ADDS_FLOATS (ELEMENT != INTEGER32 && ELEMENT != INTEGER64)
#define QUIET_NAN   0x7FC00000u
#define VALID       0x10000u

#define TICKETS 0 /* the first word: how many groups have begun */
#define LEFT    4 /* the byte address of the second word: how many tiles were left */
#define LINES   2 /* the place of the first line's words */

words words_of(accumulator value) {
#if ELEMENT == INTEGER64
    return uint4(value.x & 0xFFFFu, value.x >> 16, value.y & 0xFFFFu, value.y >> 16) | VALID;
#elif ELEMENT == INTEGER32
    return uint2(value & 0xFFFFu, value >> 16) | VALID;
#else
    return value == 0xFFFFFFFFu ? ~QUIET_NAN : ~value;
#endif
}

accumulator value_of(words seen) {
#if ELEMENT == INTEGER64
    return uint2((seen.x & 0xFFFFu) | seen.y << 16, (seen.z & 0xFFFFu) | seen.w << 16);
#elif ELEMENT == INTEGER32
    return (seen.x & 0xFFFFu) | seen.y << 16;
#else
    return ~seen;
#endif
}

bool is_there(words seen) {
    return all(seen != 0);
}

/* Where a line's values of each kind begin, counted in values. */
uint level_values(uint level) {
    return level == 0 ? 0 : tiles_per_line + (tiles_per_line >> 4);
}
uint block_values(uint level) {
    return level_values(level) + (tiles_per_line >> (level * 10));
}
uint after_values() {
    return block_values(1) + (tiles_per_line >> 14);
}
uint values_per_line() {
    return after_values() + (ADDS_FLOATS ? tiles_per_line : 0);
}
uint words_per_line() {
    return values_per_line() * WORDS + after_values(); /* as many counters and marks */
}

uint value_place(uint line_number, uint value) {
    return (LINES + line_number * words_per_line() + value * WORDS) * 4;
}
/* Of a value of a block or a level's tile: how much of it is there. */
uint count_place(uint line_number, uint value) {
    return (LINES + line_number * words_per_line() + values_per_line() * WORDS + value -
            tiles_per_line) * 4;
}
/* Not 0: the outputs of the tile, of those of all lines, are stored. */
uint mark_place(uint number) {
    return count_place(number / tiles_per_line, after_values() + number % tiles_per_line);
}
bool is_marked(uint number) {
    return work.Load(mark_place(number)) != 0;
}

/* Each group sets 1024 words to 0. */
void clear_words(uint group, uint thread) {
    const uint end = LINES + line_count * words_per_line();
    [unroll] for (uint i = 0; i < 16; i++) {
        const uint place = (group * 16 + i) * GROUP_THREADS + thread;
        [branch] if (place < end)
            work.Store(place * 4, 0);
    }
}

/* Returns a 0 that is known only when the value is there for all groups. */
uint publish(uint place, accumulator value) {
    const words all_words = words_of(value);
    words old;
#if ELEMENT == INTEGER64
    work.InterlockedExchange(place, all_words.x, old.x);
    work.InterlockedExchange(place + 4, all_words.y, old.y);
    work.InterlockedExchange(place + 8, all_words.z, old.z);
    work.InterlockedExchange(place + 12, all_words.w, old.w);
    return (old.x | old.y | old.z | old.w) & HIDDEN_ZERO;
#elif ELEMENT == INTEGER32
    work.InterlockedExchange(place, all_words.x, old.x);
    work.InterlockedExchange(place + 4, all_words.y, old.y);
    return (old.x | old.y) & HIDDEN_ZERO;
#else
    work.InterlockedExchange(place, all_words, old);
    return old & HIDDEN_ZERO;
#endif
}

/* A value's words. `work` is coherent, but a compiler may forget that: they may be older than what
 * is published. */
words peek(uint place) {
#if ELEMENT == INTEGER64
    return work.Load4(place);
#elif ELEMENT == INTEGER32
    return work.Load2(place);
#else
    return work.Load(place);
#endif
}

/* A value's words, as they are. */
words look(uint place) {
    words seen;
#if ELEMENT == INTEGER64
    work.InterlockedOr(place, HIDDEN_ZERO, seen.x);
    work.InterlockedOr(place + 4, HIDDEN_ZERO, seen.y);
    work.InterlockedOr(place + 8, HIDDEN_ZERO, seen.z);
    work.InterlockedOr(place + 12, HIDDEN_ZERO, seen.w);
#elif ELEMENT == INTEGER32
    work.InterlockedOr(place, HIDDEN_ZERO, seen.x);
    work.InterlockedOr(place + 4, HIDDEN_ZERO, seen.y);
#else
    work.InterlockedOr(place, HIDDEN_ZERO, seen);
#endif
    return seen;
}

/* The sum of a block of published values. */
accumulator published_block(uint place) {
    accumulator v[BLOCK];
    [unroll] for (uint i = 0; i < BLOCK; i++)
        v[i] = value_of(look(place + i * WORDS * 4));
    scan_block(v);
    return v[BLOCK - 1];
}

/* The total of a tile of a level, of the published sums of its blocks: 16 looks are in flight at a
 * time. All groups of the next 1024 tiles wait for this. */
accumulator published_tile(uint place) {
    accumulator carry = zero_sum();
    [loop] for (uint i = 0; i < BLOCKS_PER_TILE; i += BLOCK) {
        accumulator v[BLOCK];
        [unroll] for (uint j = 0; j < BLOCK; j++)
            v[j] = value_of(look(place + (i + j) * WORDS * 4));
        carry = add_in_turn(carry, v, BLOCK);
    }
    return carry;
}

#endif
