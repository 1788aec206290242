/* SPDX-License-Identifier: MIT */
#include "verify_targets.h"

#include <stdio.h>
#include <string.h>

#include "backends.h"

static void add_kernel(verify_targets *t, cumsum_kernel kernel) {
    verify_target *target = &t->list[t->count++];
    const char *reason = NULL;
    *target = (verify_target){.executor = &t->executors[BACKEND_CPU],
                              .kernel = kernel,
                              .row = {.kind = "kernel", .name = cumsum_kernel_name(kernel)}};
    if (!cumsum_kernel_available(kernel, &reason))
        snprintf(target->row.reason, sizeof target->row.reason, "%s", reason);
}

static tool_status add_cpu(verify_targets *t, tool_error *error) {
    tool_status status = executor_begin(&t->executors[BACKEND_CPU], t->options, BACKEND_CPU, error);
    if (status != TOOL_OK)
        return status;
    if (!t->options->all_kernels && t->options->backend != BACKEND_ALL) {
        add_kernel(t, t->options->kernel);
        return TOOL_OK;
    }
    for (int i = 0; i < KERNEL_COUNT; i++)
        add_kernel(t, kernel_list[i]);
    return TOOL_OK;
}

static tool_status add_device(verify_targets *t, const report *r, backend_choice backend,
                              tool_error *error) {
    executor *e = &t->executors[backend];
    tool_status status = executor_begin(e, t->options, backend, error);
    if (status != TOOL_OK)
        return status;
    verify_target *target = &t->list[t->count++];
    *target = (verify_target){.executor = e,
                              .row = {.kind = "backend",
                                      .name = backend_name(backend),
                                      .device = e->device ? e->device->name : NULL}};
    memcpy(target->row.reason, e->reason, sizeof e->reason);
    if (e->device)
        verify_show_device(r, backend_name(backend), e->device->name);
    return TOOL_OK;
}

tool_status verify_targets_begin(verify_targets *t, const report *r, tool_error *error) {
    *t = (verify_targets){.options = r->options};
    tool_status status = TOOL_OK;
    if (t->options->backend == BACKEND_CPU || t->options->backend == BACKEND_ALL)
        status = add_cpu(t, error);
    for (int i = BACKEND_CPU + 1; i < BACKEND_COUNT && status == TOOL_OK; i++)
        if (t->options->backend == (backend_choice)i || t->options->backend == BACKEND_ALL)
            status = add_device(t, r, (backend_choice)i, error);
    return status;
}

void verify_targets_end(verify_targets *t) {
    for (int i = 0; i < BACKEND_COUNT; i++)
        executor_end(&t->executors[i]);
}
