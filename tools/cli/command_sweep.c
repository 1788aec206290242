/* SPDX-License-Identifier: MIT */
/* cumsum sweep executes cases of the suite, and minimize reduces a failing case to a simple one
 * that still fails: their options and reports. */
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "commands.h"
#include "minimize.h"
#include "report.h"
#include "sweep.h"

static uint32_t jobs_of(const sweep_settings *settings) {
    const long cores = settings->jobs ? 0 : sysconf(_SC_NPROCESSORS_ONLN);
    return settings->jobs ? settings->jobs : cores > 1 ? (uint32_t)cores : 1;
}

tool_status command_check_sweep(const tool_options *options, tool_error *error) {
    if (options->sweep.resume && !options->output)
        return tool_fail(error, TOOL_MALFORMED, "option --resume needs --output");
#ifdef _WIN32
    if (options->sweep.jobs > 1)
        return tool_fail(error, TOOL_MALFORMED, "option --jobs is not for Windows");
#endif
    return TOOL_OK;
}

static tool_status sweep_against(const tool_options *options, const sweep_results *before,
                                 report *r, tool_error *error) {
    sweep_settings settings = options->sweep;
    sweep_results results;
    tool_status status = TOOL_OK;
    settings.invocation = options->invocation;
    settings.cases = options->files;
    settings.case_count = options->file_count;
    settings.output = options->output;
    settings.jobs = jobs_of(&options->sweep);
    settings.accept = options->accept;
    if (sweep_run(&settings, &options->backend, r, before, &results))
        status = results_reports(r, options, &results, error);
    sweep_results_free(&results);
    return status;
}

tool_status command_sweep(const tool_options *options, report *r, tool_error *error) {
    const pattern_list *files = &options->sweep.against;
    sweep_results before = {0};
    tool_status status = TOOL_OK;
    if (files->count)
        status = results_open(options, files->list, files->count, NULL, &before, error);
    if (status == TOOL_OK && files->count)
        status =
            results_check_accept(&before, options->accept, "this sweep", options->accept, error);
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
