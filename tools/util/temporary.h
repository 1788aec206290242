/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_TEMPORARY_H
#define CUMSUM_TOOLS_TEMPORARY_H

/*
 * Files that must not outlive the program. If a signal (INT, TERM, HUP) or a lack of
 * memory ends it, those that it has not forgotten are removed.
 */

/* mkstemp of POSIX: the six X at the end of the path are replaced. The path is remembered; there is
 * room for a few. -1 and errno on failure. */
int temporary_file(char *path);

/* The path is removed, or it is temporary no more. */
void temporary_forget(const char *path);

/* Removes what is remembered, the last one first. For signal handlers, too. */
void temporaries_remove(void);

#endif
