/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_EXECUTOR_H
#define CUMSUM_TOOLS_EXECUTOR_H

#include <pthreadpool.h>
#include <stdint.h>

#include "backend.h"
#include "error.h"
#include "model.h"

/* A pool of so many threads, 0: one for each processor. NULL where they cannot be started, and
 * *error says so. To be given to pthreadpool_destroy. */
pthreadpool_t thread_pool_start(uint32_t threads, tool_error *error);

/* Running the dispatches of a model on the CPU or on a device. */

typedef struct executor {
    const backend_settings *settings;
    backend_choice backend;
    cumsum_kernel kernel;     /* of the CPU */
    struct pthreadpool *pool; /* NULL: no threads */
    backend_device *device;   /* NULL: the CPU, or no device */
    /* Called before and after each execution where it is not NULL. */
    void (*watch)(void *state, bool executing);
    void *watch_state;
    char reason[320]; /* why there is no device; "" where there is, or none is needed */
} executor;

/* Makes the thread pool and checks that the kernel asked for is there, or opens the device.
 * TOOL_ENVIRONMENT where that fails; but a device that is not there is no failure: `reason` then
 * says why, and nothing may be executed. executor_end frees what was made. */
tool_status executor_begin(executor *e, const backend_settings *settings, backend_choice backend,
                           tool_error *error);
void executor_end(executor *e);

/* The reason why nothing can be executed, or NULL. */
const char *executor_reason(const executor *e);

/* Does DirectML accept every dispatchable of the model? TOOL_MALFORMED with the diagnostic
 * otherwise, as it refuses to load the model. */
tool_status executor_check_model(const model *m, cumsum_feature_level level, tool_error *error);

/* Executes. *used receives the kernel that ran, where it is the CPU's; it may be NULL. */
cumsum_status executor_compute(const executor *e, const backend_work *work, cumsum_kernel *used,
                               cumsum_diagnostic *diagnostic);

/* Executes one dispatch command of a checked model. TOOL_NOTHING_RAN with the reason where the
 * backend cannot compute such sums. */
tool_status executor_dispatch(const executor *e, const model *m, const model_command *command,
                              cumsum_kernel *used, tool_error *error);

/* The first byte of a binding. */
unsigned char *binding_bytes(const model_binding *binding);

#endif
