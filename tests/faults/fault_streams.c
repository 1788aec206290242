/* SPDX-License-Identifier: MIT */
/* The streams of <stdio.h>. Their reads and writes happen inside libc, so a stream is put before
 * each that can be told to fail. */
#define _GNU_SOURCE
#include "fault_calls.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static ssize_t read_real(void *real, char *bytes, size_t size) {
    if (fault_here(FAULT_FILES, "read of a stream", FAULT_LIBC)) {
        return -1;
    }
    return NEXT(read)(fileno(real), bytes, size);
}

static ssize_t write_real(void *real, const char *bytes, size_t size) {
    const bool failing = fault_here(FAULT_FILES, "write of a stream", FAULT_LIBC);
    if (failing && fault_planted() == DEFECT_LOST_WRITE) {
        return (ssize_t)size;
    }
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
    if (failing) {
        errno = EIO;
    }
    return failing ? EOF : result;
}

static FILE *before(FILE *real, const char *mode) {
    const cookie_io_functions_t functions = {
        .read = read_real, .write = write_real, .close = close_real};
    FILE *stream = real ? fopencookie(real, mode, functions) : NULL;
    if (real && !stream) {
        abort();
    }
    return stream;
}

FILE *fopen(const char *restrict path, const char *restrict mode) {
    return FAULT(FAULT_FILES, "fopen") ? NULL : before(NEXT(fopen)(path, mode), mode);
}

FILE *fdopen(int file, const char *mode) {
    return FAULT(FAULT_FILES, "fdopen") ? NULL : before(NEXT(fdopen)(file, mode), mode);
}

void fault_take_stdout(void) {
    stdout = before(stdout, "w");
}
