/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_EXPECTATIONS_H
#define CUMSUM_TOOLS_EXPECTATIONS_H

/*
 * What a sweep expects to fail. A baseline lists the known failures of a device: a text file with
 * lines "STATE NAME", STATE being fail, crash, timeout, unstable or doubtful. If both the baseline
 * and a waiver match a case, the baseline wins. A waiver can excuse a failure that differs from the
 * baseline's. It cannot excuse an improvement.
 */

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"
#include "results.h"
#include "sweep.h"
#include "sweep_state.h"

/*
 * Waivers excuse failures until a day: a text file with lines
 *     PATTERN DEVICE URL YYYY-MM-DD
 * with patterns for the whole names of cases and of the device, the address of a description, and
 * the last day.
 */

typedef struct waiver {
    char *pattern;
    char *device;
    char *url;
    char last_day[sizeof "YYYY-MM-DD"];
    uint64_t line; /* in the file */
    bool used;
} waiver;

typedef struct sweep_expectations {
    const sweep_settings *settings;
    const char *device;              /* the name that waivers match */
    char today[sizeof "YYYY-MM-DD"]; /* in UTC */
    name_set baseline;
    sweep_state *states; /* of its names */
    waiver *waivers;
    size_t waiver_count;
} sweep_expectations;

/* Reads the files that the settings name. TOOL_MALFORMED for a wrong line, a name of no case, and a
 * name, or a pattern for one device, that occurs twice. Reports expired waivers on standard error.
 * Keeps `device`. The caller frees x in any case. */
tool_status sweep_expectations_read(sweep_expectations *x, const sweep_settings *settings,
                                    const char *device, tool_error *error);
void sweep_expectations_free(sweep_expectations *x);

/* Writes the failures that are not waived, sorted by name. */
tool_status baseline_write(const char *path, const sweep_results *results, tool_error *error);

/*
 * The state that an outcome gets. The record of the case receives "state" and, if it differs from
 * the outcome, "outcome" and "expected" (from the baseline) or "waiver" (the URL).
 */
sweep_state sweep_expect(sweep_expectations *x, const char *name, sweep_state outcome,
                         json_object *record);

/* Shows the waivers for this device that excused nothing. */
void sweep_show_unused_waivers(const sweep_expectations *x);

#endif
