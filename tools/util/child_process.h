/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_CHILD_PROCESS_H
#define CUMSUM_TOOLS_CHILD_PROCESS_H

/*
 * A process that this one starts and talks to: a program, or a command for the shell. Bytes go to
 * its standard input and come from its standard output at the same time, so that neither process
 * waits for the other for ever. It ends when this process ends. child_process.c is for POSIX,
 * child_process_windows.c for Windows, web/core has one for browsers.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"

typedef struct child_process child_process;

/* What is started. */
typedef struct child_program {
    const char *command;          /* a line for the shell; NULL: this program */
    const char *const *arguments; /* of this program, without its name, and then NULL; at most 30 */
} child_program;

typedef struct child_bytes {
    const void *bytes;
    size_t size;
} child_bytes;

/* The most pieces that are sent at once. */
#define CHILD_PIECES 6

typedef enum child_event {
    CHILD_CAME,
    CHILD_CLOSED,  /* it closed its standard output: it has ended, or is about to */
    CHILD_REFUSED, /* it closed its standard input, and says nothing */
    CHILD_LATE,
    CHILD_BROKEN /* the pipe failed: errno says why */
} child_event;

/* How many milliseconds a process gets to end by itself. */
#define CHILD_GRACE 2000

/* TOOL_ENVIRONMENT if the system makes no process. A command that the shell does not find is a
 * process that ends with exit status 127; what cannot be executed, with 126. child_process_close
 * ends it. */
tool_status child_process_open(child_process **child, const child_program *program,
                               tool_error *error);

/* Has it written anything that was not received, or closed its standard output? */
bool child_process_has_spoken(const child_process *child);

/* Lets child_process_receive send the pieces, whose bytes must stay until it has. */
void child_process_send(child_process *child, const child_bytes *pieces, size_t count);

/* Receives at least `least` and at most `most` bytes while it sends. It returns when both is done,
 * or when `most` bytes have come; most 0: when all is sent. end: on the clock of clock_monotonic;
 * UINT64_MAX: never. */
child_event child_process_receive(child_process *child, void *to, size_t least, size_t most,
                                  size_t *got, uint64_t end);

/* Closes its standard input, waits `milliseconds` for its end, and kills what is left of it
 * and of the processes that it started. True if it ended by itself with exit status 0. how: "by
 * signal 11 (Segmentation fault)", "with exit status 3", or "only when it was killed"; may be NULL.
 */
bool child_process_close(child_process *child, uint32_t milliseconds, char *how, size_t room);

#endif
