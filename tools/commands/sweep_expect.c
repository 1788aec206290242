/* SPDX-License-Identifier: MIT */
#include "sweep_expect.h"

#include <inttypes.h>
#include <stdio.h>

#include "progress.h"
#include "report_fields.h"
#include "text.h"

/* "FILE:LINE: the waiver of PATTERN" */
static void name_waiver(FILE *out, const sweep_expectations *x, const waiver *w) {
    text_show(out, x->options->waivers);
    fprintf(out, ":%" PRIu64 ": the waiver of ", w->line);
    text_show(out, w->pattern);
}

static void say_expired(const sweep_expectations *x) {
    for (size_t i = 0; i < x->waivers.count; i++) {
        const waiver *w = &x->waivers.list[i];
        if (waiver_is_for(w, x->device) && waiver_expired(w, x->today)) {
            fputs("cumsum: ", stderr);
            name_waiver(stderr, x, w);
            fprintf(stderr, " ended on %s and waives nothing any more\n", w->last_day);
        }
    }
}

tool_status sweep_expectations_read(sweep_expectations *x, const tool_options *options,
                                    const char *device, tool_error *error) {
    tool_status status = TOOL_OK;
    *x = (sweep_expectations){.options = options, .device = device};
    waiver_today(x->today);
    if (options->baseline)
        status = baseline_read(options->baseline, &x->baseline, error);
    if (status == TOOL_OK && options->waivers)
        status = waivers_read(options->waivers, &x->waivers, error);
    if (status == TOOL_OK)
        say_expired(x);
    return status;
}

void sweep_expectations_free(sweep_expectations *x) {
    state_map_free(&x->baseline);
    waivers_free(&x->waivers);
}

/* The baseline first: what it expects needs no waiver. An improvement is nothing to be waived. */
sweep_state sweep_expect(sweep_expectations *x, const char *name, sweep_state outcome,
                         json_object *record) {
    sweep_state expected = outcome;
    const bool listed = state_map_find(&x->baseline, name, &expected);
    const bool known = listed && expected == outcome;
    const waiver *w = !known && sweep_state_is_failure(outcome)
                          ? waivers_find(&x->waivers, name, x->device, x->today)
                          : NULL;
    const sweep_state state = known    ? SWEEP_KNOWN
                              : w      ? SWEEP_WAIVED
                              : listed ? SWEEP_UNEXPECTED
                                       : outcome;
    fields_text(record, "state", sweep_state_name(state));
    if (state != outcome)
        fields_text(record, "outcome", sweep_state_name(outcome));
    if (listed)
        fields_text(record, "expected", sweep_state_name(expected));
    if (w)
        fields_text(record, "waiver", w->url);
    return state;
}

void sweep_show_unused_waivers(const sweep_expectations *x) {
    for (size_t i = 0; i < x->waivers.count; i++) {
        const waiver *w = &x->waivers.list[i];
        if (!w->used && waiver_is_for(w, x->device) && !waiver_expired(w, x->today)) {
            progress_clear();
            name_waiver(stdout, x, w);
            puts(" waived nothing");
        }
    }
}
