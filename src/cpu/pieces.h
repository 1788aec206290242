/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_PIECES_H
#define CUMSUM_CPU_PIECES_H

/*
 * The carry of cumsum/carry.h: carry.c makes and appends carries, carry_execute.c executes pieces
 * from them, carry_bytes.c saves and loads them, segments.c begins anew in each segment.
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
    uint64_t room;         /* blocked totals: the whole tiles of a line that they hold */
    size_t size;           /* of a line's carry */
    unsigned char *states; /* [lines], in row-major order: a member of cumsum_line_carry each */
    float *totals; /* [lines][room]: of each whole tile; NULL: not a blocked total, or no room */
};

/* The carry of a line. */
static inline void *cumsum_carry_of_line(const cumsum_carry *carry, uint64_t line) {
    return carry->states + line * carry->size;
}

/* Whole tiles between two positions, the first of which begins one. */
uint64_t cumsum_whole_tiles(uint64_t begin, uint64_t end);

/* A carry with all states zero and `room` tiles for a total; NULL without memory. */
cumsum_carry *cumsum_carry_allocate(const cumsum_plan *plan, uint64_t begin, bool is_total,
                                    uint64_t room);

/* Checks what every carry needs, that its plan's type has carries, and sets *carry to NULL. */
cumsum_status cumsum_carry_check_creation(const cumsum_plan *plan, cumsum_carry **carry,
                                          cumsum_diagnostic *diagnostic);

/* Checks that a plan agrees with what a carry is for (cumsum/carry.h). */
cumsum_status cumsum_carry_check_plan(const cumsum_plan *plan, const cumsum_carry *carry,
                                      cumsum_diagnostic *diagnostic);

/* A piece that is executed. */
typedef struct piece_job {
    const cumsum_plan *plan;
    const cumsum_binding *binding;
    cumsum_carry *carry;
    uint64_t first; /* elements of the plan's lines before the piece, and of the piece */
    uint64_t count;
    bool writes;
} piece_job;

/* The piece of line number `number`, as a panel of one line. */
cumsum_panel cumsum_line_of_piece(const piece_job *job, uint64_t number);

/* Moves the carries of `count` lines from number `first` on over the piece, and writes its outputs
 * if it does. The carry's end is where the piece begins, and stays. */
void cumsum_move_piece(const piece_job *job, uint64_t first, uint64_t count);

/* Moves the carry of the first line over an element that is not one of the plan's. */
void cumsum_move_element(const piece_job *job, const unsigned char *element);

/* CUMSUM_OUT_OF_MEMORY, with its diagnostic. */
cumsum_status cumsum_carry_no_memory(cumsum_diagnostic *diagnostic);

#endif
