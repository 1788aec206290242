/* SPDX-License-Identifier: MIT */
#include "child_process.h"
#include "clock.h"

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

/* A process that a driver holds in the kernel may not die at once: then it is left behind. */
#define PATIENCE_IN_MS 10000
/* So long it gets to end by itself. */
#define GRACE_IN_MS 2000

struct child_process {
    pid_t process;
    int to;   /* its standard input */
    int from; /* its standard output */
    char *text;
    size_t length; /* of the text that has been read */
    size_t room;
    size_t taken; /* of the text: the line that was given last, and its end */
};

/* The ends that stay here are not given to other children. */
static bool make_pipe(int ends[2]) {
    return pipe(ends) == 0 && fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0 &&
           fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0;
}

/* This program's file. Not the link itself: whoever imitates a machine or watches over a program
 * answers readlink for it. */
static void find_program(char path[PATH_MAX]) {
    static const char link[] = "/proc/self/exe";
    const ssize_t length = readlink(link, path, PATH_MAX - 1);
    path[length > 0 ? length : 0] = '\0';
    if (length <= 0 || access(path, X_OK) != 0) /* replaced while it ran */
        memcpy(path, link, sizeof link);
}

static int spawn(pid_t *process, int in, int out, const char *const *arguments) {
    char program[PATH_MAX];
    char *list[32] = {program};
    posix_spawn_file_actions_t actions;
    for (size_t i = 0; arguments[i] && i + 2 < sizeof list / sizeof list[0]; i++)
        list[i + 1] = (char *)arguments[i];
    find_program(program);
    int failure = posix_spawn_file_actions_init(&actions);
    if (failure)
        return failure;
    failure = posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
    if (!failure)
        failure = posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    if (!failure)
        failure = posix_spawn(process, program, &actions, NULL, list, environ);
    posix_spawn_file_actions_destroy(&actions);
    return failure;
}

tool_status child_process_start(child_process **child, const char *const *arguments,
                                tool_error *error) {
    int to[2] = {-1, -1};
    int from[2] = {-1, -1};
    pid_t process = -1;
    int failure = make_pipe(to) && make_pipe(from) ? 0 : errno;
    failure = failure ? failure : spawn(&process, to[0], from[1], arguments);
    close(to[0]);
    close(from[1]);
    if (failure) {
        close(to[1]);
        close(from[0]);
        return tool_fail(error, TOOL_ENVIRONMENT, "cannot start a process: %s", strerror(failure));
    }
    *child = tool_calloc(1, sizeof **child);
    **child = (child_process){.process = process, .to = to[1], .from = from[0]};
    return TOOL_OK;
}

bool child_process_send(child_process *child, const char *line) {
    char text[4096];
    const int length = snprintf(text, sizeof text, "%s\n", line);
    return length > 0 && (size_t)length < sizeof text &&
           write(child->to, text, (size_t)length) == length;
}

/* Milliseconds from now to the end of the time, for poll: -1 is for ever. */
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

/* False where it does not end in time. */
static bool wait_for(pid_t process, uint32_t milliseconds, int *status) {
    for (uint32_t waited = 0; waited <= milliseconds; waited++) {
        const pid_t ended = waitpid(process, status, WNOHANG);
        if (ended != 0)
            return ended > 0;
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

void child_process_end(child_process *child, bool at_once, char *how, size_t room) {
    int status = 0;
    close(child->to); /* without more input it ends by itself, unless it is at work */
    bool ended = !at_once && wait_for(child->process, GRACE_IN_MS, &status);
    if (!ended) {
        kill(child->process, SIGKILL);
        ended = wait_for(child->process, PATIENCE_IN_MS, &status);
    }
    if (how && ended)
        describe(status, how, room);
    else if (how)
        snprintf(how, room, "not even when it was killed");
    close(child->from);
    free(child->text);
    free(child);
}
