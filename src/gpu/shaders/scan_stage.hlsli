/* SPDX-License-Identifier: MIT */
/*
 * The stage: groupshared memory for elements of a group's lines. All threads of a group load and
 * store together, adjacent threads on adjacent elements of a line, whichever threads sum them.
 *
 * The stage has 64 rows of 16 elements. A line takes 1 << line_shift rows, so 64 >> line_shift
 * lines share it. A row is one cell longer than its elements. That length is odd, so threads that
 * go along their own rows at the same time access different memory banks.
 *
 * Variants for CUDA (bench/variants.txt) have GROUP_TILES times 64 rows: for as many tiles of a line,
 * one behind the other, or with ACROSS for the same tile of as many lines.
 */
#ifndef SCAN_STAGE
#define SCAN_STAGE

#include "scan_element.hlsli"

#ifndef GROUP_TILES
#define GROUP_TILES 1
#endif

#define ROWS   (64 * GROUP_TILES)
#define ROW    16
#define STRIDE (ROW + 1)

#define ROUNDS (ROWS * ROW / GROUP_THREADS) /* in which the threads of a group load all cells */

#ifndef AHEAD
#define AHEAD 4 /* loads of a thread in flight at a time */
#endif

groupshared accumulator stage[ROWS * STRIDE];
groupshared uint2 stage_line[ROWS / GROUP_TILES]; /* line_places of the group's lines */
groupshared uint stage_coarsest;    /* of all that was staged since begin_stage */

uint lines_per_group() {
    return ROWS >> line_shift;
}

uint elements_per_line() {
    return ROW << line_shift;
}

/* The cell of element i of the group's line `nth`. */
uint cell_of(uint nth, uint i) {
    return ((nth << line_shift) + i / ROW) * STRIDE + i % ROW;
}

/* Forgets what was staged. One thread calls it, between barriers. */
void begin_stage() {
    stage_coarsest = ALL_COARSE;
}

/* Computes the places of the group's lines, from first_line on. A barrier must follow. */
void enter_lines(uint thread, uint first_line) {
    [branch] if (thread == 0)
        begin_stage();
    [branch] if (thread < lines_per_group())
        stage_line[thread] = line_places(min(first_line + thread, line_count - 1));
}

/* The cell that a thread loads and stores in round i. The column is always the same. */
uint round_row(uint thread, uint i) {
    return (i * GROUP_THREADS + thread) / ROW;
}
uint round_column(uint thread) {
    return thread % ROW;
}

/* The number of a row's first element among its line's staged elements. */
uint row_start(uint row) {
    return (row & ((1u << line_shift) - 1)) * ROW;
}

#if GROUP_TILES > 1 && !defined(ACROSS)
#define STAGED_LINE(row)    0
#define STAGED_ELEMENT(row) ((row) * ROW)
#else
#define STAGED_LINE(row)    ((row) >> line_shift)
#define STAGED_ELEMENT(row) row_start(row)
#endif

/* Element k of a row's line. Beyond the line's end, loads the last element again, so that nothing
 * outside the tensor is accessed. */
accumulator load_element(RWByteAddressBuffer from, bool in_place, uint row, uint k) {
    const uint2 place = stage_line[STAGED_LINE(row)];
    const uint begin = in_place ? place.y : place.x;
    return load(from, begin + min(k, line_length - 1) * input_step);
}

/* Barriers separate this from begin_stage, and from threads that ask. */
void share_coarsest(uint of_thread) {
#if ELEMENT == FLOAT32
    InterlockedMin(stage_coarsest, of_thread);
#endif
}
bool stage_is_coarse() {
    return is_coarse(stage_coarsest);
}

#ifdef WIDE_LOADS
#include "scan_wide.hlsli"
#endif

#ifdef ACROSS
#define ACROSS_STEP (GROUP_THREADS / GROUP_TILES)
/* The same for lines that lie side by side in the input: adjacent threads load from adjacent lines. */
void fill_across(RWByteAddressBuffer from, bool in_place, uint thread, uint start) {
    const uint nth = thread % GROUP_TILES;
    const uint first = thread / GROUP_TILES;
    uint least = ALL_COARSE;
    accumulator x[ROUNDS];
    [unroll] for (uint i = 0; i < ROUNDS; i++)
        x[i] = load_element(from, in_place, nth << line_shift, start + i * ACROSS_STEP + first);
    [unroll] for (uint n = 0; n < ROUNDS; n++) {
        const uint k = n * ACROSS_STEP + first;
        accumulator element = widen(x[n]);
        if (start + k >= line_length)
            element = zero_sum();
        least = coarsest(least, element);
        stage[cell_of(nth, k)] = element;
    }
    share_coarsest(least);
}
#endif

/* Loads the elements from `start` on of the group's lines. Cells beyond a line's end become +0. */
void fill_stage(RWByteAddressBuffer from, bool in_place, uint thread, uint start) {
#ifdef ACROSS
    fill_across(from, in_place, thread, start);
    return;
#endif
#ifdef WIDE_LOADS
    const uint place = (in_place ? stage_line[0].y : stage_line[0].x) + start;
    [branch] if (is_wide(from, place, input_step, start)) {
        share_coarsest(fill_wide(from, thread, place));
        return;
    }
#endif
    const uint column = round_column(thread);
    uint least = ALL_COARSE;
#if AHEAD < ROUNDS
    [loop]
#else
    [unroll]
#endif
    for (uint i = 0; i < ROUNDS; i += AHEAD) {
        accumulator x[AHEAD];
        [unroll] for (uint j = 0; j < AHEAD; j++) {
            const uint row = round_row(thread, i + j);
            x[j] = load_element(from, in_place, row, start + STAGED_ELEMENT(row) + column);
        }
        [unroll] for (uint n = 0; n < AHEAD; n++) {
            const uint row = round_row(thread, i + n);
            accumulator element = widen(x[n]);
            if (start + STAGED_ELEMENT(row) + column >= line_length)
                element = zero_sum();
            least = coarsest(least, element);
            stage[row * STRIDE + column] = element;
        }
    }
    share_coarsest(least);
}

/*
 * Stores a cell to the place `element` of the output. `is_next` and `is_previous` are true if the
 * next and the previous element of the line are in the same row and stored in the same round. Two
 * halves of a word are then stored at once, by the lower one's thread.
 */
void store_cell(uint cell, uint element, bool is_next, bool is_previous) {
#if ELEMENTS_ARE_HALVES
    const bool forwards = output_step == 1;
    const bool contiguous = forwards || output_step == 0xFFFFFFFFu;
    const bool is_upper = forwards ? is_next : is_previous; /* at the next higher address */
    const bool is_lower = forwards ? is_previous : is_next;
    [branch] if (contiguous && (element & 1) == 0 && is_upper)
        store_pair(element, stage[cell], stage[forwards ? cell + 1 : cell - 1]);
    else if (!(contiguous && (element & 1) == 1 && is_lower))
        store(element, stage[cell]);
#else
    store(element, stage[cell]);
#endif
}

/* Stores the elements that fill_stage loaded, without the cells beyond a line's end. */
void empty_stage(uint thread, uint first_line, uint start) {
#ifdef WIDE_LOADS
    const uint place = stage_line[0].y + start;
    [branch] if (is_wide(output_buffer, place, output_step, start)) {
        empty_wide(thread, place);
        return;
    }
#endif
    const uint column = round_column(thread);
    [loop] for (uint i = 0; i < ROUNDS; i++) {
        const uint row = round_row(thread, i);
        const uint k = start + STAGED_ELEMENT(row) + column;
        const uint nth = STAGED_LINE(row);
        [branch] if (first_line + nth < line_count && k < line_length)
            store_cell(row * STRIDE + column, stage_line[nth].y + k * output_step,
                       column + 1 < ROW && k + 1 < line_length, column > 0);
    }
}

#endif
