/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_EXEC_PROCESS_H
#define CUMSUM_TOOLS_EXEC_PROCESS_H

/*
 * The process of --exec: a shell command in a process group and an environment of its own. Bytes go
 * to its standard input and come from its standard output at the same time, so that neither side
 * waits for the other for ever.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"

typedef struct exec_process exec_process;

typedef struct exec_bytes {
    const void *bytes;
    size_t size;
} exec_bytes;

/* The most pieces that are sent at once. */
#define EXEC_PIECES 4

typedef enum exec_event {
    EXEC_CAME,
    EXEC_CLOSED,  /* it closed its standard output: it has ended, or is about to */
    EXEC_REFUSED, /* it closed its standard input, and says nothing */
    EXEC_LATE,
    EXEC_BROKEN /* the pipe failed: errno says why */
} exec_event;

/* The descriptor of the shared memory in the process. */
#define EXEC_SHARED 3

/* Starts sh -c COMMAND. shared: a descriptor that it gets as EXEC_SHARED, or -1. TOOL_ENVIRONMENT
 * if it cannot be started; a command that the shell does not find is a process that ends. */
tool_status exec_process_start(exec_process **process, const char *command, int shared,
                               tool_error *error);

/* Has it written anything that was not received, or closed its standard output? */
bool exec_process_has_spoken(const exec_process *process);

/* Lets exec_process_receive send the pieces, whose bytes must stay until it has. */
void exec_process_send(exec_process *process, const exec_bytes *pieces, size_t count);

/* Receives at least `least` and at most `most` bytes while it sends. It returns when both is done,
 * or when `most` bytes have come; most 0: when all is sent. end: on the clock of clock_monotonic.
 */
exec_event exec_process_receive(exec_process *process, void *to, size_t least, size_t most,
                                size_t *got, uint64_t end);

/* Closes its standard input, waits so many milliseconds for its end, and kills what is left of its
 * group. how: "by signal 11 (Segmentation fault)", "with exit status 3", or "only when it was
 * killed"; may be NULL. */
void exec_process_end(exec_process *process, uint32_t milliseconds, char *how, size_t room);

#endif
