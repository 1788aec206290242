/* SPDX-License-Identifier: MIT */
/* Whole files, read and written. A file that is written replaces the old one at once, or leaves it
 * as it was. */
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clock.h"
#include "memory.h"
#include "memory_limit.h"
#include "text.h"

/* As Linux has it: more are a circle. */
#define MOST_LINKS 40

char *file_folder(const char *path) {
    const char *slash = strrchr(path, '/');
    if (!slash)
        return tool_strdup(".");
    char *folder = tool_strdup(path);
    folder[slash == path ? 1 : slash - path] = '\0';
    return folder;
}

char *file_join(const char *folder, const char *name) {
    if (name[0] == '/' || strcmp(folder, ".") == 0)
        return tool_strdup(name);
    size_t length = strlen(folder);
    const char *separator = length > 0 && folder[length - 1] == '/' ? "" : "/";
    size_t room = length + strlen(name) + 2;
    char *joined = tool_malloc(room);
    snprintf(joined, room, "%s%s%s", folder, length ? separator : "", name);
    return joined;
}

bool file_exists(const char *path) {
    /* EINVAL: on Windows, a name that no file can have. */
    return access(path, F_OK) == 0 || (errno != ENOENT && errno != ENOTDIR && errno != EINVAL);
}

bool file_has_extension(const char *path, const char *extension) {
    size_t length = strlen(path);
    size_t wanted = strlen(extension);
    return length >= wanted && strcasecmp(path + length - wanted, extension) == 0;
}

/* Bytes to read or write at once: Linux takes no more than 2 GiB, Windows 32 bits of a size. */
#define MOST_AT_ONCE ((size_t)1 << 30)

tool_status file_fail(const char *path, tool_error *error, const char *what) {
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

int64_t file_read_all(int descriptor, unsigned char *bytes, size_t size) {
    size_t used = 0;
    while (used < size) {
        size_t count = size - used < MOST_AT_ONCE ? size - used : MOST_AT_ONCE;
        ssize_t got = read(descriptor, bytes + used, (unsigned)count);
        if (got < 0 && errno != EINTR)
            return -1;
        if (got == 0)
            break;
        used += got > 0 ? (size_t)got : 0;
    }
    return (int64_t)used;
}

static tool_status read_regular(int descriptor, const char *path, uint64_t begin, uint64_t size,
                                file_contents *out, tool_error *error) {
    if (begin && lseek(descriptor, (off_t)begin, SEEK_SET) < 0)
        return file_fail(path, error, "cannot be read");
    out->size = (size_t)size;
    out->bytes = memory_for(size + 1, path, error);
    if (!out->bytes)
        return TOOL_ENVIRONMENT;
    int64_t got = file_read_all(descriptor, out->bytes, out->size);
    if (got == (int64_t)size) {
        out->bytes[size] = '\0';
        return TOOL_OK;
    }
    memory_free(out->bytes);
    out->bytes = NULL;
    if (got < 0)
        return file_fail(path, error, "cannot be read");
    return tool_fail(error, TOOL_ENVIRONMENT, "%.400s: became shorter while it was read", path);
}

/* Checks the kind of the file before it is opened, since opening some devices has effects, and
 * again afterwards, since another file may have taken its place. */
tool_status file_read_part(const char *path, uint64_t begin, uint64_t end, file_contents *out,
                           tool_error *error) {
    struct stat status;
    *out = (file_contents){NULL, 0, false};
    if (stat(path, &status) != 0)
        return file_fail(path, error, "cannot be opened");
    tool_status result = check_kind(path, &status, error);
    if (result != TOOL_OK)
        return result;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe must not block */
    if (descriptor < 0)
        return file_fail(path, error, "cannot be opened");
    if (fstat(descriptor, &status) != 0)
        result = file_fail(path, error, "cannot be read");
    else
        result = check_kind(path, &status, error);
    if (result == TOOL_OK && (uint64_t)status.st_size < end)
        end = (uint64_t)status.st_size;
    if (result == TOOL_OK)
        result = read_regular(descriptor, path, begin, end > begin ? end - begin : 0, out, error);
    close(descriptor);
    return result;
}

tool_status file_read(const char *path, file_contents *out, tool_error *error) {
    return file_read_part(path, 0, UINT64_MAX, out, error);
}

static tool_status write_failed(const char *path, tool_error *error) {
    return file_fail(path, error, "cannot be written");
}

static bool write_part(int descriptor, const char *bytes, size_t size) {
    while (size > 0) {
        size_t count = size < MOST_AT_ONCE ? size : MOST_AT_ONCE;
        ssize_t written = write(descriptor, bytes, (unsigned)count);
        if (written < 0 && errno != EINTR)
            return false;
        bytes += written > 0 ? written : 0;
        size -= written > 0 ? (size_t)written : 0;
    }
    return true;
}

/* A file that replaces another one gets its mode and, if that is allowed, its owner. */
static bool set_rights(int descriptor, const struct stat *old) {
#ifndef _WIN32
    if (fchown(descriptor, old->st_uid, old->st_gid) != 0)
        errno = 0; /* only the superuser may give files away */
#endif
    return fchmod(descriptor, old->st_mode & 0777) == 0;
}

/* The file that is being written, of which there is one at a time. It must not outlive the program:
 * in static memory, where a signal handler may read it. */
static struct {
    char path[4096]; /* Linux's PATH_MAX */
    volatile sig_atomic_t exists;
} unfinished;

static const int ends[] = {
    SIGINT,
    SIGTERM,
#ifdef SIGHUP
    SIGHUP,
#endif
};

void file_remove_unfinished(void) {
    if (unfinished.exists)
        (void)unlink(unfinished.path);
    unfinished.exists = 0;
}

/* The signal then ends the program as it would have without this handler. */
static void remove_and_end(int number) {
    file_remove_unfinished();
    (void)signal(number, SIG_DFL);
    (void)raise(number);
}

/* A signal that is ignored, as by nohup, stays so. */
static void watch_signals(void) {
    static bool watching;
    for (size_t i = 0; i < sizeof ends / sizeof ends[0] && !watching; i++)
        if (signal(ends[i], remove_and_end) == SIG_IGN)
            (void)signal(ends[i], SIG_IGN);
    watching = true;
}

/* Makes the unfinished file beside a path. Its name is noted first: no signal may come between. */
static int make_unfinished(const char *path) {
    const int length = snprintf(unfinished.path, sizeof unfinished.path, "%s.%08" PRIx32, path,
                                (uint32_t)clock_monotonic());
    watch_signals();
    if (length >= (int)sizeof unfinished.path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    unfinished.exists = 1;
    atomic_signal_fence(memory_order_seq_cst);
    const int descriptor = open(unfinished.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    unfinished.exists = descriptor >= 0; /* else it may be another's */
    return descriptor;
}

/* What a symbolic link points to, also where nothing is there yet; a path that is no link stays as
 * it is. To be freed; NULL and errno on failure. */
static char *follow_links(const char *path) {
    char *at = tool_strdup(path);
    for (int links = 0; links <= MOST_LINKS; links++) {
        char target[4096];
        const ssize_t length = readlink(at, target, sizeof target - 1);
        if (length <= 0)
            return at;
        target[length] = '\0';
        char *folder = file_folder(at);
        free(at);
        at = file_join(folder, target);
        free(folder);
    }
    free(at);
    errno = ELOOP;
    return NULL;
}

tool_status file_begin(file_output *out, const char *path, tool_error *error) {
    struct stat status;
    const bool exists = stat(path, &status) == 0;
    *out = (file_output){.path = path, .descriptor = -1};
    if (exists && S_ISDIR(status.st_mode))
        errno = EISDIR;
    else if (exists && !S_ISREG(status.st_mode))
        out->descriptor = open(path, O_WRONLY | O_CLOEXEC);
    else if ((out->target = follow_links(path)) != NULL) /* a symbolic link stays one */
        out->descriptor = make_unfinished(out->target);
    if (out->descriptor >= 0)
        return TOOL_OK;
    const tool_status result = write_failed(path, error);
    file_abandon(out);
    return result;
}

tool_status file_put(const file_output *out, uint64_t offset, const void *bytes, size_t size,
                     tool_error *error) {
    const bool there = !out->target || lseek(out->descriptor, (off_t)offset, SEEK_SET) >= 0;
    return there && write_part(out->descriptor, bytes, size) ? TOOL_OK
                                                             : write_failed(out->path, error);
}

void file_abandon(file_output *out) {
    if (out->descriptor >= 0)
        close(out->descriptor);
    if (out->target)
        file_remove_unfinished();
    free(out->target);
    *out = (file_output){.descriptor = -1};
}

tool_status file_finish(file_output *out, tool_error *error) {
    struct stat old;
    tool_status status = TOOL_OK;
    bool written =
        !out->target || stat(out->target, &old) != 0 || set_rights(out->descriptor, &old);
    written = close(out->descriptor) == 0 && written;
    out->descriptor = -1;
    if (!written || (out->target && rename(unfinished.path, out->target) != 0))
        status = write_failed(out->path, error);
    else
        unfinished.exists = 0;
    file_abandon(out);
    return status;
}

tool_status file_write(const char *path, const file_part *parts, size_t count, tool_error *error) {
    file_output out;
    uint64_t offset = 0;
    tool_status status = file_begin(&out, path, error);
    for (size_t i = 0; i < count && status == TOOL_OK; i++) {
        status = file_put(&out, offset, parts[i].bytes, parts[i].size, error);
        offset += parts[i].size;
    }
    if (status == TOOL_OK)
        return file_finish(&out, error);
    file_abandon(&out);
    return status;
}

tool_status file_write_text(const char *path, text_buffer *text, tool_error *error) {
    char *bytes = text_buffer_close(text);
    const tool_status status = file_write(path, &(file_part){bytes, text->length}, 1, error);
    free(bytes);
    return status;
}

tool_status folder_make(const char *folder, tool_error *error) {
    struct stat status;
    if (!folder || (stat(folder, &status) == 0 && S_ISDIR(status.st_mode)) ||
        mkdir(folder, 0777) == 0)
        return TOOL_OK;
    return file_fail(folder, error, "cannot be made a folder");
}
