/* SPDX-License-Identifier: MIT */
/* The results file of a sweep: its first line, its records as they come, and its last line. */
#include "results_log.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "file.h"
#include "json_tree.h"
#include "processor.h"
#include "report.h"

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

static json_object *describe_run(const sweep_settings *settings) {
    json_object *run = json_make_object();
    processor cpu;
    char host[256] = "";
    char time[SWEEP_TIME_ROOM];
    processor_describe(&cpu);
    gethostname(host, sizeof host - 1);
    fields_text(run, "command", settings->invocation);
    fields_text(run, "started", sweep_time(time));
    fields_text(run, "host", host);
    fields_text(run, "processor", cpu.name);
    return run;
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
    char more[160];
    if (named)
        memcpy(same.adapter, device->adapter, sizeof same.adapter);
    snprintf(more, sizeof more, "%s%.60s", accept_option(settings->accept), settings->more);
    if (settings->runs > 1 && settings->jobs > 1)
        snprintf(more + strlen(more), sizeof more - strlen(more),
                 " --runs %" PRIu32 " --jobs %" PRIu32, settings->runs, settings->jobs);
    else if (settings->runs > 1)
        snprintf(more + strlen(more), sizeof more - strlen(more), " --runs %" PRIu32,
                 settings->runs);
    add_command(again, "sweep", &same, more);
    add_command(again, "minimize", &same, accept_option(settings->accept));
    return again;
}

json_object *sweep_header(const sweep_settings *settings, const backend_settings *backend,
                          const backend_device *device, const sweep_shard *shard,
                          const sweep_selection *selection) {
    char digest[20];
    json_object *header = report_event("sweep");
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
    json_put_member(header, "run", describe_run(settings));
    return header;
}

static tool_status fail_to_write(const char *path, tool_error *error) {
    return file_fail(path, error, "cannot be written");
}

/* A file that is there is kept, unless it is empty. A pipe or a device is written to as it is. */
static tool_status open_file(sweep_log *log, const char *path, tool_error *error) {
    struct stat about;
    const int descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor >= 0 && fstat(descriptor, &about) == 0 && S_ISREG(about.st_mode) &&
        about.st_size > 0) {
        close(descriptor);
        return tool_fail(error, TOOL_MALFORMED,
                         "%.400s: is there already, and not empty: remove it, or name another file",
                         path);
    }
    log->file = descriptor < 0 ? NULL : fdopen(descriptor, "w");
    return log->file ? TOOL_OK : fail_to_write(path, error);
}

tool_status sweep_log_open(sweep_log *log, const char *path, json_object *header,
                           tool_error *error) {
    *log = (sweep_log){0};
    const tool_status status = path ? open_file(log, path, error) : TOOL_OK;
    return status == TOOL_OK ? sweep_log_add(log, header, error) : status;
}

tool_status sweep_log_add(sweep_log *log, json_object *record, tool_error *error) {
    const char *line = json_print(record);
    if (log->file && (fprintf(log->file, "%s\n", line) < 0 || fflush(log->file) != 0))
        return fail_to_write("the results", error);
    sweep_results_add(&log->results, line);
    return TOOL_OK;
}

tool_status sweep_log_close(sweep_log *log, tool_error *error) {
    const bool good = !log->file || fclose(log->file) == 0;
    log->file = NULL;
    return good ? TOOL_OK : fail_to_write("the results", error);
}
