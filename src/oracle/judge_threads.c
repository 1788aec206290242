/* SPDX-License-Identifier: MIT */
/* Tasks on the threads of the caller's pool. */
#include "judge_steps.h"

#include "fp_environment.h"
#include "pool_order.h"

#include <pthreadpool.h>
#include <stdlib.h>

/* Bounds the scratch that is reserved for each: 2 GiB where every order of 8 terms is tried. */
#define MOST_SHARES 255

/* What every task is given. */
typedef struct shared_call {
    void (*task)(void *context, size_t share);
    void *context;
} shared_call;

uint64_t cumsum_judge_shares(const judge_state *s) {
    const uint64_t lines = s->problem.lines;
    const uint64_t threads =
        s->options.thread_pool ? pthreadpool_get_threads_count(s->options.thread_pool) : 1;
    const uint64_t shares = threads < lines ? threads : lines;
    return shares < MOST_SHARES ? shares : MOST_SHARES;
}

/* Each thread has a floating-point mode of its own. */
static void run_share(void *context, size_t share) {
    const shared_call *call = context;
    cumsum_pool_acquire(context);
    const cumsum_fp_environment found = cumsum_fp_enter();
    call->task(call->context, share);
    cumsum_fp_leave(found);
    cumsum_pool_release(context);
}

void cumsum_judge_in_shares(const judge_state *s, uint64_t count,
                            void (*task)(void *context, size_t share), void *context) {
    shared_call call = {.task = task, .context = context};
    if (count == 1) {
        task(context, 0);
        return;
    }
    cumsum_pool_release(&call);
    /* Between two calls one thread works; the others sleep, and leave it the processor. */
    pthreadpool_parallelize_1d(s->options.thread_pool, run_share, &call, (size_t)count,
                               PTHREADPOOL_FLAG_YIELD_WORKERS);
    cumsum_pool_acquire(&call);
}

/* What cumsum_judge_share_lines is called with. */
typedef struct shared_lines {
    unsigned char *shares;
    size_t size;
    void (*task)(judge_share *mine);
} shared_lines;

static judge_share *share_of(const shared_lines *all, size_t i) {
    return (judge_share *)(void *)(all->shares + i * all->size);
}

static void run_task(void *context, size_t share) {
    const shared_lines *all = context;
    all->task(share_of(all, share));
}

cumsum_status cumsum_judge_share_lines(judge_state *s, size_t size, void (*task)(judge_share *mine),
                                       void (*append)(judge_state *s, const judge_share *mine)) {
    const uint64_t count = cumsum_judge_shares(s);
    shared_lines all = {calloc((size_t)count, size), size, task};
    if (!all.shares)
        return CUMSUM_OUT_OF_MEMORY;
    for (uint64_t i = 0; i < count; i++) {
        judge_share *mine = share_of(&all, (size_t)i);
        judge_share_state(s, i, &mine->state);
        mine->judgement = *s->judgement;
        mine->state.judgement = &mine->judgement;
        mine->first = judge_share_first(s, count, i);
        mine->end = judge_share_first(s, count, i + 1);
    }
    cumsum_judge_in_shares(s, count, run_task, &all);
    for (uint64_t i = 0; i < count; i++)
        append(s, share_of(&all, (size_t)i));
    free(all.shares);
    return CUMSUM_OK;
}
