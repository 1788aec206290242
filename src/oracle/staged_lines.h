/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_ORACLE_STAGED_LINES_H
#define CUMSUM_ORACLE_STAGED_LINES_H

/*
 * Lines whose elements lie apart, such as the columns of a matrix, are copied next to each other
 * before they are judged. Lines that are neighbours in memory share its cache lines and pages, so
 * that several are copied together.
 *
 * Invariants: a state has room of its own; other states of the judgement never write there. Where
 * outputs share addresses nothing is staged, since the address says which line wrote last.
 */

#include <stdbool.h>
#include <stdint.h>

typedef struct judge_state judge_state;

typedef struct staged_lines {
    unsigned char *room; /* for `most` lines of the input, and then of the output; NULL: lines are
                            read where they lie */
    uint64_t most;
    uint64_t pitch;       /* bytes from a staged line to the next */
    uint32_t dimension;   /* the last one other than the axis: along it lines are neighbours */
    bool input_only;      /* the output is not needed */
    bool set_aside;       /* lines are read where they lie, though there is room */
    uint64_t first, held; /* the lines that the room holds */
} staged_lines;

/* Decides whether lines are staged, and if so returns how many bytes of room a state needs; else 0.
 * `room` is set by the caller. */
uint64_t cumsum_stage_plan(judge_state *s);

/* Makes s->line_input and s->line_actual, with their steps, those of a staged line, in the order of
 * its indices. Copies the line, and the ones after it, unless the room holds it. */
void cumsum_stage_line(judge_state *s, uint64_t line);

#endif
