/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_PROGRESS_H
#define CUMSUM_TOOLS_PROGRESS_H

/* A line on stderr that shows how far long work has come, where stderr is a terminal. */

#include <stdint.h>

/* `done` of `total` (0: unknown), and what is being worked on. Shown at most ten times a second,
 * and not in the first half second. */
void progress_show(uint64_t done, uint64_t total, const char *what);

/* Removes the line before other text is written. */
void progress_clear(void);

#endif
