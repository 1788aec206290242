/* SPDX-License-Identifier: MIT */
#include "sweep_log.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file_path.h"
#include "json_make.h"
#include "sweep_resume.h"

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
