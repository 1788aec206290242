/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_WORKER_H
#define CUMSUM_TOOLS_WORKER_H

#include <json-c/json.h>

#include "child_process.h"
#include "executor.h"
#include "sweep.h"
#include "sweep_case.h"
#include "sweep_state.h"

/* The first and the last line of a sweep's results. */

/* The device, as far as there is one. */
typedef struct sweep_device {
    char name[256]; /* the adapter and its driver; "" for the CPU */
    char adapter[160];
    char driver[160];
} sweep_device;

/* Of an open executor. */
sweep_device sweep_device_of(const executor *e);

/* What the sweep is, and in its member "run" where, when and how it was started: the one member
 * that may be another where a sweep is resumed. selected: how many cases the shard has. */
json_object *sweep_header(const sweep_settings *settings, const backend_settings *backend,
                          const sweep_device *device, const sweep_shard *shard, uint64_t selected);

/* All cases of the shard are done: what they came to, and where the time of this run went. */
json_object *sweep_footer(const sweep_tally *tally, const sweep_times *times);

/* A process that executes cases, and what becomes of one that ends it. */

typedef struct sweep_child {
    const backend_settings *backend;
    accept_choice accept;
    child_process *process; /* NULL: none at present */
    uint64_t cases;         /* that it has had */
    sweep_device device;
    char missing[320]; /* why there is no device; "" */
} sweep_child;

/* Starts a process. TOOL_OK also where there is no device. */
tool_status sweep_child_begin(sweep_child *child, const backend_settings *backend,
                              accept_choice accept, tool_error *error);
void sweep_child_end(sweep_child *child);

/* Has a case executed, by a new process where the last one is gone. TOOL_ENVIRONMENT where there is
 * none any more; otherwise `done` is to be freed. */
tool_status sweep_child_run(sweep_child *child, const char *name, sweep_done *done,
                            tool_error *error);

#endif
