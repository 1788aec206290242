/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_POSIX_ON_WINDOWS_H
#define CUMSUM_TOOLS_POSIX_ON_WINDOWS_H

/*
 * What the tool takes from POSIX and mingw-w64 does not have. CMake includes this first in every
 * file of the tool, and only for Windows, so that the files themselves are written for POSIX alone.
 * Each does what its namesake does, as far as the tool needs it.
 */

#include <direct.h>
#include <fcntl.h>
#include <io.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

/* Files: a handle that children do not get; nothing that could block or be a socket is opened. */
#define O_CLOEXEC      _O_NOINHERIT
#define O_NONBLOCK     0
#define S_ISSOCK(mode) ((void)(mode), 0)

/* Always the "C" locale, since the tool never sets one. These round correctly, where those of
 * Microsoft's library do not. */
typedef int locale_t;
#define LC_ALL_MASK                       0
#define newlocale(mask, name, base)       ((void)(name), (mask) + (base))
#define strtod_l(text, end, locale)       ((void)(locale), __mingw_strtod(text, end))
#define strtof_l(text, end, locale)       ((void)(locale), __mingw_strtof(text, end))
#define localtime_r(seconds, broken_down) (localtime_s(broken_down, seconds) ? NULL : (broken_down))
#define gmtime_r(seconds, broken_down)    (gmtime_s(broken_down, seconds) ? NULL : (broken_down))
#define umask(mask)                       posix_umask(mask)
#define mkdir(path, mode)                 posix_mkdir(path, mode)
#define truncate(path, size)              posix_truncate(path, size)
#define rename(from, to)                  posix_rename(from, to)
#define realpath(path, resolved)          _fullpath(resolved, path, 0)
#define _SC_NPROCESSORS_ONLN              1

int gethostname(char *text, int room); /* of ws2_32 */
mode_t posix_umask(mode_t mask);
int posix_mkdir(const char *path, int mode); /* the mode is for other systems */
int posix_truncate(const char *path, int64_t size);
int fchmod(int descriptor, mode_t mode); /* does nothing */
ssize_t getline(char **line, size_t *room, FILE *file);
char *strndup(const char *text, size_t most);
int posix_rename(const char *from, const char *to); /* over a file that is there */
int getloadavg(double *loads, int count);           /* -1: Windows has no such thing */
long sysconf(int name);                             /* _SC_NPROCESSORS_ONLN */

#endif
