/* SPDX-License-Identifier: MIT */
/*
 * Threads inside a line. The lines, end to end, are a row of elements from which threads take parts
 * in order; and in that order the state moves from part to part, like a baton. Who takes a part
 * while the state is still on its way sums it meanwhile, moves the state over it as soon as it
 * comes, and writes the part while it is in the cache. Who finds the state there writes at once.
 *
 * Whoever waits does so for a part that was taken before its own, by a thread that is at work on
 * it: the first such part waits for nothing, so there is always progress, also with a single thread
 * or more threads than processors. But then the one that is waited for may be without a processor
 * for milliseconds. So who has waited for long gives its part back and sleeps for a while: the one
 * that it waited for will find the part, and is faster without somebody who polls.
 */
#include "line_chain.h"

#include "nap.h"
#include "poll.h"
#include "pool_order.h"

#include "compiler.h"
#include "fp_environment.h"

#include <pthreadpool.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <string.h>

/* What different threads write lies on different cache lines. */
typedef struct chain {
    const cumsum_plan *plan;
    const cumsum_binding *binding;
    alignas(64) _Atomic uint64_t taken; /* elements up to here are taken, counted over all lines */
    alignas(64) _Atomic uint64_t ready; /* up to here they are in the state */
    alignas(64) cumsum_carry state;     /* of who has the turn: whose part begins at `ready` */
    cumsum_nap nap;                     /* until all is taken */
} chain;

/* A part of a line, and where it lies in the row of all lines. */
typedef struct part {
    uint64_t first;
    uint64_t count;
    bool begins; /* a line */
    cumsum_panel panel;
} part;

static bool has_turn(chain *c, const part *p) {
    return atomic_load_explicit(&c->ready, memory_order_acquire) == p->first;
}

/* Half of a part where the state is there: the others wait for it to come out behind that. */
static uint64_t segment_length(chain *c, uint64_t first) {
    const uint64_t length = c->plan->segment_length;
    return atomic_load_explicit(&c->ready, memory_order_relaxed) == first ? length / 2 : length;
}

static uint64_t all_elements(const chain *c) {
    return c->plan->shape.lines * c->plan->shape.length; /* at most 2^32 - 1 */
}

static bool take_part(chain *c, part *p) {
    const cumsum_shape *shape = &c->plan->shape;
    const uint64_t all = all_elements(c);
    uint64_t first = atomic_load_explicit(&c->taken, memory_order_relaxed);
    uint64_t count = 0;
    do {
        if (first == all)
            return false;
        const uint64_t length = segment_length(c, first);
        const uint64_t rest = shape->length - first % shape->length;
        count = length < rest ? length : rest;
    } while (!atomic_compare_exchange_weak_explicit(&c->taken, &first, first + count,
                                                    memory_order_acquire, memory_order_relaxed));
    p->first = first;
    p->count = count;
    p->begins = first % shape->length == 0;
    if (first + count == all)
        cumsum_nap_end(&c->nap);
    p->panel = cumsum_plan_segment(c->plan, c->binding, first / shape->length,
                                   first % shape->length, count);
    return true;
}

/* Only with the turn. */
static void begin_line(chain *c, const part *p) {
    if (p->begins)
        memset(&c->state, 0, sizeof c->state);
}

static void hand_on(chain *c, const part *p) {
    atomic_store_explicit(&c->ready, p->first + p->count, memory_order_release);
}

static void write_at_once(chain *c, const part *p) {
    begin_line(c, p);
    c->plan->line->write(&p->panel, &c->plan->arithmetic, NULL, &c->state, NULL);
    hand_on(c, p);
}

/* Only the last part taken can be given back. Whoever takes it next may write over what was read
 * here, and has to do so afterwards. */
static bool give_back(chain *c, const part *p) {
    uint64_t end = p->first + p->count;
    return atomic_compare_exchange_strong_explicit(&c->taken, &end, p->first, memory_order_release,
                                                   memory_order_relaxed);
}

/* Answers false where that took too long, and the part is given back. */
static bool wait_for_turn(chain *c, const part *p) {
    for (unsigned polls = 1; !has_turn(c, p); polls++) {
        cumsum_pause();
        if (polls % CUMSUM_POLLS)
            continue;
        if (give_back(c, p))
            return false;
        cumsum_yield();
    }
    return true;
}

/* Leaves what is to be written in sums; false where the part is given back. */
static bool sum_up(chain *c, const part *p, cumsum_segment_sums *sums) {
    const cumsum_segment_functions *line = c->plan->line;
    line->total(&p->panel, &c->plan->arithmetic, sums);
    if (!wait_for_turn(c, p))
        return false;
    begin_line(c, p);
    line->advance(p->count, &c->plan->arithmetic, sums, &c->state);
    hand_on(c, p);
    return true;
}

static bool all_taken(void *context) {
    chain *c = context;
    return atomic_load_explicit(&c->taken, memory_order_relaxed) == all_elements(c);
}

/* Takes a part, and from then on the next one before the last one is written. */
static void take_and_write(chain *c) {
    unsigned naps = 0;
    part p, next;
    bool more = take_part(c, &p);
    while (more) {
        cumsum_segment_sums sums;
        if (has_turn(c, &p)) {
            write_at_once(c, &p);
            more = take_part(c, &p);
        } else if (sum_up(c, &p, &sums)) {
            more = take_part(c, &next);
            c->plan->line->write(&p.panel, &c->plan->arithmetic, &sums, NULL,
                                 more ? &next.panel : NULL);
            p = next;
        } else {
            cumsum_nap_take(&c->nap, naps++, all_taken, c);
            more = take_part(c, &p);
        }
    }
}

/* What each thread does. */
static void work(void *context, size_t number) {
    (void)number;
    cumsum_pool_acquire(context);
    const cumsum_fp_environment found = cumsum_fp_enter();
    take_and_write(context);
    cumsum_fp_leave(found);
    cumsum_pool_release(context);
}

void cumsum_line_chain_compute(const cumsum_plan *plan, const cumsum_binding *binding) {
    chain c = {.plan = plan, .binding = binding};
    cumsum_nap_init(&c.nap);
    cumsum_pool_release(&c);
    pthreadpool_parallelize_1d(plan->thread_pool, work, &c,
                               pthreadpool_get_threads_count(plan->thread_pool), 0);
    cumsum_pool_acquire(&c);
    cumsum_nap_destroy(&c.nap);
}
