/* SPDX-License-Identifier: MIT */
/* cumsum sweep: many cases of the suite on one backend, their results as they come. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "backends.h"
#include "commands.h"
#include "memory_limit.h"
#include "minimize_words.h"
#include "progress.h"
#include "report.h"
#include "results_reports.h"
#include "sweep_expect.h"
#include "sweep_log.h"
#include "sweep_runner.h"
#include "sweep_select.h"
#include "sweep_show.h"
#include "text.h"

typedef struct sweep {
    const tool_options *options;
    report report; /* for errors */
    sweep_runner runner;
    sweep_device device;
    sweep_expectations expectations;
    sweep_shard shard;
    name_set names; /* those that are to be done, the shard's alone */
    sweep_log log;
    state_map failures; /* that no waiver is for: the next baseline */
    sweep_tally tally;
    sweep_times times;
    uint64_t resumed;            /* cases that an earlier run has done */
    bool began;                  /* the first line of the results is written */
    bool lost;                   /* there is no device any more, or no place for results */
    char failed[CASE_NAME_ROOM]; /* the first case that did */
} sweep;

/* Takes note of a case that is done, now or by an earlier run. */
static void count_case(sweep *s, const char *name, sweep_state state, sweep_state outcome) {
    if (sweep_state_is_failure(outcome) && state != SWEEP_WAIVED)
        state_map_add(&s->failures, name, outcome);
    if (!s->failed[0] && sweep_state_fails_sweep(state) && sweep_state_is_failure(outcome))
        snprintf(s->failed, sizeof s->failed, "%s", name);
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
    if (s->options->json)
        report_json_line(json_object_get(done->record));
    else
        sweep_show_case(s->options, name, state, done);
    if (status != TOOL_OK) {
        report_error(&s->report, status, NULL, error.message);
        s->lost = true;
    }
}

static void run_case(sweep *s, const char *name) {
    sweep_done done;
    tool_error error;
    const tool_status status = sweep_runner_run(&s->runner, name, &done, &error);
    if (done.record)
        record_case(s, name, &done);
    sweep_done_free(&done);
    if (status != TOOL_OK) {
        report_error(&s->report, status, NULL, error.message);
        s->lost = true;
    }
}

/* The first line of the results, in the file and among those of --json. */
static bool begin_results(sweep *s) {
    tool_error error;
    json_object *header = sweep_header(s->options, &s->device, &s->shard, s->names.count);
    tool_status status =
        sweep_log_begin(&s->log, s->options->output, header, s->options->resume, &error);
    if (status != TOOL_OK)
        report_error(&s->report, status, s->options->output, error.message);
    else if (s->options->json)
        report_json_line(json_object_get(header));
    if (!s->options->output && results_reports_wanted(s->options))
        sweep_log_keep(&s->log, header);
    json_object_put(header);
    s->tally = s->log.tally;
    s->resumed = s->log.done.names.count;
    s->began = status == TOOL_OK;
    return s->began;
}

static void end_results(sweep *s) {
    tool_error error;
    json_object *footer = sweep_footer(&s->tally, &s->times);
    tool_status status = sweep_log_add(&s->log, footer, &error);
    if (status == TOOL_OK && s->options->write_baseline)
        status = baseline_write(s->options->write_baseline, &s->failures, &error);
    if (status != TOOL_OK)
        report_error(&s->report, status, NULL, error.message);
    if (s->options->json)
        report_json_line(json_object_get(footer));
    json_object_put(footer);
}

static void run_cases(sweep *s) {
    const name_set *names = &s->names;
    if (!begin_results(s))
        return;
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
    results_reports_nothing(&s->report, reason);
    s->tally.states[SWEEP_NOT_SUPPORTED] = s->names.count;
    if (!s->options->json) {
        printf("SKIP  backend %s: ", backend_name(s->options->backend));
        text_show(stdout, reason);
        putchar('\n');
    }
}

static void show_end(const sweep *s) {
    progress_clear();
    if (s->resumed)
        printf("%" PRIu64 " of these by an earlier run\n", s->resumed);
    if (s->options->verbose)
        sweep_show_unused_waivers(&s->expectations);
    sweep_show_states(&s->tally);
    if (s->times.elements && !s->options->quiet)
        sweep_show_times(&s->times);
    if (s->failed[0]) {
        char *command = minimize_command(s->options, "minimize", s->failed);
        fputs("the first failure, made small: ", stdout);
        text_show(stdout, command);
        putchar('\n');
        free(command);
    }
}

static int end(sweep *s) {
    tool_error error;
    tool_status status = sweep_log_end(&s->log, &error);
    if (status != TOOL_OK)
        report_error(&s->report, status, NULL, error.message);
    s->report.passed = sweep_tally_passed(&s->tally);
    s->report.skipped = sweep_tally_skipped(&s->tally);
    s->report.failed = sweep_tally_failed(&s->tally);
    s->report.ran = s->tally.states[SWEEP_KNOWN] + s->tally.states[SWEEP_WAIVED] > 0;
    if (results_reports_wanted(s->options) && s->began)
        results_reports_of_sweep(&s->report, s->log.kept.text, s->log.kept.length);
    free(s->log.kept.text);
    if (!s->options->json)
        show_end(s);
    sweep_runner_end(&s->runner);
    sweep_expectations_free(&s->expectations);
    name_set_free(&s->names);
    state_map_free(&s->failures);
    return report_end(&s->report);
}

static tool_status begin(sweep *s, tool_error *error) {
    tool_status status = sweep_shard_of(s->options->shard, &s->shard, error);
    if (status == TOOL_OK)
        status = sweep_runner_begin(&s->runner, s->options, error);
    s->device = sweep_runner_device(&s->runner);
    return status != TOOL_OK
               ? status
               : sweep_expectations_read(&s->expectations, s->options,
                                         s->device.name[0] ? s->device.name : "cpu", error);
}

static int check_usage(const tool_options *options) {
    if (!options->file_count)
        return command_usage_error(options, "no NAME, PATTERN or list is given");
    if (options->resume && !options->output)
        return command_usage_error(options, "option --resume needs --output");
    return command_device_options(options);
}

int command_sweep(const tool_options *options) {
    sweep s = {.options = options};
    tool_error error;
    const int usage = check_usage(options);
    if (usage != TOOL_OK)
        return usage;
    memory_keep();
    tool_status status = report_begin(&s.report, options, &error);
    if (status == TOOL_OK)
        status = begin(&s, &error);
    if (status != TOOL_OK) {
        report_error(&s.report, status, NULL, error.message);
        return end(&s);
    }
    sweep_select(&s.shard, &s.report, &s.names);
    if (sweep_runner_reason(&s.runner))
        skip_cases(&s, sweep_runner_reason(&s.runner));
    else if (!s.report.malformed && !s.report.environment)
        run_cases(&s);
    return end(&s);
}
