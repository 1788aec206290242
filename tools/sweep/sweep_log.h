/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_SWEEP_LOG_H
#define CUMSUM_TOOLS_SWEEP_LOG_H

/*
 * The results of a sweep as they come: a JSON object a line, each written at once, so that a sweep
 * that is killed keeps what it did. The first line says what the sweep is.
 */

#include <json-c/json.h>
#include <stdio.h>

#include "error.h"
#include "name_set.h"

typedef struct sweep_log {
    FILE *file;    /* NULL: no results are written */
    name_set done; /* the cases that the file had already, and of these: */
    uint64_t passed;
    uint64_t skipped; /* not supported */
    uint64_t failed;  /* anything else */
} sweep_log;

/*
 * Starts a file with `header`, or, to `resume` one, reads it. A last line that was cut off is
 * removed. TOOL_MALFORMED where the file is not a sweep's, or one with another header;
 * TOOL_ENVIRONMENT where it cannot be read or written. path NULL: nothing is written.
 */
tool_status sweep_log_begin(sweep_log *log, const char *path, json_object *header, bool resume,
                            tool_error *error);

/* Writes a result. TOOL_ENVIRONMENT where that fails. */
tool_status sweep_log_add(sweep_log *log, json_object *record, tool_error *error);

/* TOOL_ENVIRONMENT where the file cannot be closed. */
tool_status sweep_log_end(sweep_log *log, tool_error *error);

#endif
