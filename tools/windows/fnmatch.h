/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_FNMATCH_H
#define CUMSUM_TOOLS_FNMATCH_H

/* POSIX's fnmatch, of which mingw-w64 has none: 0 where the whole of text matches. *, ? and
 * [a-z], [!a-z]; flags are not looked at. */
int fnmatch(const char *pattern, const char *text, int flags);

#endif
