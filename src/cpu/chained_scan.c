/* SPDX-License-Identifier: MIT */
/*
 * A chained scan: several threads inside a line.
 *
 * Threads take consecutive segments of the lines, and each segment needs the carry-out of the one
 * before. A thread whose carry-in is not ready reduces its segment while it waits. When the
 * carry-in arrives, it publishes its carry-out first and then writes the segment, which is still in
 * its cache. A thread whose carry-in is ready scans and writes in one pass.
 *
 * The method is the chained scan of Merrill and Garland, "Single-pass parallel prefix scan with
 * decoupled look-back" (NVIDIA, 2016). Their look-back, in which a segment adds up the sums of
 * several predecessors, is left out: it regroups additions, and the blocked order of floats fixes
 * their grouping. Instead each carry comes from the one predecessor, and the step from carry-in to
 * carry-out (cumsum_segment_advance) is short.
 *
 * Progress: a thread only waits for segments that were taken before its own, and the first of the
 * unfinished segments waits for nothing, so this works with any number of threads and processors.
 * With fewer processors than threads the predecessor may be descheduled for milliseconds. A thread
 * that has spun for long therefore gives its segment back and backs off: its predecessor then takes
 * that segment itself and runs faster without a spinning neighbour.
 *
 * Nothing is allocated. All shared state is in `chained_scan`, on the stack of the caller, so one
 * plan can be executed by several threads at once.
 */
#include "plan.h"

#include "pool_order.h"
#include "wait.h"

#include "compiler.h"
#include "fp_environment.h"

#include <pthreadpool.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <string.h>

/*
 * Shared by all threads of one execution. Positions count elements over all lines, which are taken
 * one after the other. Invariant: ready <= taken; the segment that begins at `ready` has its
 * carry-in in `carry`, and only the thread that holds that segment may touch it.
 *
 * Members that different threads write are on cache lines of their own.
 */
typedef struct chained_scan {
    const cumsum_plan *plan;
    const cumsum_binding *binding;
    alignas(64) _Atomic uint64_t taken; /* the segments before this position have been taken */
    alignas(64) _Atomic uint64_t ready; /* the carry covers the elements before this position */
    alignas(64) cumsum_line_carry carry;
    cumsum_backoff backoff; /* ends when all segments have been taken */
} chained_scan;

typedef struct segment {
    uint64_t first; /* its position */
    uint64_t count;
    bool begins_line;
    cumsum_panel panel;
} segment;

/* Acquires what the predecessor wrote to the carry: publish_carry_out releases it. */
static bool carry_in_ready(chained_scan *scan, const segment *s) {
    return atomic_load_explicit(&scan->ready, memory_order_acquire) == s->first;
}

/* A segment whose carry-in is ready is half as long: its carry-out comes only after the whole
 * segment has been written, and the other threads wait for that. */
static uint64_t segment_length(chained_scan *scan, uint64_t first) {
    const uint64_t length = scan->plan->segment_length;
    return atomic_load_explicit(&scan->ready, memory_order_relaxed) == first ? length / 2 : length;
}

static uint64_t all_elements(const chained_scan *scan) {
    return scan->plan->shape.lines * scan->plan->shape.length; /* at most 2^32 - 1 */
}

/* Takes the next segment, which ends with its line at the latest; false if none is left. The
 * acquire pairs with the release in give_back: see there. */
static bool take_segment(chained_scan *scan, segment *s) {
    const cumsum_shape *shape = &scan->plan->shape;
    const uint64_t all = all_elements(scan);
    uint64_t first = atomic_load_explicit(&scan->taken, memory_order_relaxed);
    uint64_t count = 0;
    do {
        if (first == all)
            return false;
        count = cumsum_least(segment_length(scan, first), shape->length - first % shape->length);
    } while (!atomic_compare_exchange_weak_explicit(&scan->taken, &first, first + count,
                                                    memory_order_acquire, memory_order_relaxed));
    s->first = first;
    s->count = count;
    s->begins_line = first % shape->length == 0;
    if (first + count == all)
        cumsum_backoff_end(&scan->backoff);
    s->panel = cumsum_plan_segment(scan->plan, scan->binding, first / shape->length,
                                   first % shape->length, count);
    return true;
}

/* Only once the carry-in is ready: until then the carry belongs to another thread. */
static void clear_at_line_start(chained_scan *scan, const segment *s) {
    if (s->begins_line)
        memset(&scan->carry, 0, sizeof scan->carry);
}

static void publish_carry_out(chained_scan *scan, const segment *s) {
    atomic_store_explicit(&scan->ready, s->first + s->count, memory_order_release);
}

/* Scans and writes in one pass, from the carry-in that is there already. */
static void write_directly(chained_scan *scan, const segment *s) {
    const cumsum_plan *plan = scan->plan;
    clear_at_line_start(scan, s);
    plan->segments->write(&s->panel, &plan->arithmetic, NULL, &scan->carry, NULL);
    publish_carry_out(scan, s);
}

/* Only the last segment taken can be given back. The thread that takes it next may overwrite, in
 * place, the input that was read here: the release orders its writes after these reads. */
static bool give_back(chained_scan *scan, const segment *s) {
    uint64_t end = s->first + s->count;
    return atomic_compare_exchange_strong_explicit(&scan->taken, &end, s->first,
                                                   memory_order_release, memory_order_relaxed);
}

/* Spins. False if that took too long and the segment has been given back. */
static bool wait_for_carry_in(chained_scan *scan, const segment *s) {
    for (unsigned polls = 1; !carry_in_ready(scan, s); polls++) {
        cumsum_pause();
        if (polls % CUMSUM_SPIN_LIMIT)
            continue;
        if (give_back(scan, s))
            return false;
        cumsum_wait_yield();
    }
    return true;
}

/* Reduces the segment, then passes the carry on. Leaves in sums what the segment's outputs start
 * from. False if the segment has been given back. */
static bool reduce_and_pass_on(chained_scan *scan, const segment *s, cumsum_segment_sums *sums) {
    const cumsum_plan *plan = scan->plan;
    plan->segments->reduce(&s->panel, &plan->arithmetic, sums);
    if (!wait_for_carry_in(scan, s))
        return false;
    clear_at_line_start(scan, s);
    cumsum_segment_advance(&plan->arithmetic, s->count, sums, &scan->carry);
    publish_carry_out(scan, s);
    return true;
}

static bool all_taken(void *context) {
    chained_scan *scan = context;
    return atomic_load_explicit(&scan->taken, memory_order_relaxed) == all_elements(scan);
}

/* After a reduction a thread takes its next segment before it writes the current one, so that the
 * write can prefetch it. */
static bool write_and_take(chained_scan *scan, segment *s, const cumsum_segment_sums *sums) {
    const cumsum_plan *plan = scan->plan;
    segment next;
    const bool more = take_segment(scan, &next);
    plan->segments->write(&s->panel, &plan->arithmetic, sums, NULL, more ? &next.panel : NULL);
    *s = next;
    return more;
}

/* The work of one thread. */
static void scan_segments(chained_scan *scan) {
    unsigned attempts = 0;
    segment s;
    bool more = take_segment(scan, &s);
    while (more) {
        cumsum_segment_sums sums;
        if (carry_in_ready(scan, &s)) {
            write_directly(scan, &s);
            more = take_segment(scan, &s);
        } else if (reduce_and_pass_on(scan, &s, &sums)) {
            more = write_and_take(scan, &s, &sums);
        } else {
            cumsum_backoff_wait(&scan->backoff, attempts++, all_taken, scan);
            more = take_segment(scan, &s);
        }
    }
}

static void scan_task(void *context, size_t number) {
    (void)number;
    cumsum_pool_acquire(context);
    const cumsum_fp_environment found = cumsum_fp_enter();
    scan_segments(context);
    cumsum_fp_leave(found);
    cumsum_pool_release(context);
}

void cumsum_plan_chained_scan(const cumsum_plan *plan, const cumsum_binding *binding) {
    chained_scan scan = {.plan = plan, .binding = binding};
    cumsum_backoff_init(&scan.backoff);
    cumsum_pool_release(&scan);
    pthreadpool_parallelize_1d(plan->thread_pool, scan_task, &scan,
                               pthreadpool_get_threads_count(plan->thread_pool), 0);
    cumsum_pool_acquire(&scan);
    cumsum_backoff_destroy(&scan.backoff);
}
