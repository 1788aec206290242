/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_RESULTS_LOG_H
#define CUMSUM_TOOLS_RESULTS_LOG_H

/*
 * The results file of a sweep: one JSON object a line. Each line is written at once, so that a
 * sweep that is killed keeps what it did. The first line, the header, identifies the sweep. The
 * last line, the footer, says that it is complete.
 */

#include "json_tree.h"
#include <stdio.h>

#include "error.h"
#include "results.h"
#include "sweep.h"
#include "sweep_state.h"

/* The cases of a shard. The digest is that of all shards: it stays the same in another order, and
 * changes with any name. */
typedef struct sweep_selection {
    name_set names;
    uint64_t digest;
} sweep_selection;

/* The header. Its member "run" says where, when and how this run was started. device: all zero for
 * the CPU. */
json_object *sweep_header(const sweep_settings *settings, const backend_settings *backend,
                          const backend_device *device, const sweep_shard *shard,
                          const sweep_selection *selection);

/* The time in UTC, ISO 8601. */
#define SWEEP_TIME_ROOM 40
const char *sweep_time(char text[SWEEP_TIME_ROOM]);

typedef struct sweep_log {
    FILE *file; /* NULL: none is written */
    sweep_results results;
} sweep_log;

/* Starts the results, and a file of them, with `header`. TOOL_MALFORMED if the file is there and
 * not empty: it stays as it is. TOOL_ENVIRONMENT if it cannot be written. path NULL: nothing is
 * written.
 */
tool_status sweep_log_open(sweep_log *log, const char *path, json_object *header,
                           tool_error *error);

/* Adds a line, and writes it. TOOL_ENVIRONMENT if that fails. */
tool_status sweep_log_add(sweep_log *log, json_object *record, tool_error *error);

/* Leaves the results, which the caller frees. TOOL_ENVIRONMENT if the file cannot be closed. */
tool_status sweep_log_close(sweep_log *log, tool_error *error);

#endif
