/* SPDX-License-Identifier: MIT */
/* Replaces the functions on files, so that files cannot be found, opened for writing, written,
 * closed, renamed. */
#define _GNU_SOURCE
#include "fault_calls.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* The parameters have names of their own; one macro has types and bodies as its arguments:
 * NOLINTBEGIN(readability-inconsistent-declaration-parameter-name,bugprone-macro-parentheses) */
static void *next_open;
static void *next_write;
static void *next_close;

/* ONE(type, name, (parameters), (arguments), failure): a function that fails when told to. */
#define ONE(type, name, parameters, arguments, failure)                                            \
    static void *next_##name;                                                                      \
    type name parameters {                                                                         \
        return FAULT(FAULT_FILES, #name) ? (failure) : NEXT(name) arguments;                       \
    }

ONE(int, stat, (const char *restrict path, struct stat *restrict out), (path, out), -1)
ONE(int, fstat, (int file, struct stat *out), (file, out), -1)
ONE(int, fchmod, (int file, mode_t mode), (file, mode), -1)
ONE(int, rename, (const char *from, const char *to), (from, to), -1)
ONE(int, mkdir, (const char *path, mode_t mode), (path, mode), -1)
ONE(int, access, (const char *path, int mode), (path, mode), -1)
ONE(ssize_t, readlink, (const char *restrict path, char *restrict out, size_t room),
    (path, out, room), -1)

int open(const char *path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    const mode_t mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    const bool writing = (flags & O_ACCMODE) != O_RDONLY;
    return writing && FAULT(FAULT_FILES, "open") ? -1 : NEXT(open)(path, flags, mode);
}

/* As on a full disk, the first half is written. */
ssize_t write(int file, const void *bytes, size_t size) {
    if (!FAULT(FAULT_FILES, "write"))
        return NEXT(write)(file, bytes, size);
    if (fault_loses_writes())
        return (ssize_t)size;
    (void)!NEXT(write)(file, bytes, size / 2);
    errno = ENOSPC;
    return -1;
}

/* A close that fails closes the file all the same. */
int close(int file) {
    const bool failing = FAULT(FAULT_FILES, "close");
    const int error = errno;
    const int result = NEXT(close)(file);
    if (failing) {
        errno = error;
        return -1;
    }
    return result;
}

/* NOLINTEND(readability-inconsistent-declaration-parameter-name,bugprone-macro-parentheses) */
