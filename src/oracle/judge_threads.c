/* SPDX-License-Identifier: MIT */
/* Tasks on the threads of the caller's pool. */
#include "judge_steps.h"

#include "fp_environment.h"
#include "pool_order.h"

#include <pthreadpool.h>
#include <stdlib.h>

/* Bounds the scratch that is reserved for each: 2 GiB where every order of 8 terms is tried. */
#define MOST_SHARES 255

uint64_t cumsum_judge_shares(const judge_state *s) {
    const uint64_t lines = s->problem.lines;
    const uint64_t threads =
        s->options.thread_pool ? pthreadpool_get_threads_count(s->options.thread_pool) : 1;
    const uint64_t shares = threads < lines ? threads : lines;
    return shares < MOST_SHARES ? shares : MOST_SHARES;
}

/* The shares of a call. */
typedef struct shared_lines {
    unsigned char *shares;
    size_t size;
    void (*task)(judge_share *mine);
} shared_lines;

static judge_share *share_of(const shared_lines *all, size_t i) {
    return (judge_share *)(void *)(all->shares + i * all->size);
}

/* Each thread has a floating-point mode of its own. */
static void run_share(void *context, size_t i) {
    const shared_lines *all = context;
    cumsum_pool_acquire(context);
    const cumsum_fp_environment found = cumsum_fp_enter();
    all->task(share_of(all, i));
    cumsum_fp_leave(found);
    cumsum_pool_release(context);
}

static void run_shares(const judge_state *s, shared_lines *all, uint64_t count) {
    if (count == 1) {
        all->task(share_of(all, 0));
        return;
    }
    cumsum_pool_release(all);
    /* Between two calls one thread works; the others sleep, and leave it the processor. */
    pthreadpool_parallelize_1d(s->options.thread_pool, run_share, all, (size_t)count,
                               PTHREADPOOL_FLAG_YIELD_WORKERS);
    cumsum_pool_acquire(all);
}

/* The state is written where the share stands: it has more than 4 KiB, and a call has 32 KiB of
 * stack. */
static void begin_share(judge_state *s, judge_share *mine, uint64_t i, uint64_t count) {
    judge_state *copy = &mine->state;
    *copy = *s;
    if (s->how.values)
        copy->how.values += i * REACH_ROOM;
    if (s->staged.room) {
        copy->staged.room += i * s->staged.bytes;
        copy->staged.held = 0;
    }
    mine->judgement = *s->judgement;
    copy->judgement = &mine->judgement;
    mine->first = s->problem.lines * i / count; /* lines and threads are below 2^32 */
    mine->end = s->problem.lines * (i + 1) / count;
}

void cumsum_judge_share_lines(judge_state *s, size_t size, void (*task)(judge_share *mine),
                              void (*append)(judge_state *s, const judge_share *mine),
                              void *context) {
    const uint64_t count = cumsum_judge_shares(s);
    shared_lines all = {calloc((size_t)count, size), size, task};
    s->out_of_memory |= !all.shares;
    for (uint64_t i = 0; i < count && all.shares; i++) {
        begin_share(s, share_of(&all, (size_t)i), i, count);
        share_of(&all, (size_t)i)->context = context;
    }
    if (all.shares)
        run_shares(s, &all, count);
    s->staged.held = 0; /* the first share has the room of s */
    for (uint64_t i = 0; i < count && all.shares; i++) {
        const judge_share *share = share_of(&all, (size_t)i);
        s->out_of_memory |= share->state.out_of_memory;
        if (append)
            append(s, share);
    }
    free(all.shares);
}
