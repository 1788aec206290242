/* SPDX-License-Identifier: MIT */
#include "results_log.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file.h"
#include "json_parse.h"
#include "json_print.h"
#include "memory.h"
#include "memory_limit.h"
#include "results.h"

/* The results that an earlier run of a sweep has written. */

/*
 * Reads them into `log`, whose first line must be `header` but for its member "run". *kept receives
 * how many bytes of the file are to stay: all lines that are whole, less the one that says that the
 * sweep is complete. 0 for a file without a whole line. Errors as of sweep_log_begin.
 */
tool_status sweep_resume_read(sweep_log *log, const char *path, json_object *header, size_t *kept,
                              tool_error *error);

/* Where in the file a reader is. */
typedef struct log_reader {
    sweep_log *log;
    const char *path;
    json_object *header;
    uint64_t line;
    bool ended; /* the line that says that the sweep is complete is behind */
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
    return tool_fail(error, TOOL_MALFORMED,
                     "%.400s:%" PRIu64 ": the first line of another sweep: \"%.40s\" is %.200s "
                     "there, and %.200s here",
                     r->path, r->line, key, header_member_text(found, key),
                     header_member_text(r->header, key));
}

static void note_meaning(sweep_log *log, sweep_state meaning) {
    const size_t count = log->done.names.count;
    if (count > log->room) {
        log->room = 2 * count;
        log->meanings = tool_realloc(log->meanings, log->room, sizeof *log->meanings);
    }
    log->meanings[count - 1] = meaning;
    log->tally.states[meaning]++;
}

/* "outcome" is there where what happened and what it means are two things. */
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

tool_status sweep_resume_read(sweep_log *log, const char *path, json_object *header, size_t *kept,
                              tool_error *error) {
    file_contents contents;
    log_reader reader = {.log = log, .path = path, .header = header};
    tool_status status = file_read(path, &contents, error);
    if (status != TOOL_OK)
        return status;
    const char *at = (const char *)contents.bytes;
    for (const char *end; status == TOOL_OK && (end = strchr(at, '\n')); at = end + 1) {
        reader.line++;
        status = take_line(&reader, at, (size_t)(end - at), error);
        *kept = reader.ended ? *kept : (size_t)(end + 1 - (const char *)contents.bytes);
    }
    memory_release(contents.bytes);
    return status;
}

static tool_status fail(const char *path, tool_error *error) {
    return tool_fail(error, TOOL_ENVIRONMENT, "%.400s: cannot be written: %s", path,
                     strerror(errno));
}

static tool_status reopen(sweep_log *log, const char *path, json_object *header, size_t *kept,
                          tool_error *error) {
    tool_status status = sweep_resume_read(log, path, header, kept, error);
    if (status == TOOL_OK && truncate(path, (off_t)*kept) != 0)
        return fail(path, error);
    log->file = status == TOOL_OK ? fopen(path, "a") : NULL;
    return status != TOOL_OK || log->file ? status : fail(path, error);
}

tool_status sweep_log_begin(sweep_log *log, const char *path, json_object *header, bool resume,
                            tool_error *error) {
    *log = (sweep_log){0};
    if (!path)
        return TOOL_OK;
    if (resume && file_exists(path)) {
        size_t kept = 0;
        tool_status status = reopen(log, path, header, &kept, error);
        /* One that was killed before its first line was through starts anew. */
        return status != TOOL_OK || kept > 0 ? status : sweep_log_add(log, header, error);
    }
    log->file = fopen(path, "w");
    return log->file ? sweep_log_add(log, header, error) : fail(path, error);
}

void sweep_log_keep(sweep_log *log, json_object *header) {
    text_buffer_begin(&log->kept);
    log->file = log->kept.stream;
    (void)sweep_log_add(log, header, NULL); /* text_buffer_end fails where memory is out */
}

tool_status sweep_log_add(sweep_log *log, json_object *record, tool_error *error) {
    const char *line = json_print(record, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE);
    bool good = !log->file || (fprintf(log->file, "%s\n", line) > 0 && fflush(log->file) == 0);
    return good ? TOOL_OK : fail("the results", error);
}

tool_status sweep_log_end(sweep_log *log, tool_error *error) {
    bool good = true;
    if (log->kept.stream)
        (void)text_buffer_end(&log->kept);
    else if (log->file)
        good = fclose(log->file) == 0;
    state_map_free(&log->done);
    free(log->meanings);
    log->meanings = NULL;
    log->file = NULL;
    return good ? TOOL_OK : fail("the results", error);
}
