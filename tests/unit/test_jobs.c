/* SPDX-License-Identifier: MIT */
/* Pieces of work in several threads: each is done once, shown in its turn, and waits for memory; a
 * piece that stops the work leaves none that was begun behind. */
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "check.h"
#include "jobs.h"

#define PIECES 20000 /* more than may wait to be shown */

typedef struct counted {
    uint64_t room;
    uint64_t bytes_of_last; /* that the last piece takes; the others take 10 */
    size_t pieces;
    size_t stop_at;
    atomic_uint_fast64_t held;
    atomic_uint_fast64_t most_held;
    atomic_uint runs[PIECES];
    atomic_uint ended;
    size_t begun;
    size_t shown;
    bool together;
    atomic_uint by_job[8];
    bool alone; /* the last piece ran while no other did */
} counted;

static uint64_t bytes_of(const counted *c, size_t piece) {
    return piece + 1 == c->pieces ? c->bytes_of_last : 10;
}

static uint64_t next_piece(void *state, size_t piece) {
    return bytes_of(state, piece);
}

static void *run(void *state, uint32_t job, size_t piece) {
    counted *c = state;
    const uint64_t bytes = bytes_of(c, piece);
    const uint64_t held = atomic_fetch_add(&c->held, bytes) + bytes;
    uint64_t most = atomic_load(&c->most_held);
    atomic_fetch_add(&c->by_job[job], 1);
    while (held > most && !atomic_compare_exchange_weak(&c->most_held, &most, held))
        continue;
    /* Pieces take different times, so that they end in another order. */
    for (volatile uint32_t i = 0; i < (piece % 7 == 0 ? 2000 : 1); i++)
        continue;
    if (piece + 1 == c->pieces)
        c->alone = held == bytes;
    atomic_fetch_add(&c->runs[piece], 1);
    atomic_fetch_sub(&c->held, bytes);
    return &c->runs[piece];
}

static bool done(void *state, size_t piece, void *result) {
    counted *c = state;
    assert_ptr_equal(result, &c->runs[piece]);
    c->begun = piece + 1 > c->begun ? piece + 1 : c->begun;
    return piece != c->stop_at;
}

static void show(void *state, size_t piece, void *result) {
    counted *c = state;
    assert_ptr_equal(result, &c->runs[piece]);
    assert_int_equal(piece, c->shown++);
}

static void end(void *state, uint32_t job) {
    assert_int_not_equal(job, 0);
    atomic_fetch_add(&((counted *)state)->ended, 1);
}

static void do_work(counted *c, uint32_t jobs) {
    jobs_run(&(job_work){.state = c,
                         .pieces = c->pieces,
                         .jobs = jobs,
                         .together = c->together,
                         .room = c->room,
                         .next = next_piece,
                         .run = run,
                         .done = done,
                         .show = show,
                         .end = end});
}

static counted *work(uint32_t jobs, size_t pieces, size_t stop_at, uint64_t room,
                     uint64_t bytes_of_last) {
    counted *c = calloc(1, sizeof *c);
    assert_non_null(c);
    c->room = room;
    c->pieces = pieces;
    c->stop_at = stop_at;
    c->bytes_of_last = bytes_of_last;
    do_work(c, jobs);
    return c;
}

static void each_once_in_its_turn(void) {
    for (uint32_t jobs = 1; jobs <= 5; jobs++) {
        counted *c = work(jobs, PIECES, SIZE_MAX, UINT64_MAX, 10);
        for (size_t i = 0; i < PIECES; i++)
            assert_int_equal(c->runs[i], 1);
        assert_int_equal(c->shown, PIECES);
        assert_true(c->ended < jobs);
        free(c);
    }
    counted *c = work(3, 0, SIZE_MAX, 0, 0);
    assert_int_equal(c->shown, 0);
    free(c);
}

static void memory_is_waited_for(void) {
    counted *c = work(5, 3000, SIZE_MAX, 25, UINT64_MAX);
    assert_int_equal(c->shown, 3000);
    assert_true(c->alone); /* it takes more than there is */
    free(c);
    c = work(5, 3000, SIZE_MAX, 25, 10);
    assert_int_equal(c->shown, 3000);
    assert_true(c->most_held <= 25);
    free(c);
}

static void what_is_begun_is_shown(void) {
    counted *c = work(4, PIECES, 100, UINT64_MAX, 10);
    assert_true(c->shown > 100 && c->shown < PIECES);
    assert_int_equal(c->shown, c->begun);
    for (size_t i = 0; i < PIECES; i++)
        assert_int_equal(c->runs[i], i < c->shown ? 1 : 0);
    free(c);
}

#ifndef _WIN32 /* where there is one thread */
static void all_together(void) {
    for (size_t pieces = 4; pieces <= 300; pieces += 37) {
        counted *c = calloc(1, sizeof *c);
        assert_non_null(c);
        c->pieces = pieces;
        c->stop_at = SIZE_MAX;
        c->room = UINT64_MAX;
        c->bytes_of_last = 10;
        c->together = true;
        do_work(c, 4);
        assert_int_equal(c->shown, pieces);
        for (size_t i = 0; i < 4; i++)
            assert_true(c->by_job[i] > 0);
        free(c);
    }
}
#else
static void all_together(void) {
    check_skip("there is one thread on Windows");
}
#endif

CHECK_GROUP(test_jobs, T(each_once_in_its_turn), T(memory_is_waited_for), T(what_is_begun_is_shown),
            T(all_together));
