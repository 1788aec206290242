/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_FAULT_CALLS_H
#define CUMSUM_TESTS_FAULT_CALLS_H

/*
 * A library to be loaded before a program (LD_PRELOAD), in which the calls that may fail are
 * counted and one of them fails. The environment says which:
 *
 *   CUMSUM_FAULT_COMMAND  the program's first argument; in other processes nothing is counted
 *   CUMSUM_FAULT_KIND     memory, files or processes
 *   CUMSUM_FAULT_CALL     which call of that kind fails, from 1 on; 0: none, they are counted
 *   CUMSUM_FAULT_LOG      a file: "COUNT NAME", the calls until the failing one, and its name; then
 *                         "live FILE+OFFSET FUNCTION" for each block that is live when the program
 * ends CUMSUM_FAULT_HIDE     a planted defect: a write that fails says that it did not (lost), or
 * the failure ends the process (crash), or what is removed stays (left), or what is freed after the
 * failure counts as live (leak)
 *
 * Counted are the calls of the program and of this project's libraries, those of json-c and
 * pthreadpool, which make values and threads for it, and those that libc makes for them.
 */

#include <stdbool.h>
#include <stdio.h>

/* What stands before others is seen from outside, whatever the flags say. */
#pragma GCC visibility push(default)

typedef enum fault_kind {
    FAULT_MEMORY,
    FAULT_FILES,
    FAULT_PROCESSES
} fault_kind;

typedef enum fault_defect {
    DEFECT_NONE,
    DEFECT_LOST_WRITE,
    DEFECT_LEFT_BEHIND,
    DEFECT_LEAK
} fault_defect;

/* Counts a call by `caller`, an address in it. True where it is the one that fails; errno is then
 * ENOMEM for memory, else EIO, or ENOSPC for what writes. */
bool fault_here(fault_kind kind, const char *name, const void *caller);

/* Where in the program or in this project's libraries a call by `caller` comes from; NULL where it
 * is not counted. */
const void *fault_counted_site(const void *caller);

/* A block was taken by `caller`, is given back. NULL is allowed. */
void fault_note_block(void *block, const void *caller);
void fault_forget_block(void *block);

/* A line for each block that is live: "live FILE+OFFSET FUNCTION", the place where it was taken. */
void fault_write_blocks(FILE *out);

/* What is planted beside the failure. */
fault_defect fault_planted(void);

/* The function of this name that the program would have without this library, looked up once: dlsym
 * may allocate. Ends the process where there is none. */
void *fault_next(const char *name, void **found);

/* For calls that libc makes for the program: an address in libc. */
#define FAULT_LIBC ((void *)NEXT(fopen))

/* Puts stdout behind a stream whose reads and writes are counted. */
void fault_take_stdout(void);

/* Also for a program that loads what is tested, as Python does: from now on the call of this kind
 * and number fails, of those that the Python package and the library make, and those that Python
 * makes for them. fault_disarm says how many there were, fault_live how many blocks are live. */
void fault_arm(fault_kind kind, unsigned long call);
unsigned long fault_disarm(void);
size_t fault_live(void);

#define CALLER            __builtin_return_address(0)
#define FAULT(kind, name) fault_here(kind, name, CALLER)

/* NEXT(function) is what `function` stands before; next_function keeps it. */
#define NEXT(function) ((__typeof__(&function))fault_next(#function, &next_##function))

#endif
