/* SPDX-License-Identifier: MIT */
/* cumsum sweep: many cases of the suite on one backend, their results as they come. */
#include <fnmatch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "backends.h"
#include "case_select.h"
#include "commands.h"
#include "minimize_words.h"
#include "progress.h"
#include "report.h"
#include "sweep_case.h"
#include "sweep_header.h"
#include "sweep_log.h"
#include "sweep_shard.h"
#include "text.h"

typedef struct sweep {
    const tool_options *options;
    report report; /* for errors */
    executor executor;
    sweep_shard shard;
    name_set names; /* those that are to be done, the shard's alone */
    sweep_log log;
    sweep_tally tally;
    uint64_t resumed;            /* cases that an earlier run has done */
    bool lost;                   /* there is no device any more */
    char failed[CASE_NAME_ROOM]; /* the first case that did */
} sweep;

static bool matches_any(const char *name, const pattern_list *patterns) {
    for (size_t i = 0; i < patterns->count; i++) {
        if (fnmatch(patterns->list[i], name, 0) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_wanted(const sweep *s, const char *name) {
    const tool_options *o = s->options;
    return (!o->include.count || matches_any(name, &o->include)) &&
           !matches_any(name, &o->exclude) && sweep_shard_has(&s->shard, name);
}

static void select_names(sweep *s) {
    name_set all = {0};
    tool_error error;
    for (size_t i = 0; i < s->options->file_count; i++) {
        tool_status status = case_select(s->options->files[i], &all, &error);
        if (status != TOOL_OK) {
            report_error(&s->report, status, s->options->files[i], error.message);
        }
    }
    for (size_t i = 0; i < all.count; i++) {
        if (is_wanted(s, all.names[i])) {
            name_set_add(&s->names, all.names[i]);
        }
    }
    name_set_free(&all);
}

static void show_result(const sweep *s, const char *name, const sweep_result *done) {
    if (!sweep_state_is_failure(done->state) && (s->options->quiet || !s->options->verbose)) {
        return;
    }
    progress_clear();
    printf("%-13s  %s%s", sweep_state_name(done->state), name, done->reason[0] ? "  " : "");
    text_show(stdout, done->reason);
    putchar('\n');
    for (const char *line = done->detail; line && *line;) {
        size_t length = strcspn(line, "\n");
        printf("               %.*s\n", (int)length, line);
        line += length + (line[length] == '\n');
    }
}

/* A device that is lost answers nothing any more: the next case gets a new one. */
static void replace_device(sweep *s) {
    tool_error error;
    executor_end(&s->executor);
    tool_status status = executor_begin(&s->executor, s->options, s->options->backend, &error);
    const char *reason = status == TOOL_OK ? executor_reason(&s->executor) : error.message;
    if (reason) {
        report_error(&s->report, TOOL_ENVIRONMENT, NULL, reason);
        s->lost = true;
    }
}

static void run_case(sweep *s, const char *name) {
    sweep_result done;
    tool_error error;
    sweep_run_case(&s->executor, name, &done);
    json_object *record = sweep_record(name, &done);
    tool_status status = sweep_log_add(&s->log, record, &error);
    s->tally.states[done.state]++;
    if (!s->failed[0] && sweep_state_is_failure(done.state)) {
        snprintf(s->failed, sizeof s->failed, "%s", name);
    }
    if (s->options->json) {
        report_json_line(json_object_get(record));
    } else {
        show_result(s, name, &done);
    }
    json_object_put(record);
    sweep_result_end(&done);
    if (status != TOOL_OK) {
        report_error(&s->report, status, NULL, error.message);
        s->lost = true;
    } else if (done.state == SWEEP_CRASH || done.state == SWEEP_TIMEOUT) {
        replace_device(s);
    }
}

/* The first line of the results, in the file and among those of --json. */
static bool begin_results(sweep *s) {
    tool_error error;
    const sweep_device device = sweep_device_of(&s->executor);
    json_object *header = sweep_header(s->options, &device, &s->shard, s->names.count);
    tool_status status =
        sweep_log_begin(&s->log, s->options->output, header, s->options->resume, &error);
    if (status != TOOL_OK) {
        report_error(&s->report, status, s->options->output, error.message);
    } else if (s->options->json) {
        report_json_line(json_object_get(header));
    }
    json_object_put(header);
    s->tally = s->log.tally;
    s->resumed = s->log.done.names.count;
    return status == TOOL_OK;
}

static void end_results(sweep *s) {
    tool_error error;
    json_object *footer = sweep_footer(&s->tally);
    tool_status status = sweep_log_add(&s->log, footer, &error);
    if (status != TOOL_OK) {
        report_error(&s->report, status, NULL, error.message);
    }
    if (s->options->json) {
        report_json_line(json_object_get(footer));
    }
    json_object_put(footer);
}

static void run_cases(sweep *s) {
    const name_set *names = &s->names;
    if (!begin_results(s)) {
        return;
    }
    for (size_t i = 0; i < names->count && !s->lost; i++) {
        progress_show(i, names->count, names->names[i]);
        if (!name_set_has(&s->log.done.names, names->names[i])) {
            run_case(s, names->names[i]);
        }
    }
    if (!s->lost) {
        end_results(s);
    }
}

/* A backend that is not there is said by name, and nothing has run. */
static void skip_cases(sweep *s, const char *reason) {
    s->tally.states[SWEEP_NOT_SUPPORTED] = s->names.count;
    if (!s->options->json) {
        printf("SKIP  backend %s: ", backend_name(s->options->backend));
        text_show(stdout, reason);
        putchar('\n');
    }
}

static void show_advice(const sweep *s) {
    if (s->failed[0] && !s->options->json) {
        char *command = minimize_command(s->options, "minimize", s->failed);
        progress_clear();
        fputs("the first failure, made small: ", stdout);
        text_show(stdout, command);
        putchar('\n');
        free(command);
    }
}

static int end(sweep *s) {
    tool_error error;
    tool_status status = sweep_log_end(&s->log, &error);
    if (status != TOOL_OK) {
        report_error(&s->report, status, NULL, error.message);
    }
    s->report.passed = sweep_tally_passed(&s->tally);
    s->report.skipped = sweep_tally_skipped(&s->tally);
    s->report.failed = sweep_tally_failed(&s->tally);
    if (!s->options->json && s->resumed) {
        printf("%" PRIu64 " of these by an earlier run\n", s->resumed);
    }
    show_advice(s);
    executor_end(&s->executor);
    name_set_free(&s->names);
    return report_end(&s->report);
}

int command_sweep(const tool_options *options) {
    sweep s = {.options = options};
    tool_error error;
    if (!options->file_count) {
        return command_usage_error(options, "no NAME, PATTERN or list is given");
    }
    if (options->resume && !options->output) {
        return command_usage_error(options, "option --resume needs --output");
    }
    int usage = command_device_options(options);
    if (usage != TOOL_OK) {
        return usage;
    }
    (void)report_begin(&s.report, options, &error); /* fails only where a JUnit file is asked for */
    tool_status status = sweep_shard_of(options->shard, &s.shard, &error);
    if (status == TOOL_OK) {
        status = executor_begin(&s.executor, options, options->backend, &error);
    }
    if (status != TOOL_OK) {
        report_error(&s.report, status, NULL, error.message);
        return end(&s);
    }
    select_names(&s);
    if (executor_reason(&s.executor)) {
        skip_cases(&s, executor_reason(&s.executor));
    } else if (!s.report.malformed && !s.report.environment) {
        run_cases(&s);
    }
    return end(&s);
}
