/* SPDX-License-Identifier: MIT */
#include "sweep_log.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file_path.h"
#include "file_read.h"
#include "memory_limit.h"

static const char *line_of(json_object *object) {
    return json_object_to_json_string_ext(object,
                                          JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE);
}

static tool_status fail(const char *path, tool_error *error) {
    return tool_fail(error, TOOL_ENVIRONMENT, "%.400s: cannot be written: %s", path,
                     strerror(errno));
}

/* Takes note of a result. False where the line is none. */
static bool take_record(sweep_log *log, json_object *record) {
    json_object *name;
    json_object *state;
    if (!json_object_object_get_ex(record, "name", &name) ||
        !json_object_object_get_ex(record, "state", &state)) {
        return false;
    }
    if (name_set_add(&log->done, json_object_get_string(name))) {
        const char *word = json_object_get_string(state);
        bool passed = strcmp(word, "pass") == 0;
        bool skipped = strcmp(word, "not-supported") == 0;
        log->passed += passed;
        log->skipped += skipped;
        log->failed += !passed && !skipped;
    }
    return true;
}

static bool take_line(sweep_log *log, const char *text, size_t length) {
    json_tokener *tokener = json_tokener_new();
    json_object *record = tokener ? json_tokener_parse_ex(tokener, text, (int)length) : NULL;
    bool good = record && json_tokener_get_error(tokener) == json_tokener_success &&
                json_object_is_type(record, json_type_object) && take_record(log, record);
    json_object_put(record);
    json_tokener_free(tokener);
    return good;
}

/* The text up to its last line's end, line by line. *kept receives its length. */
static tool_status take_text(sweep_log *log, const char *path, const char *text, const char *header,
                             size_t *kept, tool_error *error) {
    uint64_t line = 0;
    const char *end;
    const char *at = text;
    for (; (end = strchr(at, '\n')); at = end + 1) {
        size_t length = (size_t)(end - at);
        bool good = ++line > 1 ? take_line(log, at, length)
                               : strlen(header) == length && !memcmp(header, at, length);
        if (!good) {
            return tool_fail(error, TOOL_MALFORMED,
                             line > 1 ? "%.400s:%llu: not a result of a sweep"
                                      : "%.400s:%llu: not the first line of this sweep: its "
                                        "backend, device, cases or shard are others",
                             path, (unsigned long long)line);
        }
    }
    *kept = (size_t)(at - text);
    return TOOL_OK;
}

static tool_status reopen(sweep_log *log, const char *path, const char *header, size_t *kept,
                          tool_error *error) {
    file_contents contents;
    tool_status status = file_read(path, &contents, error);
    if (status != TOOL_OK) {
        return status;
    }
    status = take_text(log, path, (const char *)contents.bytes, header, kept, error);
    memory_release(contents.bytes);
    if (status == TOOL_OK && truncate(path, (off_t)*kept) != 0) {
        return fail(path, error);
    }
    log->file = status == TOOL_OK ? fopen(path, "a") : NULL;
    return status != TOOL_OK || log->file ? status : fail(path, error);
}

tool_status sweep_log_begin(sweep_log *log, const char *path, json_object *header, bool resume,
                            tool_error *error) {
    *log = (sweep_log){0};
    if (!path) {
        return TOOL_OK;
    }
    if (resume && file_exists(path)) {
        size_t kept = 0;
        tool_status status = reopen(log, path, line_of(header), &kept, error);
        /* One that was killed before its first line was through starts anew. */
        return status != TOOL_OK || kept > 0 ? status : sweep_log_add(log, header, error);
    }
    log->file = fopen(path, "w");
    return log->file ? sweep_log_add(log, header, error) : fail(path, error);
}

tool_status sweep_log_add(sweep_log *log, json_object *record, tool_error *error) {
    bool good =
        !log->file || (fprintf(log->file, "%s\n", line_of(record)) > 0 && fflush(log->file) == 0);
    return good ? TOOL_OK : fail("the results", error);
}

tool_status sweep_log_end(sweep_log *log, tool_error *error) {
    bool good = !log->file || fclose(log->file) == 0;
    name_set_free(&log->done);
    log->file = NULL;
    return good ? TOOL_OK : fail("the results", error);
}
