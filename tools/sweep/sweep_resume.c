/* SPDX-License-Identifier: MIT */
#include "sweep_resume.h"

#include <inttypes.h>
#include <string.h>

#include "file_read.h"
#include "header_difference.h"
#include "json_document.h"
#include "json_make.h"
#include "memory.h"
#include "memory_limit.h"

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
