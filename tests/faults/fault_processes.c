/* SPDX-License-Identifier: MIT */
/* Replaces the functions that start processes and threads and that make and read pipes, so that
 * they fail. */
#define _GNU_SOURCE
#include "fault_calls.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <pthreadpool.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The parameters have names of their own:
 * NOLINTBEGIN(readability-inconsistent-declaration-parameter-name) */
static void *next_pipe2;
static void *next_dup;
static void *next_dup2;
static void *next_fcntl;
static void *next_poll;
static void *next_read;
static void *next_fork;
static void *next_waitpid;
static void *next_pthreadpool_create;
static void *next_pthread_create;

#define PROCESSES FAULT_PROCESSES

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

/* Only a pipe has no position. */
ssize_t read(int file, void *bytes, size_t size) {
    const int before = errno;
    const bool is_pipe = lseek(file, 0, SEEK_CUR) < 0 && errno == ESPIPE;
    errno = before;
    return is_pipe && FAULT(PROCESSES, "read of a pipe") ? -1 : NEXT(read)(file, bytes, size);
}

pid_t fork(void) {
    return FAULT(PROCESSES, "fork") ? -1 : NEXT(fork)();
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
