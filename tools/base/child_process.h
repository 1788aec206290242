/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_CHILD_PROCESS_H
#define CUMSUM_TOOLS_CHILD_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"

/* This program again, in a process of its own that is talked to in lines: what it writes to
 * standard error goes where ours goes. child_process.c is for POSIX, child_process_windows.c for
 * Windows. */

typedef struct child_process child_process;

typedef enum child_answer {
    CHILD_LINE,
    CHILD_ENDED, /* it closed its standard output: it has ended, or is about to */
    CHILD_LATE,  /* nothing came in time */
    CHILD_FAILED /* it cannot be listened to: errno says why */
} child_answer;

/* arguments: those behind the program's name, up to a NULL. TOOL_ENVIRONMENT where the process
 * cannot be started. */
tool_status child_process_start(child_process **child, const char *const *arguments,
                                tool_error *error);

/* Gives it a line. False where it takes none any more. */
bool child_process_send(child_process *child, const char *line);

/* Waits for its next line, which then is the child's until the next call, without its end.
 * milliseconds: 0 waits for ever. */
child_answer child_process_receive(child_process *child, uint32_t milliseconds, const char **line);

/* Ends it, by force where it does not end by itself, or `at_once`. how receives how it ended, "by
 * signal 11 (...)", "with exit status 3"; it may be NULL. */
void child_process_end(child_process *child, bool at_once, char *how, size_t room);

#endif
