/* SPDX-License-Identifier: MIT */
/* cumsum minimize: from a case that fails on a backend to a simple one that still fails. */
#include <stdlib.h>

#include "backends.h"
#include "commands.h"
#include "file_path.h"
#include "make_folder.h"
#include "memory.h"
#include "minimize_result.h"
#include "minimize_source.h"
#include "minimize_words.h"
#include "progress.h"
#include "sweep_case.h"

#define DEFAULT_MILLISECONDS 60000

typedef struct minimization {
    const tool_options *options;
    report report; /* for errors */
    executor executor;
    const char *origin;
    bool found;        /* a case that fails */
    bool supported;    /* some case was computed */
    sweep_result kind; /* how the first one failed */
    bool lost;         /* there is no device any more */
    uint64_t tries;
} minimization;

/* A device that is lost answers nothing any more: the next case gets a new one. */
static void replace_device(minimization *m) {
    tool_error error;
    executor_end(&m->executor);
    tool_status status = executor_begin(&m->executor, m->options, m->options->backend, &error);
    const char *reason = status == TOOL_OK ? executor_reason(&m->executor) : error.message;
    if (reason) {
        report_error(&m->report, TOOL_ENVIRONMENT, NULL, reason);
        m->lost = true;
    }
}

static sweep_result check(minimization *m, suite_case *c, const unsigned char *values) {
    sweep_result done;
    sweep_check_case(&m->executor, c, values, &done);
    if (done.no_memory) /* whether a simpler case fails would depend on it */
        tool_memory_is_out();
    free(done.detail);
    done.detail = NULL;
    if (done.state == SWEEP_CRASH || done.state == SWEEP_TIMEOUT)
        replace_device(m);
    return done;
}

/* Another fault that shows up on the way is not the one that is looked for. */
static bool fails_alike(void *state, suite_case *c, const unsigned char *values) {
    minimization *m = state;
    if (m->lost)
        return false;
    progress_show(0, 0, m->origin);
    const sweep_result done = check(m, c, values);
    return done.state == m->kind.state &&
           (done.comparison.differing > 0) == (m->kind.comparison.differing > 0) &&
           (m->kind.comparison.differing > 0 || (done.stray > 0) == (m->kind.stray > 0));
}

static void minimize(minimization *m, const shrink_case *first) {
    char stem[CASE_NAME_ROOM];
    const uint32_t timeout = m->options->timeout;
    shrinker s = {.fails = fails_alike,
                  .state = m,
                  .milliseconds = timeout ? timeout : DEFAULT_MILLISECONDS,
                  .best = *first};
    minimize_stem(stem, m->origin);
    shrink_run(&s);
    const minimize_found found = {.executor = &m->executor,
                                  .origin = m->origin,
                                  .stem = stem,
                                  .elements = first->count,
                                  .shrinker = &s};
    if (!m->lost)
        minimize_report(&m->report, &found);
    shrink_case_free(&s.best);
}

/* Takes the case's values over. */
static tool_status try_case(minimization *m, shrink_case *first, tool_error *error) {
    suite_case c;
    tool_status status = case_begin_values(&c, &first->spec, first->values, error);
    if (status == TOOL_OK) {
        m->kind = check(m, &c, first->values);
        case_end(&c);
        m->supported = m->supported || m->kind.state != SWEEP_NOT_SUPPORTED;
        m->found = m->kind.state != SWEEP_PASS && m->kind.state != SWEEP_NOT_SUPPORTED;
    }
    if (m->found && !m->lost)
        minimize(m, first);
    else
        shrink_case_free(first);
    return status;
}

static tool_status try_dispatch(minimization *m, const model *file, const model_command *command,
                                tool_error *error) {
    shrink_case first;
    tool_status status = minimize_dispatch(file, command, &first, error);
    if (status == TOOL_OK)
        status = try_case(m, &first, error);
    /* What comes after it may read its output. */
    const executor cpu = {.options = m->options};
    return status == TOOL_OK && !m->found ? executor_dispatch(&cpu, file, command, NULL, error)
                                          : status;
}

static tool_status try_file(minimization *m, tool_error *error) {
    model *file;
    tool_status status = model_read(m->origin, &file, error);
    if (status != TOOL_OK)
        return status;
    status = executor_check_model(file, CUMSUM_FEATURE_LEVEL_DEFAULT, error);
    for (size_t i = 0; i < file->command_count && status == TOOL_OK && !m->found; i++)
        if (file->commands[i].type == MODEL_COMMAND_DISPATCH)
            status = try_dispatch(m, file, &file->commands[i], error);
    model_free(file);
    return status;
}

static tool_status try_origin(minimization *m, tool_error *error) {
    shrink_case first;
    if (file_has_extension(m->origin, ".json") || file_exists(m->origin))
        return try_file(m, error);
    tool_status status = minimize_named(m->origin, &first, error);
    return status == TOOL_OK ? try_case(m, &first, error) : status;
}

static tool_status start(minimization *m, tool_error *error) {
    tool_status status = folder_make(m->options->output, error);
    if (status == TOOL_OK)
        status = executor_begin(&m->executor, m->options, m->options->backend, error);
    if (status == TOOL_OK && executor_reason(&m->executor))
        return tool_fail(error, TOOL_NOTHING_RAN, "%s", executor_reason(&m->executor));
    return status == TOOL_OK ? try_origin(m, error) : status;
}

static tool_status why_nothing(const minimization *m, tool_error *error) {
    if (!m->supported) {
        return tool_fail(error, TOOL_NOTHING_RAN, "%.800s",
                         m->kind.reason[0] ? m->kind.reason : "there is no dispatch");
    }
    return tool_fail(error, TOOL_MALFORMED,
                     "%.400s: does not fail on backend %s: there is nothing to minimize", m->origin,
                     backend_name(m->options->backend));
}

int command_minimize(const tool_options *options) {
    tool_error error;
    if (options->file_count != 1) {
        return command_usage_error(options, "one NAME or MODEL is needed, and %s given",
                                   options->file_count ? "more are" : "none is");
    }
    int usage = command_device_options(options);
    if (usage != TOOL_OK)
        return usage;
    minimization m = {.options = options, .origin = options->files[0]};
    (void)report_begin(&m.report, options, &error); /* fails only where a JUnit file is asked for */
    tool_status status = start(&m, &error);
    if (status == TOOL_OK && !m.found)
        status = why_nothing(&m, &error);
    if (status == TOOL_NOTHING_RAN) {
        m.report.skipped++;
        progress_clear();
        fprintf(stderr, "cumsum: backend %s: SKIPPED: %s\n", backend_name(options->backend),
                error.message);
    } else if (status != TOOL_OK) {
        report_error(&m.report, status, m.origin, error.message);
    }
    executor_end(&m.executor);
    return report_end_quietly(&m.report);
}
