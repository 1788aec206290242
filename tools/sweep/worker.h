/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_WORKER_H
#define CUMSUM_TOOLS_WORKER_H

/*
 * Execution of a sweep's cases, in this process or in a worker process, once or, if a case fails,
 * as often as --retry says.
 */

#include "child_process.h"
#include "executor.h"
#include "results_log.h"
#include "sweep.h"
#include "sweep_case.h"

/* A worker process. A new one takes its place when it ends. */
typedef struct sweep_child {
    const backend_settings *backend;
    const sweep_settings *settings;
    child_process *process; /* NULL: none at present */
    uint64_t cases;         /* executed by this process */
    sweep_device device;
    char missing[320]; /* why there is no device; "" */
} sweep_child;

/* What executes a case: with --stress an executor for each job, else one. All zero before
 * sweep_team_begin. */
typedef struct sweep_team {
    executor *list;
    uint32_t count; /* that were begun; one of them at least */
} sweep_team;

/* Opens the devices. A missing device is TOOL_OK, and the first executor has the reason. The caller
 * ends the team in any case. */
tool_status sweep_team_begin(sweep_team *team, const sweep_settings *settings,
                             const backend_settings *backend, tool_error *error);
void sweep_team_end(sweep_team *team);

typedef struct sweep_runner {
    const sweep_settings *settings;
    bool isolated;     /* cases run in a worker process */
    sweep_child child; /* used if isolated, ... */
    sweep_team team;   /* ... and used if not */
} sweep_runner;

/* The device of an open executor. */
sweep_device sweep_device_of(const executor *e);

/* Opens the device, here or in a worker. A missing device is TOOL_OK, and sweep_runner_reason then
 * says why it is missing. */
tool_status sweep_runner_begin(sweep_runner *runner, const sweep_settings *settings,
                               const backend_settings *backend, tool_error *error);
void sweep_runner_end(sweep_runner *runner);

/* The reason why no case can be executed, or NULL. */
const char *sweep_runner_reason(const sweep_runner *runner);

sweep_device sweep_runner_device(const sweep_runner *runner);

/*
 * Executes a case. If it took more than one attempt, the record has "attempts", the outcomes in
 * their order, and, if the last attempt passed, "flaky". TOOL_ENVIRONMENT if the device or the
 * worker is gone for good. The caller frees `done` in any case.
 */
tool_status sweep_runner_run(sweep_runner *runner, const char *name, sweep_done *done,
                             tool_error *error);

#endif
