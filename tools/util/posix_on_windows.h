/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_POSIX_ON_WINDOWS_H
#define CUMSUM_TOOLS_POSIX_ON_WINDOWS_H

/*
 * The parts of POSIX that the tool uses and mingw-w64 does not have. CMake includes this header
 * first in every file of the tool, on Windows only, so that all files can be written for POSIX.
 * Each function does what POSIX says, as far as the tool needs it.
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

/* Files: handles that children do not inherit. Nothing that the tool opens can block or be a
 * socket. */
#define O_CLOEXEC      _O_NOINHERIT
#define O_NONBLOCK     0
#define S_ISSOCK(mode) ((void)(mode), 0)

/* Unlike Microsoft's functions, those of mingw-w64 round correctly. */
#define strtod(text, end)              __mingw_strtod(text, end)
#define strtof(text, end)              __mingw_strtof(text, end)
#define gmtime_r(seconds, broken_down) (gmtime_s(broken_down, seconds) ? NULL : (broken_down))
#define mkdir(path, mode)              posix_mkdir(path, mode)
#define rename(from, to)               posix_rename(from, to)
#define readlink(path, target, room)   ((void)(path), (void)(target), (void)(room), -1)
#define _SC_NPROCESSORS_ONLN           1

int gethostname(char *text, int room);              /* of ws2_32 */
int posix_mkdir(const char *path, int mode);        /* the mode is for other systems */
int fchmod(int descriptor, mode_t mode);            /* does nothing */
int posix_rename(const char *from, const char *to); /* replaces an existing file */
long sysconf(int name);                             /* _SC_NPROCESSORS_ONLN */

#endif
