/* SPDX-License-Identifier: MIT */
/* The first line of a sweep's results: what was asked for, on what, and how a case is repeated. */
#include "sweep_header.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "processor.h"
#include "report.h"
#include "text.h"

static void add_texts(json_object *object, const char *key, const char *const *texts,
                      size_t count) {
    json_object *array = json_make_array();
    for (size_t i = 0; i < count; i++)
        json_put_element(array, json_make_string(texts[i]));
    json_put_member(object, key, array);
}

const char *sweep_time(char text[SWEEP_TIME_ROOM]) {
    time_t now = time(NULL);
    struct tm utc;
    strftime(text, SWEEP_TIME_ROOM, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    return text;
}

static json_object *describe_machine(const sweep_settings *settings, const sweep_shard *shard,
                                     const sweep_selection *selection) {
    json_object *machine = json_make_object();
    processor cpu;
    char host[256] = "";
    char time[SWEEP_TIME_ROOM];
    processor_describe(&cpu);
    gethostname(host, sizeof host - 1);
    fields_count(machine, "shard", (uint64_t)shard->index + 1);
    fields_count(machine, "cases", selection->names.count);
    fields_text(machine, "command", settings->invocation);
    fields_text(machine, "started", sweep_time(time));
    fields_text(machine, "host", host);
    fields_text(machine, "processor", cpu.name);
    return machine;
}

static void add_header_device(json_object *header, const backend_settings *backend,
                              const backend_device *device) {
    fields_text(header, "backend", backend_name(backend->backend));
    if (backend->exec)
        fields_text(header, "exec", backend->exec);
    if (device->name[0]) {
        fields_text(header, "device", device->name);
        fields_text(header, "adapter", device->adapter);
        fields_text(header, "driver", device->driver);
    } else {
        fields_text(header, "kernel", cumsum_kernel_name(backend->kernel));
    }
}

static void add_command(json_object *again, const char *command, const backend_settings *backend,
                        const char *more) {
    char *line = backend_command_line(backend, command, more, "NAME");
    fields_text(again, command, line);
    free(line);
}

/* The command lines that repeat the case "NAME": without what changes no result. --backend takes
 * any part of a device's name, so its whole name as well. */
static json_object *describe_repetition(const sweep_settings *settings,
                                        const backend_settings *backend,
                                        const backend_device *device) {
    const bool named = device->adapter[0] && !backend->exec;
    backend_settings same = {.backend = backend->backend,
                             .kernel = backend->kernel,
                             .threads = 1,
                             .exec = backend->exec,
                             .numerics_word = backend->numerics_word};
    json_object *again = json_make_object();
    text_buffer more;
    if (named)
        memcpy(same.adapter, device->adapter, sizeof same.adapter);
    text_buffer_open(&more);
    fprintf(more.stream, "%s%s", accept_option(settings->accept), settings->more);
    if (settings->runs > 1)
        fprintf(more.stream, " --runs %" PRIu32, settings->runs);
    if (settings->runs > 1 && settings->jobs > 1)
        fprintf(more.stream, " --jobs %" PRIu32, settings->jobs);
    add_command(again, "sweep", &same, text_buffer_close(&more));
    add_command(again, "minimize", &same, accept_option(settings->accept));
    free(more.text);
    return again;
}

json_object *sweep_header(const sweep_settings *settings, const backend_settings *backend,
                          const backend_device *device, const sweep_shard *shard,
                          const sweep_selection *selection) {
    char digest[20];
    json_object *header = report_event("sweep");
    json_object *machines = json_make_array();
    fields_text(header, "version", cumsum_version());
    add_header_device(header, backend, device);
    add_texts(header, "cases", (const char *const *)settings->cases, settings->case_count);
    add_texts(header, "exclude", settings->exclude.list, settings->exclude.count);
    if (settings->against.count)
        add_texts(header, "against", settings->against.list, settings->against.count);
    if (settings->sum)
        fields_text(header, "sum", settings->sum);
    fields_text(header, "accept", word_of(accept_words, (int)settings->accept));
    if (settings->runs > 1) {
        fields_count(header, "runs", settings->runs);
        fields_count(header, "jobs", settings->jobs);
    }
    json_put_member(header, "again", describe_repetition(settings, backend, device));
    snprintf(digest, sizeof digest, "%016" PRIx64, selection->digest);
    fields_text(header, "selection", digest);
    fields_count(header, "shard", (uint64_t)shard->index + 1);
    fields_count(header, "shards", shard->count);
    fields_count(header, "selected", selection->names.count);
    json_put_element(machines, describe_machine(settings, shard, selection));
    json_put_member(header, "machines", machines);
    return header;
}
