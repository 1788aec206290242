/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_SWEEP_RUNNER_H
#define CUMSUM_TOOLS_SWEEP_RUNNER_H

/* What executes the cases of a sweep: this process or another one, once or, where a case fails, as
 * often as --retry says. */

#include "sweep_child.h"

typedef struct sweep_runner {
    const tool_options *options;
    bool isolated;
    sweep_child child; /* where it is */
    executor executor; /* where it is not */
} sweep_runner;

/* TOOL_OK also where there is no device: sweep_runner_reason then says why. */
tool_status sweep_runner_begin(sweep_runner *runner, const tool_options *options,
                               tool_error *error);
void sweep_runner_end(sweep_runner *runner);

/* The reason why nothing can be executed, or NULL. */
const char *sweep_runner_reason(const sweep_runner *runner);

sweep_device sweep_runner_device(const sweep_runner *runner);

/*
 * Executes a case. Where more than one attempt was needed, the record has "attempts", the outcomes
 * one after the other, and where the last one passed, "flaky". TOOL_ENVIRONMENT where there is no
 * device any more; `done` is to be freed in any case.
 */
tool_status sweep_runner_run(sweep_runner *runner, const char *name, sweep_done *done,
                             tool_error *error);

#endif
