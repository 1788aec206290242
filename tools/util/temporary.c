/* SPDX-License-Identifier: MIT */
/* Remembers temporary paths in static memory, where a signal handler may read them. */
#include "temporary.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Files that are written at the same time, and more. */
#define MOST_PATHS 8
#define MOST_BYTES 4096 /* Linux's PATH_MAX */

static struct {
    char path[MOST_BYTES];
    volatile sig_atomic_t used;
} places[MOST_PATHS];

static const int ends[] = {
    SIGINT,
    SIGTERM,
#ifdef SIGHUP
    SIGHUP,
#endif
};

#define END_COUNT (sizeof ends / sizeof ends[0])

void temporaries_remove(void) {
    for (size_t i = MOST_PATHS; i-- > 0;) {
        if (places[i].used)
            (void)unlink(places[i].path);
        places[i].used = 0;
    }
}

/* The signal then ends the program as it would have without this handler. */
static void remove_and_end(int number) {
    temporaries_remove();
    (void)signal(number, SIG_DFL);
    (void)raise(number);
}

/* A signal that is ignored, as by nohup, stays so. */
static void watch_signals(void) {
    static bool watching;
    for (size_t i = 0; i < END_COUNT && !watching; i++)
        if (signal(ends[i], remove_and_end) == SIG_IGN)
            (void)signal(ends[i], SIG_IGN);
    watching = true;
}

#ifdef _WIN32
static void hold_signals(bool hold) {
    (void)hold;
}
#else
/* Between the making of a file and the note of its name no signal may end the program. */
static void hold_signals(bool hold) {
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < END_COUNT; i++)
        sigaddset(&set, ends[i]);
    sigprocmask(hold ? SIG_BLOCK : SIG_UNBLOCK, &set, NULL);
}
#endif

static void add(const char *path) {
    size_t i = 0;
    while (i < MOST_PATHS && places[i].used)
        i++;
    if (i == MOST_PATHS || strlen(path) >= MOST_BYTES)
        return;
    memcpy(places[i].path, path, strlen(path) + 1);
    atomic_signal_fence(memory_order_seq_cst);
    places[i].used = 1;
}

void temporary_forget(const char *path) {
    for (size_t i = 0; i < MOST_PATHS; i++)
        if (places[i].used && strcmp(places[i].path, path) == 0)
            places[i].used = 0;
}

int temporary_file(char *path) {
    watch_signals();
    hold_signals(true);
    const int descriptor = mkstemp(path);
    if (descriptor >= 0)
        add(path);
    hold_signals(false);
    return descriptor;
}
