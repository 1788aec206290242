/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_LINE_STATE_H
#define CUMSUM_CPU_LINE_STATE_H

/*
 * What a public carry (cumsum/carry.h) keeps of a line between two pieces, which is a member of
 * cumsum_line_carry, and the plain code that moves it on by any number of elements. Pieces begin
 * and end anywhere, also in the middle of a block of the blocked order, where kernels do not. It
 * shares no code with the reference.
 *
 * Invariant: a carry is a function of the elements before it alone, not of how they were cut.
 */

#include "kernel_table.h"

/* Which member of cumsum_line_carry is used. */
typedef enum cumsum_state_kind {
    CUMSUM_STATE_INTEGER,    /* integer32 or integer64 */
    CUMSUM_STATE_SEQUENTIAL, /* accumulator */
    CUMSUM_STATE_BLOCKED,
    CUMSUM_STATE_EXACT
} cumsum_state_kind;

cumsum_state_kind cumsum_state_kind_of(const cumsum_arithmetic *arithmetic);

/* Takes a line as a panel of one, moves the carry over its elements and writes its outputs. In
 * place, each element is read before it is written. totals: NULL, or for a total of the blocked
 * order where the totals of the tiles that end in the line go, instead of to the levels. */
void cumsum_move_line(const cumsum_panel *line, const cumsum_arithmetic *arithmetic, void *carry,
                      float *totals);

/* Moves a carry from the beginning of a tile over one whose total is `total`. */
void cumsum_move_over_tile(const cumsum_arithmetic *arithmetic, float total,
                           cumsum_blocked_carry *carry);

/* fl(fl(C[t] + c[b]) + v_b[i]) of the element that `last` describes. */
float cumsum_blocked_output(const cumsum_arithmetic *arithmetic, float tiles_before,
                            const float last[2]);

#endif
