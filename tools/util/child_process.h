/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_CHILD_PROCESS_H
#define CUMSUM_TOOLS_CHILD_PROCESS_H

/*
 * Runs a program in a process of its own, which inherits the environment and standard error, and
 * talks to it in lines. child_process.c is for POSIX, child_process_windows.c for Windows.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"

typedef struct child_process child_process;

typedef enum child_answer {
    CHILD_LINE,
    CHILD_ENDED, /* it closed its standard output: it has ended, or is about to */
    CHILD_LATE,  /* nothing came in time */
    CHILD_FAILED /* reading failed: errno says why */
} child_answer;

/* How many milliseconds a process gets to end by itself. */
#define CHILD_GRACE   2000
#define CHILD_FOREVER UINT32_MAX

/* program: a name that is looked for in PATH; NULL: this program. arguments: at most 30, without
 * the program's name, and then NULL. TOOL_ENVIRONMENT if the process cannot be started. */
tool_status child_process_start(child_process **child, const char *program,
                                const char *const *arguments, tool_error *error);

/* Sends a line to a program. False where its standard input is closed. */
bool child_process_send(child_process *child, const char *line);

/* Waits for a program's next line; *line has no end-of-line and stays until the
 * next call. milliseconds: 0 waits for ever. */
child_answer child_process_receive(child_process *child, uint32_t milliseconds, const char **line);

/* Nanoseconds of processor time that the program has used so far; 0 if they are unknown. */
uint64_t child_process_time(const child_process *child);

/* Closes the program's standard input, waits so many milliseconds for its end, and then kills it.
 * True where it ended by itself with exit status 0. how receives "by signal 11 (...)" or "with exit
 * status 3"; it may be NULL. */
bool child_process_end(child_process *child, uint32_t milliseconds, char *how, size_t room);

/* The path of this program's file. False if it is unknown. */
bool child_process_self(char *path, size_t room);

#endif
