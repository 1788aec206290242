/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_PIECES_H
#define CUMSUM_CPU_PIECES_H

/*
 * The carry of cumsum/carry.h: carry.c makes and appends carries, carry_execute.c executes pieces
 * from them, carry_bytes.c saves and loads them.
 */

#include "line_state.h"
#include "plan.h"

#include <cumsum/carry.h>

#include <stddef.h>

struct cumsum_carry {
    cumsum_arithmetic arithmetic; /* `exclusive` and `half_store` are not used */
    bool decreasing;
    uint64_t lines;
    uint64_t begin; /* positions: see cumsum_carry_begin and cumsum_carry_end */
    uint64_t end;
    bool is_total;
    cumsum_state_kind kind;
    uint64_t room; /* blocked totals: the whole tiles of a line that they hold */
    size_t size;   /* of a state */
    void *states;  /* [lines], of the kind's type, in row-major order of lines */
    float *totals; /* [lines][room]: of each whole tile; NULL: not a blocked total */
};

/* The state of a line; each for its kind alone. Integers have 4 or 8 bytes. */
uint64_t cumsum_carry_integer(const cumsum_carry *carry, uint64_t line);
void cumsum_carry_set_integer(const cumsum_carry *carry, uint64_t line, uint64_t sum);
float *cumsum_carry_accumulator(const cumsum_carry *carry, uint64_t line);
cumsum_blocked_state *cumsum_carry_blocked(const cumsum_carry *carry, uint64_t line);
cumsum_wide_sum *cumsum_carry_exact(const cumsum_carry *carry, uint64_t line);

/* Whole tiles between two positions, the first of which begins one. */
uint64_t cumsum_whole_tiles(uint64_t begin, uint64_t end);

/* A carry with all states zero and `room` tiles for a total; NULL without memory. */
cumsum_carry *cumsum_carry_allocate(const cumsum_plan *plan, uint64_t begin, bool is_total,
                                    uint64_t room);

/* Checks that a plan agrees with what a carry is for (cumsum/carry.h). */
cumsum_status cumsum_carry_check_plan(const cumsum_plan *plan, const cumsum_carry *carry,
                                      cumsum_diagnostic *diagnostic);

/* CUMSUM_OUT_OF_MEMORY, with its diagnostic. */
cumsum_status cumsum_carry_no_memory(cumsum_diagnostic *diagnostic);

#endif
