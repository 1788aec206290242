/* SPDX-License-Identifier: MIT */
/*
 * The runner of a sweep executes one case after the other: in this process, or in a worker process
 * that this file starts, feeds with names, and replaces when it ends or hangs. So a crash or a hang
 * of a driver costs one case. The worker's side is worker_process.c.
 *
 * A worker is this program again, with the command sweep-worker. It writes a line that introduces
 * its device. Then, for each name that it reads, it writes "executing", "executed" and the record.
 */
#include "worker.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend.h"
#include "json_parse.h"
#include "json_print.h"
#include "memory.h"
#include "memory_limit.h"
#include "report.h"

uint32_t sweep_executors(const sweep_settings *settings) {
    return settings->stress ? settings->jobs : 1;
}

/* A process of --exec has an order of its own. Where any right bits pass, it is asked for the cases
 * of every order. */
tool_status sweep_team_begin(sweep_team *team, const sweep_settings *settings,
                             const backend_settings *backend, tool_error *error) {
    const uint32_t wanted = sweep_executors(settings);
    tool_status status = TOOL_OK;
    *team = (sweep_team){.list = tool_calloc(wanted, sizeof *team->list)};
    while (status == TOOL_OK && team->count < wanted && !executor_reason(&team->list[0])) {
        executor *e = &team->list[team->count++];
        status = executor_begin(e, backend, backend->backend, error);
        e->any_order = backend->exec && settings->accept == ACCEPT_CONFORMANT;
        if (status == TOOL_OK && team->count > 1 && executor_reason(e))
            status = tool_fail(error, TOOL_ENVIRONMENT, "%s", executor_reason(e));
    }
    return status;
}

void sweep_team_end(sweep_team *team) {
    for (uint32_t i = 0; i < team->count; i++)
        executor_end(&team->list[i]);
    free(team->list);
    *team = (sweep_team){.count = 0};
}

sweep_device sweep_device_of(const executor *e) {
    sweep_device out = {.name = ""};
    if (e->device) {
        snprintf(out.name, sizeof out.name, "%s", e->device->name);
        snprintf(out.adapter, sizeof out.adapter, "%s", e->device->adapter);
        snprintf(out.driver, sizeof out.driver, "%s", e->device->driver);
    }
    return out;
}

/* A worker executes so many cases, then a new one replaces it: what a driver leaks stays bounded.
 * The process of --exec takes long to start, and stays. */
#define GROUP                1000
#define DEFAULT_MILLISECONDS 60000
/* A device has the same limit of its own, and its message is better: it gets to speak first. */
#define DEVICE_GRACE_IN_MS 1000

/* Outside of an execution a worker may take any time that it works for. It hangs if it uses no
 * processor time for this long. */
#define STILL_MS 2000

static uint32_t limit_of(const backend_settings *backend) {
    const uint32_t limit = backend->timeout ? backend->timeout : DEFAULT_MILLISECONDS;
    return backend->backend == BACKEND_CPU ? limit : limit + DEVICE_GRACE_IN_MS;
}

static uint32_t still_limit_of(const backend_settings *backend) {
    const uint32_t limit = limit_of(backend);
    return limit > STILL_MS ? limit : STILL_MS;
}

/* The next line of a worker that executes nothing. It is late if it stands still. */
static child_answer receive_from_working(sweep_child *child, const char **line) {
    const uint32_t limit = still_limit_of(child->backend);
    for (;;) {
        const uint64_t before = child_process_time(child->process);
        const child_answer answer = child_process_receive(child->process, limit, line);
        if (answer != CHILD_LATE || child_process_time(child->process) == before)
            return answer;
    }
}

static void copy_member(json_object *line, const char *key, char *text, size_t room) {
    json_object *member;
    if (json_object_object_get_ex(line, key, &member))
        snprintf(text, room, "%s", json_word(member));
}

/* The worker's first line names the device, or says why there is none. */
static tool_status take_introduction(sweep_child *child, const char *line, tool_error *error) {
    char failure[800] = "";
    json_object *object = json_read(line, strlen(line));
    copy_member(object, "error", failure, sizeof failure);
    copy_member(object, "missing", child->missing, sizeof child->missing);
    copy_member(object, "device", child->device.name, sizeof child->device.name);
    copy_member(object, "adapter", child->device.adapter, sizeof child->device.adapter);
    copy_member(object, "driver", child->device.driver, sizeof child->device.driver);
    json_object_put(object);
    return failure[0] ? tool_fail(error, TOOL_ENVIRONMENT, "%s", failure) : TOOL_OK;
}

static void stop(sweep_child *child, bool at_once, char *how, size_t room) {
    if (child->process) {
        child_process_end(child->process, at_once ? 0 : CHILD_GRACE, how, room);
        child->process = NULL;
    }
}

/* The fate of the case is unknown: it may still be executing. */
static tool_status cannot_listen(sweep_child *child, tool_error *error) {
    const int failure = errno;
    stop(child, true, NULL, 0);
    return tool_fail(error, TOOL_ENVIRONMENT,
                     "cannot read from the process that executes cases: %s", strerror(failure));
}

static tool_status start(sweep_child *child, tool_error *error) {
    const backend_settings *b = child->backend;
    char threads[16];
    char timeout[16];
    char memory[24];
    char runs[16];
    char jobs[16];
    const char *arguments[24] = {"sweep-worker",
                                 b->exec ? "--exec" : "--backend",
                                 b->exec ? b->exec : backend_name(b->backend),
                                 "--threads",
                                 threads,
                                 "--accept",
                                 child->settings->accept == ACCEPT_BITS ? "bits" : "conformant"};
    size_t count = 7;
    snprintf(threads, sizeof threads, "%" PRIu32, b->threads);
    snprintf(timeout, sizeof timeout, "%" PRIu32, b->timeout);
    if (b->backend == BACKEND_CPU) {
        arguments[count++] = "--kernel";
        arguments[count++] = cumsum_kernel_name(b->kernel);
    } else if (b->timeout) {
        arguments[count++] = "--timeout";
        arguments[count++] = timeout;
    }
    if (b->adapter) {
        arguments[count++] = "--adapter";
        arguments[count++] = b->adapter;
    }
    if (child->settings->runs > 1) {
        snprintf(runs, sizeof runs, "%" PRIu32, child->settings->runs);
        arguments[count++] = "--runs";
        arguments[count++] = runs;
    }
    if (b->adapt)
        arguments[count++] = "--adapt";
    if (child->settings->jobs > 1) {
        snprintf(jobs, sizeof jobs, "%" PRIu32, child->settings->jobs);
        arguments[count++] = "--jobs";
        arguments[count++] = jobs;
    }
    if (child->settings->stress)
        arguments[count++] = "--stress";
    if (b->debug_layer)
        arguments[count++] = "--debug-layer";
    if (memory_chosen_limit()) {
        snprintf(memory, sizeof memory, "%" PRIu64, memory_chosen_limit());
        arguments[count++] = "--memory";
        arguments[count++] = memory;
    }
    child->cases = 0;
    return child_process_start(&child->process, NULL, arguments, error);
}

static tool_status start_and_greet(sweep_child *child, tool_error *error) {
    char how[160];
    const char *line;
    tool_error why;
    if (start(child, &why) != TOOL_OK) {
        return tool_fail(error, TOOL_ENVIRONMENT, "%.600s; --isolate never does without",
                         why.message);
    }
    const child_answer answer = receive_from_working(child, &line);
    if (answer == CHILD_LINE)
        return take_introduction(child, line, error);
    if (answer == CHILD_FAILED)
        return cannot_listen(child, error);
    stop(child, answer == CHILD_LATE, how, sizeof how);
    return tool_fail(error, TOOL_ENVIRONMENT, "backend %s: the process that opens the device %s %s",
                     backend_name(child->backend->backend),
                     answer == CHILD_LATE ? "did not answer in time and ended" : "ended", how);
}

static tool_status child_begin(sweep_child *child, const backend_settings *backend,
                               const sweep_settings *settings, tool_error *error) {
    *child = (sweep_child){.backend = backend, .settings = settings};
    return start_and_greet(child, error);
}

static void child_end(sweep_child *child) {
    stop(child, false, NULL, 0);
}

/* Reads the lines about one case, up to its record. The time limit holds while the backend works.
 */
static child_answer receive(sweep_child *child, sweep_done *done, bool *executing) {
    const char *line;
    *executing = false;
    for (;;) {
        const child_answer answer =
            *executing ? child_process_receive(child->process, limit_of(child->backend), &line)
                       : receive_from_working(child, &line);
        if (answer != CHILD_LINE)
            return answer;
        if (sweep_done_receive(line, done))
            return CHILD_LINE;
        *executing = strcmp(line, "executing") == 0;
    }
}

/* Records a case whose worker ended, or must be ended because it is late. */
static void lose(sweep_child *child, const char *name, bool late, bool executing,
                 sweep_done *done) {
    char how[160];
    char reason[300];
    stop(child, late, how, sizeof how);
    if (late && executing) {
        snprintf(reason, sizeof reason, "no answer within %" PRIu32 " ms: its process was ended",
                 limit_of(child->backend));
    } else if (late) {
        snprintf(reason, sizeof reason,
                 "it stood still for %" PRIu32
                 " ms outside of the execution: its process was ended",
                 still_limit_of(child->backend));
    } else {
        snprintf(reason, sizeof reason, "its process ended %s", how);
    }
    *done = sweep_done_without(name, late ? SWEEP_TIMEOUT : SWEEP_CRASH, reason);
}

static tool_status child_run(sweep_child *child, const char *name, sweep_done *done,
                             tool_error *error) {
    if (child->process && child->cases == GROUP && !child->backend->exec)
        stop(child, false, NULL, 0);
    tool_status status = child->process ? TOOL_OK : start_and_greet(child, error);
    if (status == TOOL_OK && child->missing[0])
        status = tool_fail(error, TOOL_ENVIRONMENT, "%s", child->missing);
    if (status != TOOL_OK)
        return status;
    child->cases++;
    if (!child_process_send(child->process, name) &&
        errno != EPIPE) { /* the missing answer tells */
        return tool_fail(error, TOOL_ENVIRONMENT,
                         "cannot write to the process that executes cases: %s", strerror(errno));
    }
    bool executing;
    const child_answer answer = receive(child, done, &executing);
    if (answer == CHILD_FAILED)
        return cannot_listen(child, error);
    if (answer != CHILD_LINE)
        lose(child, name, answer == CHILD_LATE, executing, done);
    else if (done->outcome == SWEEP_CRASH || done->outcome == SWEEP_TIMEOUT)
        stop(child, false, NULL, 0); /* its device is lost */
    return TOOL_OK;
}

tool_status sweep_runner_begin(sweep_runner *runner, const sweep_settings *settings,
                               const backend_settings *backend, tool_error *error) {
    const bool device = backend->backend != BACKEND_CPU;
    *runner =
        (sweep_runner){.settings = settings,
                       .isolated = settings->isolate == ISOLATE_ALWAYS ||
                                   (settings->isolate == ISOLATE_AUTO && device && !backend->exec)};
    if (runner->isolated)
        return child_begin(&runner->child, backend, settings, error);
    return sweep_team_begin(&runner->team, settings, backend, error);
}

void sweep_runner_end(sweep_runner *runner) {
    if (runner->isolated)
        child_end(&runner->child);
    else
        sweep_team_end(&runner->team);
}

const char *sweep_runner_reason(const sweep_runner *runner) {
    const char *missing = runner->child.missing[0] ? runner->child.missing : NULL;
    return runner->isolated ? missing : executor_reason(&runner->team.list[0]);
}

sweep_device sweep_runner_device(const sweep_runner *runner) {
    if (!runner->isolated && !runner->team.list) /* it has not begun */
        return (sweep_device){.name = ""};
    return runner->isolated ? runner->child.device : sweep_device_of(&runner->team.list[0]);
}

/* A lost device executes nothing more, so the next case gets a new one. */
static tool_status run_here(sweep_runner *runner, const char *name, sweep_done *done,
                            tool_error *error) {
    const sweep_team *team = &runner->team;
    sweep_result result;
    tool_status status = TOOL_OK;
    sweep_run_case(team->list, name, runner->settings, &result);
    if (result.unreached) {
        sweep_result_end(&result);
        return tool_fail(error, TOOL_ENVIRONMENT, "%s: %s", name, result.reason);
    }
    *done = sweep_done_of(name, &result);
    const bool lost = done->outcome == SWEEP_CRASH || done->outcome == SWEEP_TIMEOUT;
    for (uint32_t i = 0; i < team->count && lost && status == TOOL_OK; i++)
        status = executor_reopen(&team->list[i], error);
    return status;
}

/* An unstable case has been seen to differ; to see the same bits again proves nothing. */
static bool is_worth_another(sweep_state outcome) {
    return sweep_state_is_failure(outcome) && outcome != SWEEP_UNSTABLE;
}

tool_status sweep_runner_run(sweep_runner *runner, const char *name, sweep_done *done,
                             tool_error *error) {
    json_object *attempts = json_make_array();
    tool_status status = TOOL_OK;
    *done = (sweep_done){.outcome = SWEEP_FAIL};
    for (uint32_t i = 0;
         status == TOOL_OK && i <= runner->settings->retry && is_worth_another(done->outcome);
         i++) {
        sweep_done_free(done);
        status = runner->isolated ? child_run(&runner->child, name, done, error)
                                  : run_here(runner, name, done, error);
        json_put_element(attempts, json_make_string(sweep_state_name(done->outcome)));
    }
    if (json_object_array_length(attempts) > 1 && done->record) {
        json_put_member(done->record, "attempts", json_object_get(attempts));
        if (done->outcome == SWEEP_PASS)
            fields_flag(done->record, "flaky", true);
    }
    json_object_put(attempts);
    return status;
}
