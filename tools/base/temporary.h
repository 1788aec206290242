/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_TEMPORARY_H
#define CUMSUM_TOOLS_TEMPORARY_H

/*
 * Files and folders that must not outlive the program. If a signal (INT, TERM, HUP) or a lack of
 * memory ends it, those that it has not forgotten are removed.
 */

/* mkstemp and mkdtemp of POSIX: the six X at the end of the path are replaced. The path is
 * remembered. -1, or NULL, and errno on failure. */
int temporary_file(char *path);
char *temporary_folder(char *path);

/* Remembers another path, in a temporary folder. There is room for a few. */
void temporary_add(const char *path);

/* The path is removed, or it is temporary no more. */
void temporary_forget(const char *path);

/* Removes what is remembered, the last one first. For signal handlers, too. */
void temporaries_remove(void);

#endif
