/* SPDX-License-Identifier: MIT */
/* The results file of a sweep: its first line, its records as they come, its last line, and the
 * resumption of a file that an earlier run has begun. */
#include "results_log.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifndef _WIN32
#include <sys/file.h>
#endif
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
    for (size_t i = 0; i < count; i++) {
        char *text = text_utf8(texts[i], 0);
        json_put_element(array, json_make_string(text));
        free(text);
    }
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

/* Is a text without a whole line the beginning of a first line? A run that was killed before that
 * was written leaves such a file, or an empty one. */
static bool is_cut_off(const char *text, size_t size) {
    static const char start[] = "{\"event\":\"sweep\",";
    const size_t common = size < sizeof start - 1 ? size : sizeof start - 1;
    return !memchr(text, '\n', size) && memcmp(text, start, common) == 0;
}

/*
 * Reads the results of an earlier run, without the footer. *kept receives how many bytes of the
 * file stay: all whole lines but the footer; 0 for a file without a whole line.
 */
static tool_status read_earlier(sweep_log *log, const char *path, json_object *header, size_t *kept,
                                tool_error *error) {
    static const char *const apart[] = {"run", NULL};
    char why[HEADER_WHY_ROOM];
    tool_status status = sweep_results_read_file(&log->results, path, error);
    results_file *file = &log->results.files[0];
    const char *text = (const char *)file->contents.bytes;
    const bool cut_off = text && is_cut_off(text, file->contents.size);
    if (cut_off)
        status = TOOL_OK;
    else if (file->header && header_differs(file->header, header, apart, why))
        status = tool_fail(error, TOOL_MALFORMED, "%.400s:1: another sweep than this one: %s", path,
                           why);
    *kept = status == TOOL_OK ? file->kept : 0;
    json_object_put(file->end);
    file->end = NULL;
    if (status != TOOL_OK || cut_off)
        sweep_results_free(&log->results);
    return status;
}

static tool_status fail_to_write(const char *path, tool_error *error) {
    return file_fail(path, error, "cannot be written");
}

/* Locks a regular file for this sweep alone. A file system that cannot do so is trusted. */
static tool_status lock(int descriptor, const char *path, bool regular, tool_error *error) {
    if (!regular || flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
        return TOOL_OK;
    return tool_fail(error, TOOL_MALFORMED,
                     "%.400s: another sweep is writing this file; the rule: each has its own",
                     path);
}

/* Gives the log an open file of which `kept` bytes stay: those of an earlier run if it is resumed.
 */
static tool_status take_file(sweep_log *log, int descriptor, const char *path, json_object *header,
                             bool resumed, size_t *kept, tool_error *error) {
    struct stat about;
    if (fstat(descriptor, &about) != 0)
        return fail_to_write(path, error);
    const bool regular = S_ISREG(about.st_mode);
    tool_status status = lock(descriptor, path, regular, error);
    if (status == TOOL_OK && resumed)
        status = read_earlier(log, path, header, kept, error);
    else if (status == TOOL_OK && regular && about.st_size > 0)
        status =
            tool_fail(error, TOOL_MALFORMED,
                      "%.400s: is there already, and not empty: --resume continues the results "
                      "in it; to begin anew, remove it or name another file",
                      path);
    if (status != TOOL_OK)
        return status;
    if (regular &&
        (ftruncate(descriptor, (off_t)*kept) != 0 || lseek(descriptor, (off_t)*kept, SEEK_SET) < 0))
        return fail_to_write(path, error);
    log->file = fdopen(descriptor, "w");
    return log->file ? TOOL_OK : fail_to_write(path, error);
}

tool_status sweep_log_open(sweep_log *log, const char *path, json_object *header, bool resume,
                           tool_error *error) {
    size_t kept = 0;
    *log = (sweep_log){0};
    if (!path)
        return sweep_log_add(log, header, error);
    struct stat about;
    const bool resumed = resume && file_exists(path);
    /* A pipe would block; nothing but a regular file is read. */
    if (resumed && stat(path, &about) == 0 && !S_ISREG(about.st_mode))
        return read_earlier(log, path, header, &kept, error);
    const int descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor < 0)
        return fail_to_write(path, error);
    const tool_status status = take_file(log, descriptor, path, header, resumed, &kept, error);
    if (!log->file)
        close(descriptor);
    /* A run that was killed before its first line was whole starts anew. */
    return status != TOOL_OK || kept > 0 ? status : sweep_log_add(log, header, error);
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
