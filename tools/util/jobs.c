/* SPDX-License-Identifier: MIT */
/*
 * Threads that take pieces of work one after the other. A result waits in a ring until those of all
 * pieces before it have been shown. A thread that is too far ahead of the one shown last waits, and
 * so does one whose piece needs more memory than the others leave.
 */
#include "jobs.h"

#include <pthread.h>
#include <stdlib.h>

#include "memory.h"

/* The most results that may wait to be shown. */
#define AHEAD 4096

/* A piece that is begun and not yet shown. */
typedef struct job_piece {
    bool done;
    void *result;
} job_piece;

typedef struct job_team {
    const job_work *work;
    pthread_mutex_t lock;
    pthread_cond_t moved;    /* something below has changed */
    uint32_t expected;       /* threads, when all are started; before that 0 */
    uint32_t arrived;        /* threads */
    uint32_t fresh;          /* threads that have had no piece, where all are together */
    size_t next;             /* the first piece that is not begun */
    size_t shown;            /* the first piece that is not shown */
    job_piece pieces[AHEAD]; /* those from `shown` to below `next`: a ring */
    uint32_t running;        /* pieces that are being done */
    uint64_t held;           /* their bytes */
    bool stopped;
} job_team;

typedef struct job_thread {
    job_team *team;
    uint32_t number;
    pthread_t thread;
} job_thread;

static bool has_room_for(const job_team *t, uint64_t bytes) {
    const uint64_t room = t->work->room;
    return t->running == 0 || (t->held <= room && bytes <= room - t->held);
}

/* Are there pieces for a thread, beside those of the threads that have had none? */
static bool is_left(const job_team *t, bool first) {
    return first || t->work->pieces - t->next > t->fresh;
}

/* The next piece, when there is room for it. The lock is held. first: for a thread that has had
 * none. */
static bool take_piece(job_team *t, bool first, size_t *piece, uint64_t *bytes) {
    while (!t->stopped && t->next < t->work->pieces) {
        *bytes = t->work->next ? t->work->next(t->work->state, t->next) : 0;
        if (t->next - t->shown < AHEAD && has_room_for(t, *bytes) && is_left(t, first)) {
            *piece = t->next++;
            if (first && t->fresh > 0) {
                t->fresh--;
                pthread_cond_broadcast(&t->moved);
            }
            t->pieces[*piece % AHEAD] = (job_piece){.done = false};
            t->running++;
            t->held += *bytes;
            return true;
        }
        pthread_cond_wait(&t->moved, &t->lock);
    }
    return false;
}

static void show_done(job_team *t) {
    for (; t->shown < t->next && t->pieces[t->shown % AHEAD].done; t->shown++)
        if (t->work->show)
            t->work->show(t->work->state, t->shown, t->pieces[t->shown % AHEAD].result);
}

static void put_result(job_team *t, size_t piece, uint64_t bytes, void *result) {
    t->running--;
    t->held -= bytes;
    t->pieces[piece % AHEAD] = (job_piece){.done = true, .result = result};
    t->stopped = !t->work->done(t->work->state, piece, result) || t->stopped;
    show_done(t);
    pthread_cond_broadcast(&t->moved);
}

static void arrive(job_team *t) {
    t->arrived++;
    pthread_cond_broadcast(&t->moved);
    while (t->work->together && t->arrived != t->expected)
        pthread_cond_wait(&t->moved, &t->lock);
}

static void *run_thread(void *state) {
    const job_thread *j = state;
    job_team *t = j->team;
    size_t piece;
    uint64_t bytes;
    pthread_mutex_lock(&t->lock);
    arrive(t);
    for (bool first = true; take_piece(t, first, &piece, &bytes); first = false) {
        pthread_mutex_unlock(&t->lock);
        void *result = t->work->run(t->work->state, j->number, piece);
        pthread_mutex_lock(&t->lock);
        put_result(t, piece, bytes, result);
    }
    pthread_mutex_unlock(&t->lock);
    if (j->number > 0 && t->work->end)
        t->work->end(t->work->state, j->number);
    return NULL;
}

/* A thread that cannot be started is left out: the others do its work. */
void jobs_run(const job_work *work) {
    job_team *team = tool_calloc(1, sizeof *team);
    job_thread *threads = tool_calloc(work->jobs, sizeof *threads);
    uint32_t started = 1;
    team->work = work;
    pthread_mutex_init(&team->lock, NULL);
    pthread_cond_init(&team->moved, NULL);
    threads[0] = (job_thread){.team = team};
    for (; started < work->jobs; started++) {
        threads[started] = (job_thread){.team = team, .number = started};
        if (pthread_create(&threads[started].thread, NULL, run_thread, &threads[started]) != 0)
            break;
    }
    pthread_mutex_lock(&team->lock);
    team->expected = started;
    team->fresh = work->together ? started : 0;
    pthread_mutex_unlock(&team->lock);
    run_thread(&threads[0]);
    for (uint32_t i = 1; i < started; i++)
        pthread_join(threads[i].thread, NULL);
    pthread_cond_destroy(&team->moved);
    pthread_mutex_destroy(&team->lock);
    free(threads);
    free(team);
}
