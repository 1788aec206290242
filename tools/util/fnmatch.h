/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_FNMATCH_H
#define CUMSUM_TOOLS_FNMATCH_H

/* POSIX's fnmatch, which mingw-w64 does not have: 0 if the whole text matches. Patterns have *, ?,
 * [a-z] and [!a-z]; flags are ignored. */
int fnmatch(const char *pattern, const char *text, int flags);

#endif
