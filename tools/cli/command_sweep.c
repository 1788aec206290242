/* SPDX-License-Identifier: MIT */
/* cumsum sweep executes cases of the suite, and minimize reduces a failing case to a simple one
 * that still fails: their options and reports. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "case_file.h"
#include "commands.h"
#include "judged_sums.h"
#include "memory.h"
#include "minimize.h"
#include "report.h"
#include "sweep.h"
#include "sweep_source.h"
#include "text.h"

static uint32_t jobs_of(const sweep_settings *settings) {
    const long cores = settings->jobs ? 0 : sysconf(_SC_NPROCESSORS_ONLN);
    return settings->jobs ? settings->jobs : cores > 1 ? (uint32_t)cores : 1;
}

/* The name of a case of the suite tells its numerics. */
static tool_status check_numerics(const tool_options *options, tool_error *error) {
    bool file = false;
    for (size_t i = 0; i < options->file_count; i++)
        file = file || source_is_file(options->files[i]);
    return file || !options->backend.has_numerics
               ? TOOL_OK
               : tool_fail(error, TOOL_MALFORMED,
                           "option --numerics needs a case file%s: names of cases tell theirs",
                           options->command == COMMAND_SWEEP ? " or an array" : "");
}

tool_status command_check_minimize(const tool_options *options, tool_error *error) {
    return check_numerics(options, error);
}

/* Options of arrays need an array, and each case has the sums of --sum or scans. */
tool_status command_check_sweep(const tool_options *options, tool_error *error) {
    const char *option = options->has_axis     ? "axis"
                         : options->decreasing ? "reverse"
                         : options->exclusive  ? "exclusive"
                                               : NULL;
    bool array = false;
    for (size_t i = 0; i < options->file_count; i++)
        array = array || npy_is_path(options->files[i]);
    if (option && !array)
        return tool_fail(error, TOOL_MALFORMED, "option --%s needs an array X.npy", option);
    if (options->sum && !options->backend.exec)
        return tool_fail(error, TOOL_MALFORMED, "--sum needs --exec COMMAND");
    sum_axes axes;
    if (options->sum && strcmp(options->sum, "axis") != 0 &&
        sum_axes_read(options->sum, 0, &axes, error) != TOOL_OK)
        return TOOL_MALFORMED;
    if (options->sum && (option || options->sweep.runs))
        return tool_fail(error, TOOL_MALFORMED, "--sum takes no --%s", option ? option : "runs");
#ifdef _WIN32
    if (options->sweep.jobs > 1)
        return tool_fail(error, TOOL_MALFORMED, "option --jobs is not for Windows");
#endif
    return check_numerics(options, error);
}

static tool_status add_given(void *state, const char *name, shrink_case *taken, tool_error *error) {
    sweep_settings *settings = state;
    (void)error;
    const size_t count = settings->given_names.count;
    if (!name_set_add(&settings->given_names, name)) { /* the same file again */
        shrink_case_free(taken);
        return TOOL_OK;
    }
    settings->given = tool_grow(settings->given, count, sizeof *settings->given);
    settings->given[count] = *taken;
    return TOOL_OK;
}

/* Reads the case files and the arrays among the arguments. */
static tool_status read_given(const tool_options *options, sweep_settings *settings,
                              tool_error *error) {
    tool_status status = TOOL_OK;
    for (size_t i = 0; i < options->file_count && status == TOOL_OK; i++) {
        case_file *file;
        if (!source_is_file(options->files[i]))
            continue;
        status = command_read_file(options, options->files[i], &file, error);
        if (status != TOOL_OK)
            return status;
        status = source_dispatches(file, &options->backend, add_given, settings, NULL, error);
        case_file_free(file);
    }
    return status;
}

static void free_given(sweep_settings *settings) {
    for (size_t i = 0; i < settings->given_names.count; i++)
        shrink_case_free(&settings->given[i]);
    name_set_free(&settings->given_names);
    free(settings->given);
}

/* What repeats a case beside the backend and --accept. */
static char *more_options(const tool_options *options) {
    char axis[24] = "";
    if (options->has_axis)
        snprintf(axis, sizeof axis, " --axis %" PRId32, options->axis);
    return text_format(
        "%s%s%s%s%s", options->sum ? " --sum " : "", options->sum ? options->sum : "", axis,
        options->decreasing ? " --reverse" : "", options->exclusive ? " --exclusive" : "");
}

static tool_status sweep_against(const tool_options *options, const sweep_results *before,
                                 report *r, tool_error *error) {
    sweep_settings settings = options->sweep;
    sweep_results results = {0};
    char *more = more_options(options);
    settings.invocation = options->invocation;
    settings.cases = options->files;
    settings.case_count = options->file_count;
    settings.output = options->output;
    settings.jobs = jobs_of(&options->sweep);
    settings.accept = options->accept;
    settings.sum = options->sum;
    settings.more = more;
    tool_status status = read_given(options, &settings, error);
    if (status == TOOL_OK && sweep_run(&settings, &options->backend, r, before, &results))
        status = results_reports(r, options, &results, error);
    sweep_results_free(&results);
    free_given(&settings);
    free(more);
    return status;
}

tool_status command_sweep(const tool_options *options, report *r, tool_error *error) {
    const pattern_list *files = &options->sweep.against;
    sweep_results before = {0};
    tool_status status = TOOL_OK;
    if (files->count)
        status = results_open(options, files->list, files->count, NULL, &before, error);
    if (status == TOOL_OK)
        status = sweep_against(options, files->count ? &before : NULL, r, error);
    sweep_results_free(&before);
    return status;
}

tool_status command_minimize(const tool_options *options, report *r, tool_error *error) {
    const minimize_settings settings = {.origin = options->files[0],
                                        .folder = options->output,
                                        .milliseconds = options->backend.timeout,
                                        .accept = options->accept};
    (void)error;
    minimize_run(&settings, &options->backend, r);
    return TOOL_OK;
}
