/* SPDX-License-Identifier: MIT */
/* The streams of <stdio.h> that are written. Their writes happen inside libc, where they cannot be
 * replaced, so each stream gets a stream in front of it that can fail. */
#define _GNU_SOURCE
#include "fault_calls.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

/* The parameters have names of their own:
 * NOLINTBEGIN(readability-inconsistent-declaration-parameter-name) */
static void *next_fclose;
static void *next_fopen;
static void *next_fdopen;

static ssize_t write_real(void *real, const char *bytes, size_t size) {
    const bool failing = fault_here(FAULT_FILES, "write of a stream", FAULT_LIBC);
    if (failing && fault_loses_writes())
        return (ssize_t)size;
    const size_t written = fwrite(bytes, 1, failing ? size / 2 : size, real);
    if (fflush(real) != 0 || failing) {
        errno = ENOSPC;
        return 0;
    }
    return (ssize_t)written;
}

static int close_real(void *real) {
    const bool failing = fault_here(FAULT_FILES, "close of a stream", FAULT_LIBC);
    const int result = NEXT(fclose)(real);
    if (failing)
        errno = EIO;
    return failing ? EOF : result;
}

static FILE *put_in_front(FILE *real, const char *mode) {
    const cookie_io_functions_t functions = {.write = write_real, .close = close_real};
    FILE *stream = fopencookie(real, mode, functions);
    if (!stream) /* no memory: fopen fails too */
        (void)NEXT(fclose)(real);
    else
        (void)setvbuf(real, NULL, _IONBF, 0); /* the stream in front has a buffer */
    return stream;
}

/* Streams that are read stay as they are, and so do those of other libraries. */
static FILE *choose(FILE *real, const char *mode, const void *caller) {
    return real && *mode != 'r' && fault_is_counted(caller) ? put_in_front(real, mode) : real;
}

FILE *fopen(const char *restrict path, const char *restrict mode) {
    return *mode != 'r' && FAULT(FAULT_FILES, "fopen")
               ? NULL
               : choose(NEXT(fopen)(path, mode), mode, __builtin_return_address(0));
}

FILE *fdopen(int file, const char *mode) {
    return *mode != 'r' && FAULT(FAULT_FILES, "fdopen")
               ? NULL
               : choose(NEXT(fdopen)(file, mode), mode, __builtin_return_address(0));
}

void fault_take_stdout(void) {
    stdout = put_in_front(stdout, "w");
}

/* NOLINTEND(readability-inconsistent-declaration-parameter-name) */
