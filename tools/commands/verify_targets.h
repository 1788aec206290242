/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_VERIFY_TARGETS_H
#define CUMSUM_TOOLS_VERIFY_TARGETS_H

/* What `verify` executes on: kernels of the CPU, devices of the other backends. */

#include "executor.h"
#include "verify_result.h"

/* One way to execute. */
typedef struct verify_target {
    executor *executor;
    cumsum_kernel kernel; /* of the CPU */
    verify_row row;
} verify_target;

typedef struct verify_targets {
    const tool_options *options;
    executor executors[BACKEND_COUNT];
    verify_target list[KERNEL_COUNT + BACKEND_COUNT];
    size_t count;
} verify_targets;

/* What the options of the report ask for. A device that is not there is a target with a reason in
 * its row. verify_targets_end frees all, also after a failure. The targets must stay where they
 * are. */
tool_status verify_targets_begin(verify_targets *t, const report *r, tool_error *error);
void verify_targets_end(verify_targets *t);

#endif
