/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_RESULTS_LOG_H
#define CUMSUM_TOOLS_RESULTS_LOG_H

#include <json-c/json.h>
#include <stdio.h>

#include "error.h"
#include "sweep_state.h"
#include "text.h"

/*
 * The results of a sweep as they come: a JSON object a line, each written at once, so that a sweep
 * that is killed keeps what it did. The first line says what the sweep is, the last one that it is
 * complete.
 */

typedef struct sweep_log {
    FILE *file;            /* NULL: no results are written */
    text_buffer kept;      /* what file is of sweep_log_keep; else unused */
    state_map done;        /* what happened to the cases that the file had already */
    sweep_state *meanings; /* what it meant: one for each of them */
    size_t room;
    sweep_tally tally; /* of these */
} sweep_log;

/*
 * Starts a file with `header`, or, to `resume` one, reads it. A last line that was cut off is
 * removed, and one that says that the sweep is complete. TOOL_MALFORMED where the file is not a
 * sweep's, or one with another header, whose member "run" alone may differ; TOOL_ENVIRONMENT where
 * it cannot be read or written. path NULL: nothing is written.
 */
tool_status sweep_log_begin(sweep_log *log, const char *path, json_object *header, bool resume,
                            tool_error *error);

/* After sweep_log_begin without a path: keeps the results in memory. sweep_log_end leaves them to
 * the caller as kept.text, to be freed, and kept.length. */
void sweep_log_keep(sweep_log *log, json_object *header);

/* Writes a result. TOOL_ENVIRONMENT where that fails. */
tool_status sweep_log_add(sweep_log *log, json_object *record, tool_error *error);

/* TOOL_ENVIRONMENT where the file cannot be closed. */
tool_status sweep_log_end(sweep_log *log, tool_error *error);

#endif
