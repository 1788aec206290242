/* SPDX-License-Identifier: MIT */
#include "worker.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "backend.h"
#include "json_parse.h"
#include "json_print.h"
#include "processor.h"
#include "report.h"
#include "text.h"

sweep_device sweep_device_of(const executor *e) {
    sweep_device out = {.name = ""};
    if (e->device) {
        snprintf(out.name, sizeof out.name, "%s", e->device->name);
        snprintf(out.adapter, sizeof out.adapter, "%s", e->device->adapter);
        snprintf(out.driver, sizeof out.driver, "%s", e->device->driver);
    }
    return out;
}

static void add_texts(json_object *object, const char *key, const char *const *texts,
                      size_t count) {
    json_object *array = json_make_array();
    for (size_t i = 0; i < count; i++) {
        char *text = text_utf8(texts[i], 0);
        json_put_element(array, json_make_string(text));
        free(text);
    }
    json_put_member(object, key, array);
}

static void add_time(json_object *object, const char *key) {
    char text[40];
    time_t now = time(NULL);
    struct tm utc;
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    fields_text(object, key, text);
}

static json_object *run_of(const sweep_settings *settings) {
    json_object *run = json_make_object();
    processor cpu = {.name = ""};
    const char *reason;
    char host[256] = "";
    (void)processor_describe(&cpu, &reason); /* "" where nothing is known */
    gethostname(host, sizeof host - 1);
    fields_text(run, "command", settings->invocation);
    add_time(run, "started");
    fields_text(run, "host", host);
    fields_text(run, "processor", cpu.name);
    return run;
}

static void add_device(json_object *header, const backend_settings *backend,
                       const sweep_device *device) {
    fields_text(header, "backend", backend_name(backend->backend));
    if (device->name[0]) {
        fields_text(header, "device", device->name);
        fields_text(header, "adapter", device->adapter);
        fields_text(header, "driver", device->driver);
    } else {
        fields_text(header, "kernel", cumsum_kernel_name(backend->kernel));
    }
}

json_object *sweep_header(const sweep_settings *settings, const backend_settings *backend,
                          const sweep_device *device, const sweep_shard *shard, uint64_t selected) {
    json_object *header = json_make_object();
    fields_text(header, "event", "sweep");
    fields_text(header, "version", cumsum_version());
    add_device(header, backend, device);
    add_texts(header, "cases", (const char *const *)settings->cases, settings->case_count);
    add_texts(header, "include", settings->include.list, settings->include.count);
    add_texts(header, "exclude", settings->exclude.list, settings->exclude.count);
    if (settings->baseline)
        fields_text(header, "baseline", settings->baseline);
    if (settings->waivers)
        fields_text(header, "waivers", settings->waivers);
    fields_text(header, "accept", settings->accept == ACCEPT_BITS ? "bits" : "conformant");
    fields_count(header, "shard", (uint64_t)shard->index + 1);
    fields_count(header, "shards", shard->count);
    fields_count(header, "selected", selected);
    json_put_member(header, "run", run_of(settings));
    return header;
}

static json_object *times_object(const sweep_times *times) {
    json_object *object = json_make_object();
    fields_count(object, "elements", times->elements);
    fields_count(object, "generation", times->generation / 1000);
    fields_count(object, "reference", times->reference / 1000);
    fields_count(object, "execution", times->execution / 1000);
    fields_count(object, "comparison", times->comparison / 1000);
    return object;
}

json_object *sweep_footer(const sweep_tally *tally, const sweep_times *times) {
    json_object *footer = json_make_object();
    json_object *states = json_make_object();
    uint64_t cases = 0;
    for (int i = 0; i < SWEEP_STATES; i++) {
        fields_count(states, sweep_state_name((sweep_state)i), tally->states[i]);
        cases += tally->states[i];
    }
    fields_text(footer, "event", "end");
    fields_count(footer, "cases", cases);
    json_put_member(footer, "states", states);
    fields_count(footer, "flaky", tally->flaky);
    json_put_member(footer, "microseconds", times_object(times));
    add_time(footer, "ended");
    return footer;
}

/* So many cases one process gets: what a driver leaves behind does not add up for ever. */
#define GROUP                1000
#define DEFAULT_MILLISECONDS 60000
/* A device has its own limit, the same one, and is to say so first. */
#define DEVICE_GRACE_IN_MS 1000

static uint32_t limit_of(const backend_settings *backend) {
    const uint32_t limit = backend->timeout ? backend->timeout : DEFAULT_MILLISECONDS;
    return backend->backend == BACKEND_CPU ? limit : limit + DEVICE_GRACE_IN_MS;
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
        child_process_end(child->process, at_once ? 0 : CHILD_GRACE, how, room);
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
    const backend_settings *b = child->backend;
    char threads[16];
    char timeout[16];
    const char *arguments[20] = {"sweep-worker",
                                 "--backend",
                                 backend_name(b->backend),
                                 "--threads",
                                 threads,
                                 "--accept",
                                 child->accept == ACCEPT_BITS ? "bits" : "conformant"};
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
    if (b->debug_layer)
        arguments[count++] = "--debug-layer";
    child->cases = 0;
    return child_process_start(&child->process, NULL, arguments, CHILD_TALKS, error);
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
        child_process_receive(child->process, limit_of(child->backend), &line);
    if (answer == CHILD_LINE)
        return take_introduction(child, line, error);
    if (answer == CHILD_FAILED)
        return cannot_listen(child, error);
    stop(child, answer == CHILD_LATE, how, sizeof how);
    return tool_fail(error, TOOL_ENVIRONMENT, "backend %s: the process that opens the device %s %s",
                     backend_name(child->backend->backend),
                     answer == CHILD_LATE ? "did not answer in time and ended" : "ended", how);
}

tool_status sweep_child_begin(sweep_child *child, const backend_settings *backend,
                              accept_choice accept, tool_error *error) {
    *child = (sweep_child){.backend = backend, .accept = accept};
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
            child_process_receive(child->process, executing ? limit_of(child->backend) : 0, &line);
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
                 limit_of(child->backend));
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
