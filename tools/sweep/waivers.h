/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_WAIVERS_H
#define CUMSUM_TOOLS_WAIVERS_H

/*
 * Failures that somebody has taken note of: a text file with
 *     PATTERN DEVICE URL YYYY-MM-DD
 * a line: the patterns of the cases' and the device's whole names, where the failure is described,
 * and the last day on which it is waived.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"

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

#endif
