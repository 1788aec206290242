/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_SWEEP_CHILD_H
#define CUMSUM_TOOLS_SWEEP_CHILD_H

/* A process that executes cases, and what becomes of one that ends it. */

#include "child_process.h"
#include "sweep_done.h"
#include "sweep_header.h"

typedef struct sweep_child {
    const tool_options *options;
    child_process *process; /* NULL: none at present */
    uint64_t cases;         /* that it has had */
    sweep_device device;
    char missing[320]; /* why there is no device; "" */
} sweep_child;

/* Starts a process. TOOL_OK also where there is no device. */
tool_status sweep_child_begin(sweep_child *child, const tool_options *options, tool_error *error);
void sweep_child_end(sweep_child *child);

/* Has a case executed, by a new process where the last one is gone. TOOL_ENVIRONMENT where there is
 * none any more; otherwise `done` is to be freed. */
tool_status sweep_child_run(sweep_child *child, const char *name, sweep_done *done,
                            tool_error *error);

#endif
