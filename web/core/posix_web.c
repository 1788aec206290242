/* SPDX-License-Identifier: MIT */
/* What Emscripten declares and lacks: processes, which cannot be started here, and memory that is
 * shared with them. */
#define _GNU_SOURCE
#include <errno.h>
#include <spawn.h>
#include <sys/mman.h>

int posix_spawnp(pid_t *restrict process, const char *restrict file,
                 const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *restrict how,
                 char *const arguments[restrict], char *const environment[restrict]) {
    (void)process;
    (void)file;
    (void)actions;
    (void)how;
    (void)arguments;
    (void)environment;
    return ENOSYS;
}

int memfd_create(const char *name, unsigned flags) {
    (void)name;
    (void)flags;
    errno = ENOSYS;
    return -1;
}
