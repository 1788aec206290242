/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_SWEEP_EXPECT_H
#define CUMSUM_TOOLS_SWEEP_EXPECT_H

/* What a sweep expects to fail: the baseline and the waivers, and what they make of an outcome. */

#include <json-c/json.h>

#include "baseline.h"
#include "options.h"
#include "waivers.h"

typedef struct sweep_expectations {
    const tool_options *options;
    const char *device; /* that waivers are for */
    char today[sizeof "YYYY-MM-DD"];
    state_map baseline;
    waiver_list waivers;
} sweep_expectations;

/* Reads the files of the options, and says on standard error which waivers have expired. device
 * stays the caller's. To be freed in any case. */
tool_status sweep_expectations_read(sweep_expectations *x, const tool_options *options,
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
