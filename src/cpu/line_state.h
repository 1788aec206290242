/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_LINE_STATE_H
#define CUMSUM_CPU_LINE_STATE_H

/*
 * What a public carry (cumsum/carry.h) keeps of a line between two pieces, and the plain code that
 * moves it on by any number of elements. Pieces begin and end anywhere, also in the middle of a
 * block of the blocked order; kernels begin at tiles. So carry_execute.c gives whole tiles to the
 * kernels, and the rest to the functions here. It shares no code with the reference.
 *
 * Invariant: a state is a function of the elements before it alone, not of how they were cut.
 */

#include "kernel_table.h"

/* The blocked order. The names c[b] and C[t] are those of docs/numerics.md. */
typedef struct cumsum_blocked_state {
    cumsum_level tile;                          /* the tile that is open: its blocks, c[b], C[t] */
    cumsum_level levels[CUMSUM_BLOCKED_LEVELS]; /* above it; unused in a total */
    float last[2]; /* c[b] and v_b[i] of the last element: its output is fl(fl(C[t] + c[b]) + v) */
    float before;  /* that output; unused in a total */
} cumsum_blocked_state;

/* Which of these functions is used. */
typedef enum cumsum_state_kind {
    CUMSUM_STATE_INTEGER,    /* uint32_t or uint64_t: the sum */
    CUMSUM_STATE_SEQUENTIAL, /* float: the accumulator */
    CUMSUM_STATE_BLOCKED,    /* cumsum_blocked_state */
    CUMSUM_STATE_EXACT       /* cumsum_wide_sum */
} cumsum_state_kind;

cumsum_state_kind cumsum_state_kind_of(const cumsum_arithmetic *arithmetic);

/* Each takes a line as a panel of one, moves the state over its elements and, with `writes`, writes
 * its outputs. In place, each element is read before it is written. */

void cumsum_move_integer(const cumsum_panel *line, const cumsum_arithmetic *arithmetic, bool writes,
                         uint64_t *sum);

void cumsum_move_sequential(const cumsum_panel *line, const cumsum_arithmetic *arithmetic,
                            bool writes, float *accumulator);

/* position: of the line's first element in the whole line. totals: NULL, or where the totals of the
 * tiles that end in the line go, for a state without levels (then `writes` is false). Returns how
 * many tiles end. */
uint64_t cumsum_move_blocked(const cumsum_panel *line, const cumsum_arithmetic *arithmetic,
                             bool writes, uint64_t position, cumsum_blocked_state *state,
                             float *totals);

/* Moves the levels and C[t] over one tile, number `number`, whose total is `total`. */
void cumsum_move_over_tile(const cumsum_arithmetic *arithmetic, uint64_t number, float total,
                           cumsum_blocked_state *state);

/* fl(fl(C[t] + c[b]) + v_b[i]) of the element that `last` describes. */
float cumsum_blocked_output(const cumsum_arithmetic *arithmetic, float tiles_before,
                            const float last[2]);

#endif
