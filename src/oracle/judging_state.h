/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_ORACLE_JUDGING_STATE_H
#define CUMSUM_ORACLE_JUDGING_STATE_H

/* What a judgement in pieces holds from one piece to the next: judging.c fills it in,
 * judging_bytes.c saves and loads it. */

#include <cumsum/judging.h>

#include "doubt_pieces.h"
#include "judge_state.h"

/* A line between two pieces. */
typedef struct line_between {
    line_progress progress;
    exact_prefix exact;
    uint64_t last_term; /* the bits of the last element and output */
    uint64_t last_output;
    uint64_t first_term; /* the same of the first ones that were judged */
    uint64_t first_output;
} line_between;

struct cumsum_judging {
    judge_state state;          /* its problem is that of the last piece */
    cumsum_judgement judgement; /* of the state */
    cumsum_profile profile;     /* the caller's */
    cumsum_problem problem;     /* of the desc that it began with */
    uint64_t length;            /* of the whole lines */
    uint64_t begin;             /* where the first piece that was judged begins */
    uint64_t position;
    bool sequential;        /* FLOAT32, FLOAT64: no output differs from that order so far */
    cumsum_finding largest; /* the output with the largest error so far */
    uint64_t largest_index;
    line_between *lines;
    void *doubts; /* a doubt_between for each line; NULL if doubt is not looked for */
};

#endif
