/* SPDX-License-Identifier: MIT */
#include "file_path.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

char *file_folder(const char *path) {
    const char *slash = strrchr(path, '/');
    if (!slash)
        return strdup(".");
    return strndup(path, slash == path ? 1 : (size_t)(slash - path));
}

char *file_join(const char *folder, const char *name) {
    if (name[0] == '/' || strcmp(folder, ".") == 0)
        return strdup(name);
    size_t length = strlen(folder);
    const char *separator = length > 0 && folder[length - 1] == '/' ? "" : "/";
    size_t room = length + strlen(name) + 2;
    char *joined = malloc(room);
    if (joined)
        snprintf(joined, room, "%s%s%s", folder, length ? separator : "", name);
    return joined;
}

bool file_exists(const char *path) {
    /* EINVAL: Windows, of a name that no file can have. */
    return access(path, F_OK) == 0 || (errno != ENOENT && errno != ENOTDIR && errno != EINVAL);
}

bool file_has_extension(const char *path, const char *extension) {
    size_t length = strlen(path);
    size_t wanted = strlen(extension);
    return length >= wanted && strcasecmp(path + length - wanted, extension) == 0;
}
