/* SPDX-License-Identifier: MIT */
#include "file_write.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Bytes to write at once: Linux takes no more than 2 GiB, Windows 32 bits of a size. */
#define FILE_PART_MOST ((size_t)1 << 30)

static tool_status fail(const char *path, tool_error *error) {
    return tool_fail(error, TOOL_ENVIRONMENT, "%.400s: cannot be written: %s", path,
                     strerror(errno));
}

static bool write_part(int descriptor, const char *bytes, size_t size) {
    while (size > 0) {
        size_t part = size < FILE_PART_MOST ? size : FILE_PART_MOST;
        ssize_t written = write(descriptor, bytes, (unsigned)part);
        if (written < 0 && errno != EINTR)
            return false;
        bytes += written > 0 ? written : 0;
        size -= written > 0 ? (size_t)written : 0;
    }
    return true;
}

static bool write_parts(int descriptor, const file_part *parts, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!write_part(descriptor, parts[i].bytes, parts[i].size))
            return false;
    return true;
}

/* mkstemp makes files that only their owner may read; what is wanted is what open would make. */
static bool open_to_others(int descriptor) {
    mode_t mask = umask(0);
    umask(mask);
    return fchmod(descriptor, 0666 & ~mask) == 0;
}

static tool_status replace(const char *path, const file_part *parts, size_t count,
                           tool_error *error) {
    size_t room = strlen(path) + sizeof ".XXXXXX";
    char *beside = malloc(room);
    if (!beside)
        return fail(path, error);
    snprintf(beside, room, "%s.XXXXXX", path);
    tool_status status = TOOL_OK;
    int descriptor = mkstemp(beside);
    if (descriptor < 0) {
        status = fail(path, error);
    } else {
        bool written = write_parts(descriptor, parts, count) && open_to_others(descriptor);
        written = close(descriptor) == 0 && written;
        if (!written || rename(beside, path) != 0) {
            status = fail(path, error);
            unlink(beside);
        }
    }
    free(beside);
    return status;
}

static tool_status write_through(const char *path, const file_part *parts, size_t count,
                                 tool_error *error) {
    int descriptor = open(path, O_WRONLY | O_CLOEXEC);
    bool written = descriptor >= 0 && write_parts(descriptor, parts, count);
    tool_status status = written ? TOOL_OK : fail(path, error);
    if (descriptor >= 0 && close(descriptor) != 0 && status == TOOL_OK)
        status = fail(path, error);
    return status;
}

tool_status file_write(const char *path, const file_part *parts, size_t count, tool_error *error) {
    struct stat status;
    bool exists = stat(path, &status) == 0;
    if (exists && S_ISDIR(status.st_mode)) {
        errno = EISDIR;
        return fail(path, error);
    }
    if (exists && !S_ISREG(status.st_mode))
        return write_through(path, parts, count, error);
    char *target = exists ? realpath(path, NULL) : NULL; /* a symbolic link stays one */
    tool_status result = replace(target ? target : path, parts, count, error);
    free(target);
    return result;
}
