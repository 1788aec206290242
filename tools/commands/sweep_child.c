/* SPDX-License-Identifier: MIT */
#include "sweep_child.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "backends.h"
#include "json_document.h"
#include "json_make.h"

/* So many cases one process gets: what a driver leaves behind does not add up for ever. */
#define GROUP                1000
#define DEFAULT_MILLISECONDS 60000
/* A device has its own limit, the same one, and is to say so first. */
#define DEVICE_GRACE_IN_MS 1000

static uint32_t limit_of(const tool_options *options) {
    const uint32_t limit = options->timeout ? options->timeout : DEFAULT_MILLISECONDS;
    return options->backend == BACKEND_CPU ? limit : limit + DEVICE_GRACE_IN_MS;
}

static void copy_member(json_object *line, const char *key, char *text, size_t room) {
    json_object *member;
    if (json_object_object_get_ex(line, key, &member))
        snprintf(text, room, "%s", json_word(member));
}

/* The first line: the device, or why there is none. */
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
        child_process_end(child->process, at_once, how, room);
        child->process = NULL;
    }
}

/* Nothing is known of the case then, not even whether it is still executed. */
static tool_status cannot_listen(sweep_child *child, tool_error *error) {
    const int failure = errno;
    stop(child, true, NULL, 0);
    return tool_fail(error, TOOL_ENVIRONMENT,
                     "cannot read from the process that executes cases: %s", strerror(failure));
}

static tool_status start(sweep_child *child, tool_error *error) {
    const tool_options *o = child->options;
    char threads[16];
    char timeout[16];
    const char *arguments[20] = {"sweep-worker",
                                 "--backend",
                                 backend_name(o->backend),
                                 "--threads",
                                 threads,
                                 "--accept",
                                 o->accept == ACCEPT_BITS ? "bits" : "conformant"};
    size_t count = 7;
    snprintf(threads, sizeof threads, "%" PRIu32, o->threads);
    snprintf(timeout, sizeof timeout, "%" PRIu32, o->timeout);
    if (o->backend == BACKEND_CPU) {
        arguments[count++] = "--kernel";
        arguments[count++] = cumsum_kernel_name(o->kernel);
    } else if (o->timeout) {
        arguments[count++] = "--timeout";
        arguments[count++] = timeout;
    }
    if (o->adapter) {
        arguments[count++] = "--adapter";
        arguments[count++] = o->adapter;
    }
    if (o->debug_layer)
        arguments[count++] = "--debug-layer";
    child->cases = 0;
    return child_process_start(&child->process, arguments, error);
}

static tool_status start_and_greet(sweep_child *child, tool_error *error) {
    char how[160];
    const char *line;
    tool_error why;
    if (start(child, &why) != TOOL_OK) {
        return tool_fail(error, TOOL_ENVIRONMENT, "%.600s; --isolate never does without",
                         why.message);
    }
    const child_answer answer =
        child_process_receive(child->process, limit_of(child->options), &line);
    if (answer == CHILD_LINE)
        return take_introduction(child, line, error);
    if (answer == CHILD_FAILED)
        return cannot_listen(child, error);
    stop(child, answer == CHILD_LATE, how, sizeof how);
    return tool_fail(error, TOOL_ENVIRONMENT, "backend %s: the process that opens the device %s %s",
                     backend_name(child->options->backend),
                     answer == CHILD_LATE ? "did not answer in time and ended" : "ended", how);
}

tool_status sweep_child_begin(sweep_child *child, const tool_options *options, tool_error *error) {
    *child = (sweep_child){.options = options};
    return start_and_greet(child, error);
}

void sweep_child_end(sweep_child *child) {
    stop(child, false, NULL, 0);
}

/* The lines about one case, up to its record. The time runs while the backend is at work. */
static child_answer receive(sweep_child *child, sweep_done *done) {
    const char *line;
    bool executing = false;
    for (;;) {
        const child_answer answer =
            child_process_receive(child->process, executing ? limit_of(child->options) : 0, &line);
        if (answer != CHILD_LINE)
            return answer;
        if (sweep_done_receive(line, done))
            return CHILD_LINE;
        executing = strcmp(line, "executing") == 0;
    }
}

/* The process has ended, or is ended now, and the case with it. */
static void lose(sweep_child *child, const char *name, bool late, sweep_done *done) {
    char how[160];
    char reason[300];
    stop(child, late, how, sizeof how);
    if (late) {
        snprintf(reason, sizeof reason, "no answer within %" PRIu32 " ms: its process was ended",
                 limit_of(child->options));
    } else {
        snprintf(reason, sizeof reason, "its process ended %s", how);
    }
    *done = sweep_done_without(name, late ? SWEEP_TIMEOUT : SWEEP_CRASH, reason);
}

tool_status sweep_child_run(sweep_child *child, const char *name, sweep_done *done,
                            tool_error *error) {
    if (child->process && child->cases == GROUP)
        stop(child, false, NULL, 0);
    tool_status status = child->process ? TOOL_OK : start_and_greet(child, error);
    if (status == TOOL_OK && child->missing[0])
        status = tool_fail(error, TOOL_ENVIRONMENT, "%s", child->missing);
    if (status != TOOL_OK)
        return status;
    child->cases++;
    if (!child_process_send(child->process, name) && errno != EPIPE) { /* the answer says that */
        return tool_fail(error, TOOL_ENVIRONMENT,
                         "cannot write to the process that executes cases: %s", strerror(errno));
    }
    const child_answer answer = receive(child, done);
    if (answer == CHILD_FAILED)
        return cannot_listen(child, error);
    if (answer != CHILD_LINE)
        lose(child, name, answer == CHILD_LATE, done);
    else if (done->outcome == SWEEP_CRASH || done->outcome == SWEEP_TIMEOUT)
        stop(child, false, NULL, 0); /* its device is lost */
    return TOOL_OK;
}
