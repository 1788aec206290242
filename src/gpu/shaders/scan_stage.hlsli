/* SPDX-License-Identifier: MIT */
/*
 * 64 rows of 16 elements in groupshared memory, filled and emptied by all threads of a group with
 * neighbouring threads on neighbouring elements of a row; in between each thread has a row of its
 * own. A row's length is odd, so that threads going down their rows meet in no bank.
 */
#ifndef SCAN_STAGE
#define SCAN_STAGE

#include "scan_element.hlsli"

#define ROWS   64
#define ROW    16
#define STRIDE (ROW + 1)
#define AHEAD  4 /* loads of a thread under way at a time */

groupshared tally stage[ROWS * STRIDE];
groupshared uint2 stage_line[ROWS]; /* line_places of the group's lines */

/* The cell that a thread loads and stores in turn i of ROW. */
uint cell_row(uint thread, uint i) {
    return (i * GROUP_THREADS + thread) / ROW;
}
uint cell_column(uint thread) {
    return thread % ROW;
}

/*
 * Stores a cell: `element` of the output. `is_next` and `is_previous` say whether the stage holds
 * and the group stores the next and the previous element of the same line too: halves of one word
 * are then stored together.
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

#endif
