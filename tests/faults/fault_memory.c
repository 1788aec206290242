/* SPDX-License-Identifier: MIT */
/*
 * A library that is loaded before a program (LD_PRELOAD). It counts the calls that allocate memory,
 * of whatever the process has loaded, and lets one of them fail. The environment says which:
 *
 * - CUMSUM_FAULT_COMMAND: the program's first argument. In other processes nothing is counted.
 * - CUMSUM_FAULT_CALL: the number of the call that fails, from 1 on; 0: none fails.
 * - CUMSUM_FAULT_LOG: a file for the number of calls, which has no line if the failing one did not
 *   come.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool armed;
static unsigned long chosen_call;
static atomic_ulong calls;

/* The function that the program would call without this library. It is looked up once, because
 * dlsym may allocate. */
static void *find_next(const char *name, void **found) {
    if (!*found)
        *found = dlsym(RTLD_NEXT, name);
    if (!*found)
        abort();
    return *found;
}

/* Writes without streams, which allocate. */
static void write_log(void) {
    const char *path = getenv("CUMSUM_FAULT_LOG");
    char line[40];
    const int length = snprintf(line, sizeof line, "%lu\n", calls);
    const int file = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : -1;
    if (file < 0 || write(file, line, (size_t)length) != length)
        _exit(99);
    close(file);
}

static bool fails(void) {
    if (!armed || atomic_fetch_add(&calls, 1) + 1 != chosen_call)
        return false;
    write_log();
    errno = ENOMEM;
    return true;
}

/* Between fork and exec nothing is counted twice. */
static void disarm_copy(void) {
    armed = false;
}

__attribute__((constructor)) static void begin(int argc, char **argv) {
    const char *command = getenv("CUMSUM_FAULT_COMMAND");
    const char *call = getenv("CUMSUM_FAULT_CALL");
    if (!command || !call || argc < 2 || strcmp(argv[1], command) != 0)
        return;
    chosen_call = strtoul(call, NULL, 10);
    pthread_atfork(NULL, NULL, disarm_copy);
    armed = true;
}

__attribute__((destructor)) static void end(void) {
    if (armed && chosen_call == 0)
        write_log();
    armed = false; /* what follows is not the program's */
}

/* These must be visible, also under -fvisibility=hidden. The parameters have names of their own;
 * one macro has types as its arguments:
 * NOLINTBEGIN(readability-inconsistent-declaration-parameter-name,bugprone-macro-parentheses) */
#pragma GCC visibility push(default)

/* ALLOCATES(type, name, (parameters), (arguments), failure): a function that fails when told to. */
#define ALLOCATES(type, name, parameters, arguments, failure)                                      \
    static void *next_##name;                                                                      \
    type name parameters {                                                                         \
        return fails() ? (failure) : ((__typeof__(&name))find_next(#name, &next_##name))arguments; \
    }

ALLOCATES(void *, malloc, (size_t size), (size), NULL)
ALLOCATES(void *, calloc, (size_t count, size_t size), (count, size), NULL)
ALLOCATES(void *, realloc, (void *old, size_t size), (old, size), NULL)
ALLOCATES(void *, aligned_alloc, (size_t alignment, size_t size), (alignment, size), NULL)
ALLOCATES(int, posix_memalign, (void **memory, size_t alignment, size_t size),
          (memory, alignment, size), ENOMEM)

/* NOLINTEND(readability-inconsistent-declaration-parameter-name,bugprone-macro-parentheses) */
