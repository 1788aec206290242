/* SPDX-License-Identifier: MIT */
/* What Emscripten declares and lacks: memory that is shared with processes. */
#define _GNU_SOURCE
#include <errno.h>
#include <sys/mman.h>

int memfd_create(const char *name, unsigned flags) {
    (void)name;
    (void)flags;
    errno = ENOSYS;
    return -1;
}
