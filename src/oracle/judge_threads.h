/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_ORACLE_JUDGE_THREADS_H
#define CUMSUM_ORACLE_JUDGE_THREADS_H

/*
 * The lines of a tensor, shared among the threads of the caller's pool: share i of `count` has the
 * lines from judge_share_first(i) to those of the next share. The result of a step does not depend
 * on the number of shares, because shares are put together in the order of their lines.
 */

#include <stddef.h>

#include "judge_state.h"

/* 1 without a pool. */
uint64_t cumsum_judge_shares(const judge_state *s);

static inline uint64_t judge_share_first(const judge_state *s, uint64_t count, uint64_t share) {
    return s->problem.lines * share / count; /* lines and threads are below 2^32 */
}

/* Calls task for 0 to count - 1, in the floating-point mode of a judgement. */
void cumsum_judge_in_shares(const judge_state *s, uint64_t count,
                            void (*task)(void *context, size_t share), void *context);

#endif
