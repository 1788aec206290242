/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_PROGRESS_H
#define CUMSUM_TOOLS_PROGRESS_H

/* A progress line on stderr, if stderr is a terminal. */

#include <stdint.h>

/* File number `done` of `total` is next. Without a call there is one file. */
void progress_files(uint64_t done, uint64_t total);

/* Shows that `done` of `total` steps of the file (0: unknown) are done, and a name. The bar covers
 * all files. It appears after half a second, and changes at most ten times a second. */
void progress_show(uint64_t done, uint64_t total, const char *what);

/* The same for bytes, with the rate and the time that is left. */
void progress_show_bytes(uint64_t done, uint64_t total, const char *what);

/* Removes the line, before other output. */
void progress_clear(void);

#endif
