/* SPDX-License-Identifier: MIT */
/*
 * The worker's side of a sweep in two processes (worker.c has the other side, and the protocol). It
 * reads names on standard input. On its original standard output it answers with lines.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "json_print.h"
#include "locks.h"
#include "memory_limit.h"
#include "report.h"
#include "sweep.h"
#include "sweep_case.h"
#include "worker.h"

#ifdef __linux__
#include <signal.h>
#include <sys/prctl.h>
#endif

/* Drivers print on standard output, too. From here on that goes to standard error. */
static FILE *take_output(void) {
    const int answers = dup(STDOUT_FILENO);
    fflush(stdout);
    return answers >= 0 && dup2(STDERR_FILENO, STDOUT_FILENO) >= 0 ? fdopen(answers, "w") : NULL;
}

/* What is said of all executors. */
typedef struct execution_watch {
    FILE *out;
    tool_lock lock;
    uint32_t executing; /* executors */
} execution_watch;

/* Each line gives the executions that are under way their time anew. */
static void say_executing(void *state, bool executing) {
    execution_watch *watch = state;
    tool_lock_take(&watch->lock);
    watch->executing = executing ? watch->executing + 1 : watch->executing - 1;
    fputs(watch->executing ? "executing\n" : "executed\n", watch->out);
    fflush(watch->out);
    tool_lock_leave(&watch->lock);
}

static void watch_team(const sweep_team *team, execution_watch *watch) {
    for (uint32_t i = 0; i < team->count; i++) {
        team->list[i].watch = say_executing;
        team->list[i].watch_state = watch;
    }
}

/* Writes the first line: the device, why it is missing, or what failed. */
static void introduce(FILE *out, const executor *e, tool_status status, const char *message) {
    json_object *line = json_make_object();
    const sweep_device device = sweep_device_of(e);
    if (status != TOOL_OK)
        fields_text(line, "error", message);
    else if (executor_reason(e))
        fields_text(line, "missing", executor_reason(e));
    fields_text(line, "device", device.name);
    fields_text(line, "adapter", device.adapter);
    fields_text(line, "driver", device.driver);
    fprintf(out, "%s\n", json_print(line, JSON_C_TO_STRING_PLAIN));
    fflush(out);
    json_object_put(line);
}

/* Returns false if the device is lost, and with it the use of this process. */
static bool run_case(FILE *out, executor *e, const char *name, const sweep_settings *settings) {
    sweep_result result;
    sweep_run_case(e, name, settings, &result);
    sweep_done done = sweep_done_of(name, &result);
    const bool lost = done.outcome == SWEEP_CRASH || done.outcome == SWEEP_TIMEOUT;
    sweep_done_send(out, &done);
    fflush(out);
    sweep_done_free(&done);
    return !lost;
}

static void run_cases(FILE *out, executor *e, const sweep_settings *settings) {
    char *name = NULL;
    size_t room = 0;
    ssize_t length;
    bool going = true;
    while (going && (length = getline(&name, &room, stdin)) > 0) {
        name[length - (name[length - 1] == '\n')] = '\0';
        going = run_case(out, e, name, settings);
    }
    free(name);
}

tool_status sweep_worker_run(const backend_settings *backend, const sweep_settings *settings) {
    sweep_team team;
    tool_error error;
    FILE *out = take_output();
    execution_watch watch = {.out = out, .lock = TOOL_LOCK};
    if (!out)
        return TOOL_ENVIRONMENT;
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* the sweep is gone */
#endif
    memory_keep(settings->stress ? 1 : settings->jobs);
    const tool_status status = sweep_team_begin(&team, settings, backend, &error);
    introduce(out, &team.list[0], status, error.message);
    if (status == TOOL_OK && !executor_reason(&team.list[0])) {
        watch_team(&team, &watch);
        run_cases(out, team.list, settings);
    }
    sweep_team_end(&team);
    fclose(out);
    return status;
}
