/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_RESULTS_LINE_H
#define CUMSUM_TOOLS_RESULTS_LINE_H

/* One line of a sweep's results (docs/command-line.md#the-results-of-a-sweep). */

#include <json-c/json.h>
#include <stddef.h>

#include "case_name.h"
#include "error.h"
#include "sweep_state.h"

typedef enum results_event {
    RESULTS_SWEEP,
    RESULTS_CASE,
    RESULTS_END,
    RESULTS_SUMMARY
} results_event;

typedef struct results_line {
    const char *text; /* not terminated */
    size_t length;
    results_event event;
    json_object *object;       /* of a sweep and an end; else NULL */
    char name[CASE_NAME_ROOM]; /* of a case, as the three below */
    sweep_state state;
    sweep_state outcome;
    bool flaky;
    uint64_t shard; /* of a sweep, as the two below */
    uint64_t shards;
    uint64_t selected;
} results_line;

/*
 * Reads line->text, and what of it is needed to join results. Whatever comes out of it,
 * results_line_free frees it. TOOL_MALFORMED, with a message that starts with "path:number:", where
 * it is no JSON object, or none of those that a sweep writes.
 */
tool_status results_line_read(results_line *line, const char *path, uint64_t number,
                              tool_error *error);
void results_line_free(results_line *line);

#endif
