/* SPDX-License-Identifier: MIT */
/* The progress line. Its state is global, since a terminal has one such line. */
#include "report.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "text.h"

/* Nanoseconds. */
#define FIRST_AFTER UINT64_C(500000000)
#define AGAIN_AFTER UINT64_C(100000000)

static bool visible; /* the line is on the screen */

static bool is_terminal(void) {
    static int answer = -1;
    if (answer < 0) {
        const char *terminal = getenv("TERM");
        answer = isatty(STDERR_FILENO) && terminal && strcmp(terminal, "dumb") != 0;
    }
    return answer != 0;
}

void progress_show(uint64_t done, uint64_t total, const char *what) {
    static uint64_t next;
    if (!is_terminal())
        return;
    const uint64_t time = clock_monotonic();
    if (next == 0)
        next = time + FIRST_AFTER;
    if (time < next)
        return;
    next = time + AGAIN_AFTER;
    visible = true;
    fprintf(stderr, "\r\033[K%" PRIu64, done);
    if (total)
        fprintf(stderr, " of %" PRIu64, total);
    text_show(stderr, "  %s", what);
    fflush(stderr);
}

void progress_clear(void) {
    if (visible) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
        visible = false;
    }
}
