/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_FAULT_CALLS_H
#define CUMSUM_TESTS_FAULT_CALLS_H

/*
 * A library that is loaded before a program (LD_PRELOAD). It counts the calls that may fail, and
 * lets one of them fail. The environment says which:
 *
 * - CUMSUM_FAULT_COMMAND: the program's first argument. In other processes nothing is counted.
 * - CUMSUM_FAULT_KIND: memory or files.
 * - CUMSUM_FAULT_CALL: the number of the call of that kind that fails, from 1 on; 0: none fails.
 * - CUMSUM_FAULT_LOG: a file for "COUNT NAME", the number of calls until the failing one and its
 *   name.
 * - CUMSUM_FAULT_HIDE: set: a planted defect. A failing write reports success.
 *
 * Counted are the calls of the program, of this project's libraries and of pthreadpool, and those
 * that libc makes for them.
 */

#include <stdbool.h>

/* The functions that replace others must be visible, also under -fvisibility=hidden. */
#pragma GCC visibility push(default)

typedef enum fault_kind {
    FAULT_MEMORY,
    FAULT_FILES
} fault_kind;

/* Counts a call by `caller`, an address in it. True if it is the one that fails; errno is then
 * ENOMEM for memory, ENOSPC for writes, EIO for other calls on files. */
bool fault_here(fault_kind kind, const char *name, const void *caller);

/* Whether a call by `caller` is counted. */
bool fault_is_counted(const void *caller);

/* Whether failing writes report success. */
bool fault_loses_writes(void);

/* The function of this name that the program would call without this library. It is looked up once,
 * because dlsym may allocate. Ends the process if there is none. */
void *fault_next(const char *name, void **found);

/* For calls that libc makes for the program: an address in libc. */
#define FAULT_LIBC ((void *)NEXT(fopen))

/* Puts stdout behind a stream whose reads and writes are counted. */
void fault_take_stdout(void);

#define CALLER            __builtin_return_address(0)
#define FAULT(kind, name) fault_here(kind, name, CALLER)

/* NEXT(function) is the function that `function` replaces; next_function keeps it. */
#define NEXT(function) ((__typeof__(&function))fault_next(#function, &next_##function))

#endif
