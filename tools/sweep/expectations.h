/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_EXPECTATIONS_H
#define CUMSUM_TOOLS_EXPECTATIONS_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"
#include "sweep.h"
#include "sweep_state.h"

/* The known failures of a device: a text file with "STATE NAME" a line, fail, crash or timeout. */

/* Adds what the file has. TOOL_MALFORMED for a line that is none, a name that no case has, or one
 * that stands there twice. The caller frees the map in any case. */
tool_status baseline_read(const char *path, state_map *out, tool_error *error);

/* Writes the failures of a map, whatever else it has, sorted by name. */
tool_status baseline_write(const char *path, const state_map *map, tool_error *error);

/*
 * Failures that somebody has taken note of: a text file with
 *     PATTERN DEVICE URL YYYY-MM-DD
 * a line: the patterns of the cases' and the device's whole names, where the failure is described,
 * and the last day on which it is waived.
 */

typedef struct waiver {
    char *pattern;
    char *device;
    char *url;
    char last_day[sizeof "YYYY-MM-DD"];
    uint64_t line; /* of the file */
    bool used;
} waiver;

typedef struct waiver_list {
    waiver *list;
    size_t count;
    size_t room;
} waiver_list;

/* Adds what the file has. TOOL_MALFORMED for a line that is none, or a pattern that stands there
 * twice for one device. The caller frees the list in any case. */
tool_status waivers_read(const char *path, waiver_list *out, tool_error *error);

void waivers_free(waiver_list *list);

/* Today, as a waiver has it, in UTC. */
void waiver_today(char day[sizeof "YYYY-MM-DD"]);

bool waiver_expired(const waiver *w, const char *today);

/* Is it for this device? */
bool waiver_is_for(const waiver *w, const char *device);

/* The first waiver of this case on this device that has not expired; it is used then. NULL where
 * there is none. */
const waiver *waivers_find(waiver_list *list, const char *name, const char *device,
                           const char *today);

/* What a sweep expects to fail: the baseline and the waivers, and what they make of an outcome. */

typedef struct sweep_expectations {
    const sweep_settings *settings;
    const char *device; /* that waivers are for */
    char today[sizeof "YYYY-MM-DD"];
    state_map baseline;
    waiver_list waivers;
} sweep_expectations;

/* Reads the files that the settings name, and says on standard error which waivers have expired.
 * device stays the caller's. To be freed in any case. */
tool_status sweep_expectations_read(sweep_expectations *x, const sweep_settings *settings,
                                    const char *device, tool_error *error);
void sweep_expectations_free(sweep_expectations *x);

/*
 * What an outcome means. The record of the case gets "state" and, where that is another word than
 * the outcome, "outcome", "expected" (of the baseline) or "waiver" (the URL).
 */
sweep_state sweep_expect(sweep_expectations *x, const char *name, sweep_state outcome,
                         json_object *record);

/* Shows the waivers of this device that waived nothing. */
void sweep_show_unused_waivers(const sweep_expectations *x);

#endif
