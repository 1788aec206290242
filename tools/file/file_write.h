/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_FILE_WRITE_H
#define CUMSUM_TOOLS_FILE_WRITE_H

#include <stddef.h>

#include "error.h"

typedef struct file_part {
    const void *bytes;
    size_t size;
} file_part;

/* Writes the parts one after the other. The file appears whole or not at all: it is written beside
 * path, under another name, and renamed. A pipe or a device is written to as it is.
 * TOOL_ENVIRONMENT on failure. */
tool_status file_write(const char *path, const file_part *parts, size_t count, tool_error *error);

#endif
