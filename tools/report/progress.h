/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_PROGRESS_H
#define CUMSUM_TOOLS_PROGRESS_H

#include <stdint.h>

/* A line on stderr that shows how far long work has come, where stderr is a terminal. */

/* Where the work stands: file number `done` of `total` is next. Until this is called, one of one.
 */
void progress_files(uint64_t done, uint64_t total);

/* `done` of `total` parts of the file (0: unknown), and what is being worked on. A bar shows how
 * much of all files is done. Shown at most ten times a second, and not in the first half second. */
void progress_show(uint64_t done, uint64_t total, const char *what);

/* Removes the line before other text is written. */
void progress_clear(void);

#endif
