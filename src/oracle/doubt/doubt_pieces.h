/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_ORACLE_DOUBT_PIECES_H
#define CUMSUM_ORACLE_DOUBT_PIECES_H

/*
 * Doubt in lines that come in pieces: docs/oracle.md, "Doubt in pieces". What is known of a line
 * has a bounded size.
 *
 * Invariant: all of it depends on the line alone, however it is cut.
 */

#include "doubt_line.h"
#include "order_run.h"

/* Thresholds that a jump may have to exceed: DOUBT_SEAM_JUMP, or DOUBT_JUMP. */
enum {
    DOUBT_THRESHOLDS = 2
};

/* Lanes that are followed: term k is added to the one of number k mod 8. */
enum {
    DOUBT_LANES = 8
};

/* A line under one arithmetic. */
typedef struct doubt_model {
    doubt_scan scan; /* first, so that its explain finds the rest */
    double sum;      /* of the terms so far, in sequence */
    double lanes[DOUBT_LANES];
    sum_range drift;                       /* of the errors of the sums in sequence */
    sum_range lane_drift;                  /* of the errors of all lanes' sums, after each row */
    cumsum_finding findings[DOUBT_PLACES]; /* without coordinates */
    doubt_jumps jumps;                     /* those that a chunk may explain included */
    /* Outputs that are suspect, by what verdict 1 said of them: above 256, and above 16 only. */
    uint64_t marked[DOUBT_THRESHOLDS][CUMSUM_VERDICT_MAY_OVERFLOW];
} doubt_model;

/* A line between two pieces. */
typedef struct doubt_between {
    line_progress terms;
    double sums[ORDER_VARIANTS]; /* of the sequential orders, */
    uint32_t sequential;         /* and bits of those that give all outputs so far */
    unsigned count;              /* arithmetics */
    doubt_model models[];
} doubt_between;

/* The bytes of a line between pieces, and the line of no terms. */
size_t cumsum_doubt_between_size(const judge_state *s);
void cumsum_doubt_begin_line(const judge_state *s, doubt_between *line);

/* Moves behind the current piece of the current line. `only` is the verdict of all of its outputs,
 * CUMSUM_VERDICT_COUNT if they have several; s->exact is the prefix before the piece. */
void cumsum_doubt_piece(judge_state *s, doubt_between *line, cumsum_verdict only);

/* Which outputs are suspect: moves their counts, and fills in judgement->doubt. Returns whether
 * there is a doubt or a note, whose finding is then the one that is shown. */
bool cumsum_doubt_end(judge_state *s);

#endif
