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
#include "json_parse.h"
#include "json_print.h"
#include "memory.h"
#include "memory_limit.h"
#include "processor.h"
#include "report.h"
#include "results.h"

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
    processor cpu;
    char host[256] = "";
    processor_describe(&cpu);
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
    if (backend->exec) {
        fields_text(header, "exec", backend->exec);
        fields_flag(header, "adapt", backend->adapt);
    }
    if (device->name[0]) {
        fields_text(header, "device", device->name);
        fields_text(header, "adapter", device->adapter);
        fields_text(header, "driver", device->driver);
    } else {
        fields_text(header, "kernel", cumsum_kernel_name(backend->kernel));
    }
}

json_object *sweep_header(const sweep_settings *settings, const backend_settings *backend,
                          const sweep_device *device, const sweep_shard *shard,
                          const sweep_selection *selection) {
    char digest[20];
    json_object *header = report_event("sweep");
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
    if (settings->runs > 1)
        fields_count(header, "runs", settings->runs);
    if (settings->stress)
        fields_count(header, "stress", settings->jobs);
    snprintf(digest, sizeof digest, "%016" PRIx64, selection->digest);
    fields_text(header, "selection", digest);
    fields_count(header, "shard", (uint64_t)shard->index + 1);
    fields_count(header, "shards", shard->count);
    fields_count(header, "selected", selection->names.count);
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

json_object *sweep_footer(const sweep_tally *tally, const sweep_times *times, json_object *common) {
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
    if (common)
        json_put_member(footer, "common", json_object_get(common));
    json_put_member(footer, "microseconds", times_object(times));
    add_time(footer, "ended");
    return footer;
}

/* The state of reading a file that is resumed. */
typedef struct log_reader {
    sweep_log *log;
    const char *path;
    json_object *header;
    uint64_t line;
    bool ended; /* the footer has been read */
} log_reader;

static const char *text_of(json_object *object, const char *key) {
    json_object *member;
    bool there = json_object_object_get_ex(object, key, &member) && member;
    return there ? json_word(member) : NULL;
}

static tool_status no_result(const log_reader *r, tool_error *error) {
    return tool_fail(error, TOOL_MALFORMED, "%.400s:%" PRIu64 ": not a result of a sweep", r->path,
                     r->line);
}

static tool_status check_header(const log_reader *r, json_object *found, tool_error *error) {
    static const char *const apart[] = {"run", NULL};
    const char *key = header_difference(r->header, found, apart);
    if (!key)
        return TOOL_OK;
    if (strcmp(key, "selection") == 0) {
        return tool_fail(error, TOOL_MALFORMED,
                         "%.400s:%" PRIu64 ": the first line of another sweep: %s", r->path,
                         r->line, header_other_selection(found, r->header));
    }
    return tool_fail(error, TOOL_MALFORMED,
                     "%.400s:%" PRIu64 ": the first line of another sweep: \"%.40s\" is %.200s "
                     "there, and %.200s here",
                     r->path, r->line, key, header_member_text(found, key),
                     header_member_text(r->header, key));
}

static void note_meaning(sweep_log *log, sweep_state meaning) {
    const size_t last = log->done.names.count - 1;
    log->meanings = tool_grow(log->meanings, last, sizeof *log->meanings);
    log->meanings[last] = meaning;
    log->tally.states[meaning]++;
}

/* "state" is what the case means beside baseline and waivers. If it differs from what happened, the
 * record has "outcome" too. */
static tool_status take_case(const log_reader *r, json_object *record, tool_error *error) {
    const char *name = text_of(record, "name");
    const char *state = text_of(record, "state");
    const char *outcome = text_of(record, "outcome");
    sweep_state meaning;
    sweep_state happened;
    if (!name || !state || !sweep_state_find(state, &meaning) ||
        !sweep_state_find(outcome ? outcome : state, &happened))
        return no_result(r, error);
    if (!state_map_add(&r->log->done, name, happened)) {
        return tool_fail(error, TOOL_MALFORMED, "%.400s:%" PRIu64 ": a second result of %.400s",
                         r->path, r->line, name);
    }
    note_meaning(r->log, meaning);
    r->log->tally.flaky += text_of(record, "flaky") != NULL;
    return TOOL_OK;
}

static tool_status take_record(log_reader *r, json_object *record, tool_error *error) {
    const char *event = text_of(record, "event");
    if (r->line == 1)
        return check_header(r, record, error);
    if (event && strcmp(event, "end") == 0 && !r->ended) {
        r->ended = true;
        return TOOL_OK;
    }
    return r->ended ? no_result(r, error) : take_case(r, record, error);
}

static tool_status take_line(log_reader *r, const char *text, size_t length, tool_error *error) {
    json_object *record = json_read(text, length);
    bool whole = json_object_is_type(record, json_type_object);
    tool_status status = whole ? take_record(r, record, error) : no_result(r, error);
    json_object_put(record);
    return status;
}

/* Is a text without a whole line the beginning of a first line? A run that was killed before that
 * was written leaves such a file, or an empty one. */
static bool is_cut_off(const char *text, size_t size) {
    static const char start[] = "{\"event\":\"sweep\",";
    const size_t common = size < sizeof start - 1 ? size : sizeof start - 1;
    return memcmp(text, start, common) == 0;
}

/*
 * Reads the results of an earlier run into `log`. Their first line must equal `header`, apart from
 * the member "run". *kept receives how many bytes of the file stay: all whole lines but the footer;
 * 0 for a file without a whole line.
 */
static tool_status resume_read(sweep_log *log, const char *path, json_object *header, size_t *kept,
                               tool_error *error) {
    file_contents contents;
    log_reader reader = {.log = log, .path = path, .header = header};
    tool_status status = file_read(path, &contents, error);
    if (status != TOOL_OK)
        return status;
    const char *text = (const char *)contents.bytes;
    const char *at = text;
    for (const char *end;
         status == TOOL_OK && (end = memchr(at, '\n', contents.size - (size_t)(at - text)));
         at = end + 1) {
        reader.line++;
        status = take_line(&reader, at, (size_t)(end - at), error);
        *kept = reader.ended ? *kept : (size_t)(end + 1 - text);
    }
    if (reader.line == 0 && !is_cut_off(text, contents.size))
        status = no_result(&(log_reader){.path = path, .line = 1}, error);
    memory_free(contents.bytes);
    return status;
}

static tool_status fail(const char *path, tool_error *error) {
    return tool_fail(error, TOOL_ENVIRONMENT, "%.400s: cannot be written: %s", path,
                     strerror(errno));
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
        return fail(path, error);
    const bool regular = S_ISREG(about.st_mode);
    tool_status status = lock(descriptor, path, regular, error);
    if (status == TOOL_OK && resumed)
        status = resume_read(log, path, header, kept, error);
    if (status != TOOL_OK)
        return status;
    if (regular &&
        (ftruncate(descriptor, (off_t)*kept) != 0 || lseek(descriptor, (off_t)*kept, SEEK_SET) < 0))
        return fail(path, error);
    log->file = fdopen(descriptor, "w");
    return log->file ? TOOL_OK : fail(path, error);
}

tool_status sweep_log_begin(sweep_log *log, const char *path, json_object *header, bool resume,
                            tool_error *error) {
    size_t kept = 0;
    *log = (sweep_log){0};
    if (!path)
        return TOOL_OK;
    struct stat about;
    const bool resumed = resume && file_exists(path);
    /* A pipe would block; nothing but a regular file is read. */
    if (resumed && stat(path, &about) == 0 && !S_ISREG(about.st_mode))
        return resume_read(log, path, header, &kept, error);
    const int descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor < 0)
        return fail(path, error);
    const tool_status status = take_file(log, descriptor, path, header, resumed, &kept, error);
    if (!log->file)
        close(descriptor);
    /* A run that was killed before its first line was whole starts anew. */
    return status != TOOL_OK || kept > 0 ? status : sweep_log_add(log, header, error);
}

void sweep_log_keep(sweep_log *log, json_object *header) {
    text_buffer_open(&log->kept);
    log->file = log->kept.stream;
    (void)sweep_log_add(log, header, NULL); /* without memory, text_buffer_close fails */
}

tool_status sweep_log_add(sweep_log *log, json_object *record, tool_error *error) {
    const char *line = json_print(record, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE);
    bool good = !log->file || (fprintf(log->file, "%s\n", line) > 0 && fflush(log->file) == 0);
    return good ? TOOL_OK : fail("the results", error);
}

tool_status sweep_log_end(sweep_log *log, tool_error *error) {
    bool good = true;
    if (log->kept.stream)
        (void)text_buffer_close(&log->kept);
    else if (log->file)
        good = fclose(log->file) == 0;
    state_map_free(&log->done);
    free(log->meanings);
    log->meanings = NULL;
    log->file = NULL;
    return good ? TOOL_OK : fail("the results", error);
}
