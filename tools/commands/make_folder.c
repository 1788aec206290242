/* SPDX-License-Identifier: MIT */
#include "make_folder.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

tool_status folder_make(const char *folder, tool_error *error) {
    struct stat status;
    if (!folder || (stat(folder, &status) == 0 && S_ISDIR(status.st_mode)) ||
        mkdir(folder, 0777) == 0)
        return TOOL_OK;
    return tool_fail(error, TOOL_ENVIRONMENT, "%.400s: cannot be made a folder: %s", folder,
                     strerror(errno));
}
