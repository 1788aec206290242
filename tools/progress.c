/* SPDX-License-Identifier: MIT */
#include "progress.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "text.h"

static bool visible; /* the line is on the screen */

static bool is_terminal(void) {
    static int answer = -1;
    if (answer < 0) {
        const char *terminal = getenv("TERM");
        answer = isatty(STDERR_FILENO) && terminal && strcmp(terminal, "dumb") != 0;
    }
    return answer != 0;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

void progress_show(uint64_t done, uint64_t total, const char *what) {
    static double next;
    if (!is_terminal()) {
        return;
    }
    double time = now();
    if (next == 0) {
        next = time + 0.5;
    }
    if (time < next) {
        return;
    }
    next = time + 0.1;
    visible = true;
    fprintf(stderr, "\r\033[K%" PRIu64, done);
    if (total) {
        fprintf(stderr, "/%" PRIu64, total);
    }
    fputs("  ", stderr);
    text_show(stderr, what);
    fflush(stderr);
}

void progress_clear(void) {
    if (visible) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
        visible = false;
    }
}
