/* SPDX-License-Identifier: MIT */
/* cumsum minimize: reduces a case that fails on a backend to a simple one that still fails. */
#include "commands.h"
#include "minimize.h"

tool_status command_minimize(const tool_options *options, report *r, tool_error *error) {
    const minimize_settings settings = {.origin = options->files[0],
                                        .folder = options->output,
                                        .milliseconds = options->backend.timeout,
                                        .accept = options->accept};
    (void)error;
    minimize_run(&settings, &options->backend, r);
    return TOOL_OK;
}
