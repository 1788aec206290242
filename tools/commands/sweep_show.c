/* SPDX-License-Identifier: MIT */
#include "sweep_show.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "json_make.h"
#include "progress.h"
#include "text.h"

static bool is_shown(const tool_options *options, sweep_state state, bool flaky) {
    const bool quiet_only = options->quiet || !options->verbose;
    const bool passed_over = state == SWEEP_KNOWN || state == SWEEP_WAIVED || flaky;
    return sweep_state_fails_sweep(state) || !quiet_only || (passed_over && !options->quiet);
}

static const char *member(json_object *record, const char *key) {
    json_object *value;
    return json_object_object_get_ex(record, key, &value) && value ? json_word(value) : NULL;
}

/* "  before TEXT after", where there is a text. */
static void show_part(const char *before, const char *text, const char *after) {
    if (text) {
        fputs(before, stdout);
        text_show(stdout, text);
        fputs(after, stdout);
    }
}

static void show_remarks(json_object *record) {
    json_object *attempts;
    const char *outcome = member(record, "outcome");
    if (json_object_object_get_ex(record, "attempts", &attempts)) {
        printf("  %s", member(record, "flaky") ? "flaky: " : "");
        for (size_t i = 0; i < json_object_array_length(attempts); i++)
            printf("%s%s", i ? ", " : "", json_word(json_object_array_get_idx(attempts, i)));
    }
    if (outcome) {
        show_part("  ", outcome, "");
        show_part(", and the baseline has ",
                  strcmp(outcome, member(record, "expected") ? member(record, "expected") : outcome)
                      ? member(record, "expected")
                      : NULL,
                  "");
    }
    show_part("  ", member(record, "waiver"), "");
    show_part("  ", member(record, "reason"), "");
}

void sweep_show_case(const tool_options *options, const char *name, sweep_state state,
                     const sweep_done *done) {
    if (!is_shown(options, state, member(done->record, "flaky") != NULL))
        return;
    progress_clear();
    printf("%-13s  %s", sweep_state_name(state), name);
    show_remarks(done->record);
    putchar('\n');
    const bool explained = sweep_state_fails_sweep(state) || options->verbose;
    for (const char *line = explained ? done->detail : NULL; line && *line;) {
        size_t length = strcspn(line, "\n");
        printf("               %.*s\n", (int)length, line);
        line += length + (line[length] == '\n');
    }
}

void sweep_show_states(const sweep_tally *tally) {
    const uint64_t plain =
        tally->states[SWEEP_PASS] + tally->states[SWEEP_FAIL] + tally->states[SWEEP_NOT_SUPPORTED];
    uint64_t all = 0;
    const char *comma = "";
    for (int i = 0; i < SWEEP_STATES; i++)
        all += tally->states[i];
    if (plain == all && !tally->flaky)
        return;
    for (int i = 0; i < SWEEP_STATES; i++) {
        if (tally->states[i]) {
            printf("%s%" PRIu64 " %s", comma, tally->states[i], sweep_state_name((sweep_state)i));
            comma = ", ";
        }
    }
    if (tally->flaky)
        printf("; %" PRIu64 " of those that passed were flaky", tally->flaky);
    putchar('\n');
}

void sweep_show_times(const sweep_times *times) {
    const double second = 1e9;
    printf("backend %.2f s, suite %.2f s (data %.2f, reference %.2f, comparison %.2f): %.3g M "
           "elements/s a core\n",
           (double)times->execution / second,
           (double)(times->generation + times->reference + times->comparison) / second,
           (double)times->generation / second, (double)times->reference / second,
           (double)times->comparison / second, sweep_speed(times) / 1e6);
}
