/* SPDX-License-Identifier: MIT */
#include "competitors.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "competitors_place.h"

extern char **environ;

/* In the same place below PREFIX of PREFIX/bin/cumsum and below BUILD of BUILD/tools/cumsum. */
static bool script_of_program(char path[PATH_MAX]) {
    ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);
    if (length <= 0)
        return false;
    path[length] = '\0';
    for (int i = 0; i < 2; i++) {
        char *slash = strrchr(path, '/');
        if (!slash)
            return false;
        *slash = '\0';
    }
    size_t used = strlen(path);
    snprintf(path + used, PATH_MAX - used, "/%s", COMPETITORS_PLACE);
    return access(path, R_OK) == 0;
}

static tool_status find_script(char path[PATH_MAX], tool_error *error) {
    if (script_of_program(path))
        return TOOL_OK;
    return tool_fail(error, TOOL_ENVIRONMENT,
                     "--against: competitors.py is not beside the program (../%s)",
                     COMPETITORS_PLACE);
}

static int spawn(competitors *r, const char *python, const char *script, const char *names,
                 const int requests[2], const int answers[2]) {
    char *const arguments[] = {(char *)python, (char *)script, (char *)names, NULL};
    posix_spawn_file_actions_t actions;
    int failure = posix_spawn_file_actions_init(&actions);
    if (failure)
        return failure;
    failure = posix_spawn_file_actions_adddup2(&actions, requests[0], STDIN_FILENO);
    if (!failure)
        failure = posix_spawn_file_actions_adddup2(&actions, answers[1], STDOUT_FILENO);
    if (!failure)
        failure = posix_spawnp(&r->process, python, &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    return failure;
}

/* The process must not hold our ends: it would never see the end of its requests. */
static bool make_pipe(int ends[2]) {
    return pipe(ends) == 0 && fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0 &&
           fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0;
}

/* Takes the file, also where that fails: the process waits for the end of its requests. */
static FILE *make_stream(int file, const char *mode, int *failure) {
    FILE *stream = *failure ? NULL : fdopen(file, mode);
    if (!stream) {
        *failure = *failure ? *failure : errno;
        close(file);
    }
    return stream;
}

tool_status competitors_start(competitors *r, const char *names, tool_error *error) {
    char script[PATH_MAX];
    int requests[2] = {-1, -1};
    int answers[2] = {-1, -1};
    const char *python = getenv("PYTHON");
    python = python && *python ? python : "python3";
    tool_status status = find_script(script, error);
    if (status != TOOL_OK)
        return status;
    int failure = make_pipe(requests) && make_pipe(answers) ? 0 : errno;
    failure = failure ? failure : spawn(r, python, script, names, requests, answers);
    close(requests[0]);
    close(answers[1]);
    r->requests = make_stream(requests[1], "w", &failure);
    r->answers = make_stream(answers[0], "r", &failure);
    return failure ? tool_fail(error, TOOL_ENVIRONMENT, "--against: cannot start %s: %s", python,
                               strerror(failure))
                   : TOOL_OK;
}

void competitors_stop(competitors *r) {
    if (r->requests)
        fclose(r->requests);
    if (r->answers)
        fclose(r->answers);
    if (r->process > 0)
        waitpid(r->process, NULL, 0);
    r->requests = r->answers = NULL;
    r->process = 0;
}
