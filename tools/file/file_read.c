/* SPDX-License-Identifier: MIT */
#include "file_read.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "memory_limit.h"

/* Bytes to read at once: Linux takes no more than 2 GiB, Windows 32 bits of a size. */
#define FILE_PART_MOST ((size_t)1 << 30)

static tool_status fail(const char *path, tool_error *error, const char *what) {
    return tool_fail(error, TOOL_ENVIRONMENT, "%.400s: %s: %s", path, what, strerror(errno));
}

static tool_status check_kind(const char *path, const struct stat *status, tool_error *error) {
    if (S_ISREG(status->st_mode))
        return TOOL_OK;
    const char *kind = S_ISDIR(status->st_mode)    ? "a directory"
                       : S_ISFIFO(status->st_mode) ? "a pipe"
                       : S_ISSOCK(status->st_mode) ? "a socket"
                                                   : "a device";
    return tool_fail(error, TOOL_MALFORMED, "%.400s: is %s: a regular file is expected", path,
                     kind);
}

/* The bytes that were read, or -1. */
static int64_t read_all(int descriptor, unsigned char *bytes, size_t size) {
    size_t used = 0;
    while (used < size) {
        size_t part = size - used < FILE_PART_MOST ? size - used : FILE_PART_MOST;
        ssize_t got = read(descriptor, bytes + used, (unsigned)part);
        if (got < 0 && errno != EINTR)
            return -1;
        if (got == 0)
            break;
        used += got > 0 ? (size_t)got : 0;
    }
    return (int64_t)used;
}

static tool_status read_regular(int descriptor, const char *path, uint64_t size, file_contents *out,
                                tool_error *error) {
    out->size = (size_t)size;
    out->bytes = memory_allocate(size + 1);
    if (!out->bytes) {
        return tool_fail(error, TOOL_ENVIRONMENT, "%.400s: no memory for its %" PRIu64 " bytes",
                         path, size);
    }
    int64_t got = read_all(descriptor, out->bytes, out->size);
    if (got == (int64_t)size) {
        out->bytes[size] = '\0';
        return TOOL_OK;
    }
    memory_release(out->bytes);
    out->bytes = NULL;
    if (got < 0)
        return fail(path, error, "cannot be read");
    return tool_fail(error, TOOL_ENVIRONMENT, "%.400s: became shorter while it was read", path);
}

/* Asks what the path is before it is opened, since opening some devices has effects, and again
 * after, since another file may be there by now. */
tool_status file_read(const char *path, file_contents *out, tool_error *error) {
    struct stat status;
    *out = (file_contents){NULL, 0};
    if (stat(path, &status) != 0)
        return fail(path, error, "cannot be opened");
    tool_status result = check_kind(path, &status, error);
    if (result != TOOL_OK)
        return result;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe must not block */
    if (descriptor < 0)
        return fail(path, error, "cannot be opened");
    if (fstat(descriptor, &status) != 0)
        result = fail(path, error, "cannot be read");
    else
        result = check_kind(path, &status, error);
    if (result == TOOL_OK)
        result = read_regular(descriptor, path, (uint64_t)status.st_size, out, error);
    close(descriptor);
    return result;
}
