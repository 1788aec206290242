/* SPDX-License-Identifier: MIT */
/* Replaces the functions that start processes and threads and that make pipes, so that they fail.
 */
#define _GNU_SOURCE
#include "fault_calls.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <pthreadpool.h>
#include <spawn.h>
#include <stdarg.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The parameters have names of their own:
 * NOLINTBEGIN(readability-inconsistent-declaration-parameter-name) */
static void *next_pipe;
static void *next_pipe2;
static void *next_dup;
static void *next_dup2;
static void *next_fcntl;
static void *next_poll;
static void *next_fork;
static void *next_posix_spawn;
static void *next_posix_spawnp;
static void *next_waitpid;
static void *next_pthreadpool_create;
static void *next_pthread_create;

#define PROCESSES FAULT_PROCESSES

int pipe(int ends[2]) {
    return FAULT(PROCESSES, "pipe") ? -1 : NEXT(pipe)(ends);
}

int pipe2(int ends[2], int flags) {
    return FAULT(PROCESSES, "pipe2") ? -1 : NEXT(pipe2)(ends, flags);
}

int dup(int file) {
    return FAULT(PROCESSES, "dup") ? -1 : NEXT(dup)(file);
}

int dup2(int from, int to) {
    return FAULT(PROCESSES, "dup2") ? -1 : NEXT(dup2)(from, to);
}

/* The tool passes an int at most. */
int fcntl(int file, int command, ...) {
    va_list arguments;
    va_start(arguments, command);
    const int argument = va_arg(arguments, int);
    va_end(arguments);
    return FAULT(PROCESSES, "fcntl") ? -1 : NEXT(fcntl)(file, command, argument);
}

int poll(struct pollfd *files, nfds_t count, int milliseconds) {
    return FAULT(PROCESSES, "poll") ? -1 : NEXT(poll)(files, count, milliseconds);
}

pid_t fork(void) {
    return FAULT(PROCESSES, "fork") ? -1 : NEXT(fork)();
}

int posix_spawn(pid_t *restrict process, const char *restrict path,
                const posix_spawn_file_actions_t *actions,
                const posix_spawnattr_t *restrict attributes, char *const arguments[restrict],
                char *const environment[restrict]) {
    return FAULT(PROCESSES, "posix_spawn")
               ? EAGAIN
               : NEXT(posix_spawn)(process, path, actions, attributes, arguments, environment);
}

int posix_spawnp(pid_t *restrict process, const char *restrict path,
                 const posix_spawn_file_actions_t *actions,
                 const posix_spawnattr_t *restrict attributes, char *const arguments[restrict],
                 char *const environment[restrict]) {
    return FAULT(PROCESSES, "posix_spawnp")
               ? EAGAIN
               : NEXT(posix_spawnp)(process, path, actions, attributes, arguments, environment);
}

pid_t waitpid(pid_t process, int *status, int options) {
    return FAULT(PROCESSES, "waitpid") ? -1 : NEXT(waitpid)(process, status, options);
}

pthreadpool_t pthreadpool_create(size_t threads) {
    return FAULT(PROCESSES, "pthreadpool_create") ? NULL : NEXT(pthreadpool_create)(threads);
}

static bool in_pthreadpool(const void *caller) {
    Dl_info info = {0};
    return dladdr(caller, &info) && info.dli_fname && strstr(info.dli_fname, "/libpthreadpool");
}

/* pthreadpool ignores the result and would wait for ever for a thread that did not start, so its
 * own calls succeed. The program tries beforehand whether threads can start (threads/). */
int pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict attributes,
                   void *(*start)(void *), void *restrict argument) {
    return !in_pthreadpool(CALLER) && FAULT(PROCESSES, "pthread_create")
               ? EAGAIN
               : NEXT(pthread_create)(thread, attributes, start, argument);
}

/* NOLINTEND(readability-inconsistent-declaration-parameter-name) */
