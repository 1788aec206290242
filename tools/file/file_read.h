/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_FILE_READ_H
#define CUMSUM_TOOLS_FILE_READ_H

#include <stddef.h>

#include "error.h"

/* A file's bytes with a NUL byte after them, aligned to 64 bytes. Give bytes to memory_release().
 */
typedef struct file_contents {
    unsigned char *bytes;
    size_t size;
} file_contents;

/* Reads a regular file. A directory, a pipe or a device is TOOL_MALFORMED (the path cannot be
 * meant); a file that is missing or cannot be read, or that changes meanwhile, TOOL_ENVIRONMENT. */
tool_status file_read(const char *path, file_contents *out, tool_error *error);

#endif
