/* SPDX-License-Identifier: MIT */
#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend.h"
#include "case_select.h"
#include "expectations.h"
#include "json_print.h"
#include "memory_limit.h"
#include "name_set.h"
#include "progress.h"
#include "report.h"
#include "results_log.h"
#include "sweep.h"
#include "sweep_case.h"
#include "sweep_state.h"
#include "text.h"
#include "worker.h"

/* What executes the cases of a sweep: this process or another one, once or, where a case fails, as
 * often as --retry says. */

typedef struct sweep_runner {
    const sweep_settings *settings;
    const backend_settings *backend;
    bool isolated;
    sweep_child child; /* where it is */
    executor executor; /* where it is not */
} sweep_runner;

/* TOOL_OK also where there is no device: runner_reason then says why. */
static tool_status runner_begin(sweep_runner *runner, const sweep_settings *settings,
                                const backend_settings *backend, tool_error *error) {
    const bool device = backend->backend != BACKEND_CPU;
    *runner = (sweep_runner){.settings = settings,
                             .backend = backend,
                             .isolated = settings->isolate == ISOLATE_ALWAYS ||
                                         (settings->isolate == ISOLATE_AUTO && device)};
    return runner->isolated ? sweep_child_begin(&runner->child, backend, settings->accept, error)
                            : executor_begin(&runner->executor, backend, backend->backend, error);
}

static void runner_end(sweep_runner *runner) {
    if (runner->isolated)
        sweep_child_end(&runner->child);
    else
        executor_end(&runner->executor);
}

/* The reason why nothing can be executed, or NULL. */
static const char *runner_reason(const sweep_runner *runner) {
    const char *missing = runner->child.missing[0] ? runner->child.missing : NULL;
    return runner->isolated ? missing : executor_reason(&runner->executor);
}

static sweep_device runner_device(const sweep_runner *runner) {
    return runner->isolated ? runner->child.device : sweep_device_of(&runner->executor);
}

/* A device that is lost answers nothing any more: the next case gets a new one. */
static tool_status replace_device(sweep_runner *runner, tool_error *error) {
    executor_end(&runner->executor);
    tool_status status =
        executor_begin(&runner->executor, runner->backend, runner->backend->backend, error);
    const char *reason = status == TOOL_OK ? executor_reason(&runner->executor) : NULL;
    return reason ? tool_fail(error, TOOL_ENVIRONMENT, "%s", reason) : status;
}

static tool_status run_here(sweep_runner *runner, const char *name, sweep_done *done,
                            tool_error *error) {
    sweep_result result;
    sweep_run_case(&runner->executor, name, runner->settings->accept, &result);
    *done = sweep_done_of(name, &result);
    const bool lost = done->outcome == SWEEP_CRASH || done->outcome == SWEEP_TIMEOUT;
    return lost ? replace_device(runner, error) : TOOL_OK;
}

/* Executes a case. If it took more than one attempt, the record has "attempts", the outcomes one
 * after the other, and if the last one passed, "flaky". TOOL_ENVIRONMENT if the device is gone;
 * `done` is to be freed in any case. */
static tool_status runner_run(sweep_runner *runner, const char *name, sweep_done *done,
                              tool_error *error) {
    json_object *attempts = json_make_array();
    tool_status status = TOOL_OK;
    *done = (sweep_done){.outcome = SWEEP_FAIL};
    for (uint32_t i = 0;
         status == TOOL_OK && i <= runner->settings->retry && sweep_state_is_failure(done->outcome);
         i++) {
        sweep_done_free(done);
        status = runner->isolated ? sweep_child_run(&runner->child, name, done, error)
                                  : run_here(runner, name, done, error);
        json_put_element(attempts, json_make_string(sweep_state_name(done->outcome)));
    }
    if (json_object_array_length(attempts) > 1 && done->record) {
        json_put_member(done->record, "attempts", json_object_get(attempts));
        if (done->outcome == SWEEP_PASS)
            fields_flag(done->record, "flaky", true);
    }
    json_object_put(attempts);
    return status;
}

static bool matches_any(const char *name, const pattern_list *patterns) {
    for (size_t i = 0; i < patterns->count; i++)
        if (fnmatch(patterns->list[i], name, 0) == 0)
            return true;
    return false;
}

static bool is_wanted(const sweep_settings *s, const sweep_shard *shard, const char *name) {
    return (!s->include.count || matches_any(name, &s->include)) &&
           !matches_any(name, &s->exclude) && sweep_shard_has(shard, name);
}

/* Adds the cases that the settings name and that belong to the shard. An argument that is wrong is
 * reported. */
static void select_cases(const sweep_settings *settings, const sweep_shard *shard, report *r,
                         name_set *names) {
    name_set all = {0};
    tool_error error;
    for (size_t i = 0; i < settings->case_count; i++) {
        tool_status status = case_select(settings->cases[i], &all, &error);
        if (status != TOOL_OK)
            report_error(r, status, settings->cases[i], error.message);
    }
    for (size_t i = 0; i < all.count; i++)
        if (is_wanted(settings, shard, all.names[i]))
            name_set_add(names, all.names[i]);
    name_set_free(&all);
}

static bool is_shown(const report_settings *shown, sweep_state state, bool flaky) {
    const bool quiet_only = shown->quiet || !shown->verbose;
    const bool passed_over = state == SWEEP_KNOWN || state == SWEEP_WAIVED || flaky;
    return sweep_state_fails_sweep(state) || !quiet_only || (passed_over && !shown->quiet);
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

/* A line, and below it what explains a failure. Cases that are as they should be are shown only
 * with -v, those that are known or waived not with -q. */
static void show_case(const report_settings *shown, const char *name, sweep_state state,
                      const sweep_done *done) {
    if (!is_shown(shown, state, member(done->record, "flaky") != NULL))
        return;
    progress_clear();
    printf("%-13s  %s", sweep_state_name(state), name);
    show_remarks(done->record);
    putchar('\n');
    const bool explained = sweep_state_fails_sweep(state) || shown->verbose;
    for (const char *line = explained ? done->detail : NULL; line && *line;) {
        size_t length = strcspn(line, "\n");
        printf("               %.*s\n", (int)length, line);
        line += length + (line[length] == '\n');
    }
}

/* How many cases there are of each state, if there are states besides pass, fail and
 * not-supported, or flakes. */
static void show_states(const sweep_tally *tally) {
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

/* Where the time went. */
static void show_times(const sweep_times *times) {
    const double second = 1e9;
    printf("backend %.2f s, suite %.2f s (data %.2f, reference %.2f, comparison %.2f): %.3g M "
           "elements/s a core\n",
           (double)times->execution / second,
           (double)(times->generation + times->reference + times->comparison) / second,
           (double)times->generation / second, (double)times->reference / second,
           (double)times->comparison / second, sweep_speed(times) / 1e6);
}

/* cumsum sweep: many cases of the suite on one backend, their results as they come. */

typedef struct sweep {
    const sweep_settings *settings;
    const backend_settings *backend;
    report *report;
    sweep_runner runner;
    sweep_device device;
    sweep_expectations expectations;
    sweep_shard shard;
    name_set names; /* those that are to be done, the shard's alone */
    sweep_log log;
    state_map failures; /* that no waiver is for: the next baseline */
    sweep_tally tally;
    sweep_times times;
    uint64_t resumed;                  /* cases that an earlier run has done */
    bool lost;                         /* there is no device any more, or no place for results */
    char first_failed[CASE_NAME_ROOM]; /* the first case that failed */
} sweep;

/* Takes note of a case that is done, now or by an earlier run. */
static void count_case(sweep *s, const char *name, sweep_state state, sweep_state outcome) {
    if (sweep_state_is_failure(outcome) && state != SWEEP_WAIVED)
        state_map_add(&s->failures, name, outcome);
    if (!s->first_failed[0] && sweep_state_fails_sweep(state) && sweep_state_is_failure(outcome))
        snprintf(s->first_failed, sizeof s->first_failed, "%s", name);
}

static void record_case(sweep *s, const char *name, sweep_done *done) {
    tool_error error;
    json_object *flaky;
    const sweep_state state = sweep_expect(&s->expectations, name, done->outcome, done->record);
    const tool_status status = sweep_log_add(&s->log, done->record, &error);
    s->tally.states[state]++;
    s->tally.flaky += json_object_object_get_ex(done->record, "flaky", &flaky) ? 1 : 0;
    sweep_times_add(&s->times, &done->times);
    count_case(s, name, state, done->outcome);
    if (s->report->settings->json)
        report_json_line(json_object_get(done->record));
    else
        show_case(s->report->settings, name, state, done);
    if (status != TOOL_OK) {
        report_error(s->report, status, NULL, error.message);
        s->lost = true;
    }
}

static void run_case(sweep *s, const char *name) {
    sweep_done done;
    tool_error error;
    const tool_status status = runner_run(&s->runner, name, &done, &error);
    if (done.record)
        record_case(s, name, &done);
    sweep_done_free(&done);
    if (status != TOOL_OK) {
        report_error(s->report, status, NULL, error.message);
        s->lost = true;
    }
}

/* The first line of the results, in the file and among those of --json. */
static bool begin_results(sweep *s, bool keep) {
    tool_error error;
    json_object *header =
        sweep_header(s->settings, s->backend, &s->device, &s->shard, s->names.count);
    tool_status status =
        sweep_log_begin(&s->log, s->settings->output, header, s->settings->resume, &error);
    if (status != TOOL_OK)
        report_error(s->report, status, s->settings->output, error.message);
    else if (s->report->settings->json)
        report_json_line(json_object_get(header));
    if (keep)
        sweep_log_keep(&s->log, header);
    json_object_put(header);
    s->tally = s->log.tally;
    s->resumed = s->log.done.names.count;
    return status == TOOL_OK;
}

static void end_results(sweep *s) {
    tool_error error;
    json_object *footer = sweep_footer(&s->tally, &s->times);
    tool_status status = sweep_log_add(&s->log, footer, &error);
    if (status == TOOL_OK && s->settings->write_baseline)
        status = baseline_write(s->settings->write_baseline, &s->failures, &error);
    if (status != TOOL_OK)
        report_error(s->report, status, NULL, error.message);
    if (s->report->settings->json)
        report_json_line(json_object_get(footer));
    json_object_put(footer);
}

static void run_cases(sweep *s) {
    const name_set *names = &s->names;
    for (size_t i = 0; i < names->count && !s->lost; i++) {
        const char *name = names->names[i];
        const size_t done = name_set_find(&s->log.done.names, name);
        progress_show(i, names->count, name);
        if (done == SIZE_MAX)
            run_case(s, name);
        else
            count_case(s, name, s->log.meanings[done], s->log.done.states[done]);
    }
    if (!s->lost)
        end_results(s);
}

/* A backend that is not there is said by name, and nothing has run. */
static void skip_cases(sweep *s, const char *reason) {
    const junit_entry entry = {.kind = JUNIT_SKIPPED,
                               .suite = backend_name(s->backend->backend),
                               .class = "cumsum.sweep",
                               .name = "all cases",
                               .message = reason};
    if (s->report->junit)
        junit_add(s->report->junit, &entry);
    s->tally.states[SWEEP_NOT_SUPPORTED] = s->names.count;
    if (!s->report->settings->json) {
        printf("SKIP  backend %s: ", backend_name(s->backend->backend));
        text_show(stdout, reason);
        putchar('\n');
    }
}

static void show_totals(const sweep *s) {
    progress_clear();
    if (s->resumed)
        printf("%" PRIu64 " of these by an earlier run\n", s->resumed);
    if (s->report->settings->verbose)
        sweep_show_unused_waivers(&s->expectations);
    show_states(&s->tally);
    if (s->times.elements && !s->report->settings->quiet)
        show_times(&s->times);
    if (s->first_failed[0]) {
        char *command = backend_command_line(s->backend, "minimize", s->first_failed);
        fputs("the first failure, made small: ", stdout);
        text_show(stdout, command);
        putchar('\n');
        free(command);
    }
}

static void end(sweep *s, text_buffer *kept) {
    tool_error error;
    tool_status status = sweep_log_end(&s->log, &error);
    if (status != TOOL_OK)
        report_error(s->report, status, NULL, error.message);
    if (kept)
        *kept = s->log.kept;
    s->report->passed = sweep_tally_passed(&s->tally);
    s->report->skipped = sweep_tally_skipped(&s->tally);
    s->report->failed = sweep_tally_failed(&s->tally);
    s->report->ran = s->tally.states[SWEEP_KNOWN] + s->tally.states[SWEEP_WAIVED] > 0;
    if (!s->report->settings->json)
        show_totals(s);
    runner_end(&s->runner);
    sweep_expectations_free(&s->expectations);
    name_set_free(&s->names);
    state_map_free(&s->failures);
}

static tool_status begin(sweep *s, tool_error *error) {
    tool_status status = sweep_shard_of(s->settings->shard, &s->shard, error);
    if (status == TOOL_OK)
        status = runner_begin(&s->runner, s->settings, s->backend, error);
    s->device = runner_device(&s->runner);
    return status != TOOL_OK
               ? status
               : sweep_expectations_read(&s->expectations, s->settings,
                                         s->device.name[0] ? s->device.name : "cpu", error);
}

bool sweep_run(const sweep_settings *settings, const backend_settings *backend, report *r,
               text_buffer *kept) {
    sweep s = {.settings = settings, .backend = backend, .report = r};
    tool_error error;
    bool began = false;
    memory_keep();
    const tool_status status = begin(&s, &error);
    if (status != TOOL_OK)
        report_error(r, status, NULL, error.message);
    else
        select_cases(settings, &s.shard, r, &s.names);
    if (status == TOOL_OK && runner_reason(&s.runner))
        skip_cases(&s, runner_reason(&s.runner));
    else if (!r->malformed && !r->environment && begin_results(&s, kept != NULL)) {
        began = true;
        run_cases(&s);
    }
    end(&s, kept);
    return began;
}
