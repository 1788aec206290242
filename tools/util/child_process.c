/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* pipe2 */
/*
 * Processes by posix_spawn. The ends of the pipes that stay here are closed in every child, so that
 * a child sees the end of its input when this process closes it or ends.
 */
#include "child_process.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "memory.h"

extern char **environ;

/* How long a killed process may take: one that a driver holds in the kernel is left behind. */
#define KILL_MS 10000

struct child_process {
    pid_t process;
    int to;   /* its standard input */
    int from; /* its standard output */
    char *text;
    size_t length; /* of the text that has been read */
    size_t room;
    size_t taken; /* bytes of the text that the last line took, with its end */
};

static const char self[] = "/proc/self/exe";

bool child_process_self(char *path, size_t room) {
    const ssize_t length = readlink(self, path, room - 1);
    path[length > 0 ? length : 0] = '\0';
    return length > 0;
}

/* The program's path rather than the link: emulators and debuggers answer readlink for the program
 * that they run, but open of the link is theirs. */
static void find_self(char path[PATH_MAX]) {
    if (!child_process_self(path, PATH_MAX) || access(path, X_OK) != 0) /* replaced while it ran */
        memcpy(path, self, sizeof self);
}

/* At once: a process that another thread starts in between must not get them. */
static bool make_pipe(int ends[2]) {
    return pipe2(ends, O_CLOEXEC) == 0;
}

static int add_streams(posix_spawn_file_actions_t *actions, int in, int out) {
    const int failure = posix_spawn_file_actions_adddup2(actions, in, STDIN_FILENO);
    return failure ? failure : posix_spawn_file_actions_adddup2(actions, out, STDOUT_FILENO);
}

/* in, out: what becomes of its standard streams. */
static int spawn(pid_t *process, const char *program, const char *const *arguments, int in,
                 int out) {
    char path[PATH_MAX];
    char *list[32];
    size_t count = 0;
    posix_spawn_file_actions_t actions;
    if (!program) {
        find_self(path);
        program = path;
    }
    list[count++] = (char *)program;
    while (*arguments && count + 1 < sizeof list / sizeof list[0])
        list[count++] = (char *)*arguments++;
    list[count] = NULL;
    int failure = posix_spawn_file_actions_init(&actions);
    if (failure)
        return failure;
    failure = add_streams(&actions, in, out);
    if (!failure)
        failure = posix_spawnp(process, program, &actions, NULL, list, environ);
    posix_spawn_file_actions_destroy(&actions);
    return failure;
}

static void close_end(int end) {
    if (end >= 0)
        close(end);
}

tool_status child_process_start(child_process **child, const char *program,
                                const char *const *arguments, tool_error *error) {
    int to[2] = {-1, -1};
    int from[2] = {-1, -1};
    pid_t process = -1;
    int failure = make_pipe(to) && make_pipe(from) ? 0 : errno;
    failure = failure ? failure : spawn(&process, program, arguments, to[0], from[1]);
    close_end(to[0]);
    close_end(from[1]);
    if (failure) {
        close_end(to[1]);
        close_end(from[0]);
        return tool_fail(error, TOOL_ENVIRONMENT, "cannot start %.200s: %s",
                         program ? program : "a process", strerror(failure));
    }
    *child = tool_calloc(1, sizeof **child);
    **child = (child_process){.process = process, .to = to[1], .from = from[0]};
    return TOOL_OK;
}

static bool send_bytes(int to, const char *bytes, size_t size) {
    while (size > 0) {
        const ssize_t sent = write(to, bytes, size);
        if (sent < 0 && errno != EINTR)
            return false;
        bytes += sent > 0 ? sent : 0;
        size -= sent > 0 ? (size_t)sent : 0;
    }
    return true;
}

bool child_process_send(child_process *child, const char *line) {
    return send_bytes(child->to, line, strlen(line)) && send_bytes(child->to, "\n", 1);
}

/* Milliseconds until `end`, for poll; -1, for ever, where end is 0. */
static int time_left(uint64_t end) {
    const uint64_t now = clock_monotonic();
    return !end ? -1 : now >= end ? 0 : (int)((end - now) / 1000000 + 1);
}

static child_answer read_more(child_process *child, uint64_t end) {
    struct pollfd ready = {.fd = child->from, .events = POLLIN};
    if (child->length + 1 >= child->room) {
        child->room = child->room ? 2 * child->room : 65536;
        child->text = tool_realloc(child->text, child->room, 1);
    }
    const int count = poll(&ready, 1, time_left(end));
    if (count == 0)
        return CHILD_LATE;
    const ssize_t got =
        count < 0 ? -1
                  : read(child->from, child->text + child->length, child->room - child->length);
    if (got < 0 && errno == EINTR)
        return CHILD_LINE;
    child->length += got > 0 ? (size_t)got : 0;
    return got > 0 ? CHILD_LINE : got < 0 ? CHILD_FAILED : CHILD_ENDED;
}

child_answer child_process_receive(child_process *child, uint32_t milliseconds, const char **line) {
    const uint64_t end = milliseconds ? clock_monotonic() + milliseconds * UINT64_C(1000000) : 0;
    child_answer answer = CHILD_LINE;
    char *stop = NULL;
    if (child->taken) {
        memmove(child->text, child->text + child->taken, child->length - child->taken);
        child->length -= child->taken;
        child->taken = 0;
    }
    while (!(stop = child->length ? memchr(child->text, '\n', child->length) : NULL)) {
        answer = read_more(child, end);
        if (answer != CHILD_LINE)
            return answer;
    }
    *stop = '\0';
    child->taken = (size_t)(stop + 1 - child->text);
    *line = child->text;
    return CHILD_LINE;
}

uint64_t child_process_time(const child_process *child) {
    clockid_t clock;
    struct timespec used;
    if (clock_getcpuclockid(child->process, &clock) != 0 || clock_gettime(clock, &used) != 0)
        return 0;
    return (uint64_t)used.tv_sec * 1000000000U + (uint64_t)used.tv_nsec;
}

/* False if it does not end in time. */
static bool wait_for(pid_t process, uint32_t milliseconds, int *status) {
    for (uint32_t waited = 0; waited <= milliseconds; waited++) {
        const bool forever = milliseconds == CHILD_FOREVER;
        const pid_t ended = waitpid(process, status, forever ? 0 : WNOHANG);
        if (ended > 0 || (ended < 0 && errno != EINTR))
            return ended > 0;
        if (!forever)
            nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    return false;
}

static void describe(int status, char *how, size_t room) {
    if (WIFSIGNALED(status))
        snprintf(how, room, "by signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
    else
        snprintf(how, room, "with exit status %d", WEXITSTATUS(status));
}

bool child_process_end(child_process *child, uint32_t milliseconds, char *how, size_t room) {
    int status = 0;
    close(child->to); /* a program that reads its requests ends then */
    const bool by_itself = milliseconds > 0 && wait_for(child->process, milliseconds, &status);
    bool ended = by_itself;
    if (!ended) {
        kill(child->process, SIGKILL);
        ended = wait_for(child->process, KILL_MS, &status);
    }
    if (how && ended)
        describe(status, how, room);
    else if (how)
        snprintf(how, room, "not even when it was killed");
    close(child->from);
    free(child->text);
    free(child);
    return by_itself && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}
