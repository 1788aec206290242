/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_JOBS_H
#define CUMSUM_TOOLS_JOBS_H

/* Pieces of work that several threads do at once, and whose results are shown in the order of the
 * pieces, whichever is done first. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Pieces have numbers from 0 on, and so have the jobs: the threads. */
typedef struct job_work {
    void *state; /* the first argument of each function */
    size_t pieces;
    uint32_t jobs; /* job 0 is the calling thread */
    bool together; /* a barrier: jobs start together, and each does a piece at least */
    uint64_t room; /* the bytes that all pieces take that are being done; one alone may take more */

    /* Called when a piece is the next one, perhaps again and again: the bytes that it takes. This
     * and the last two functions may be NULL. */
    uint64_t (*next)(void *state, size_t piece);

    /* Does a piece. Called by several threads at once, the others by one at a time. */
    void *(*run)(void *state, uint32_t job, size_t piece);

    /* Called when a piece is done. False: no more pieces are begun. */
    bool (*done)(void *state, size_t piece, void *result);

    /* Called in the order of the pieces. Takes over the result. */
    void (*show)(void *state, size_t piece, void *result);

    /* Called last by each job but 0, by several threads at once. */
    void (*end)(void *state, uint32_t job);
} job_work;

/* Returns when all pieces are done, or, after one that said so, those that were begun. */
void jobs_run(const job_work *work);

#endif
