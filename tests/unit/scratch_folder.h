/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_SCRATCH_FOLDER_H
#define CUMSUM_TESTS_SCRATCH_FOLDER_H

/* A folder for the files of a test, which is removed at its end. */

#include <stddef.h>

/* Make and remove the folder, before and after each test of a group. */
void scratch_make(void);
void scratch_remove(void);

/* The path of a file in the folder; valid until eight more were asked for. */
const char *scratch_path(const char *name);

/* Writes a file there. Returns its path. */
const char *scratch_write(const char *name, const void *bytes, size_t size);

#endif
