/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_RUNNER_H
#define CUMSUM_TOOLS_RUNNER_H

/* Execution of a sweep's cases by one job: once or, if a case fails, as often as --retry says. */

#include "executor.h"
#include "sweep.h"
#include "sweep_case.h"

/* All zero before sweep_runner_open. */
typedef struct sweep_runner {
    const sweep_settings *settings;
    executor *list; /* with --stress one for each job, else one */
    uint32_t count; /* that were begun; one of them at least */
} sweep_runner;

/* Opens the devices. A missing device is TOOL_OK, and sweep_runner_reason then says why it is
 * missing. The caller closes the runner in any case. */
tool_status sweep_runner_open(sweep_runner *runner, const sweep_settings *settings,
                              const backend_settings *backend, tool_error *error);
void sweep_runner_close(sweep_runner *runner);

/* The reason why no case can be executed, or NULL. */
const char *sweep_runner_reason(const sweep_runner *runner);

/*
 * Executes a case. If it took more than one attempt, the record has "attempts", the outcomes in
 * their order, and, if the last attempt passed, "flaky". TOOL_ENVIRONMENT if the device is gone for
 * good. The caller frees the result in any case.
 */
tool_status sweep_runner_run(sweep_runner *runner, const char *name, sweep_result *result,
                             tool_error *error);

#endif
