/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_EXECUTOR_H
#define CUMSUM_TOOLS_EXECUTOR_H

/* Running the dispatches of a model on the CPU. */

#include "model.h"
#include "options.h"

typedef struct executor {
    const tool_options *options;
    cumsum_kernel kernel;
    struct pthreadpool *pool; /* NULL: no threads */
} executor;

/* Makes the thread pool, and checks that the kernel asked for is there. TOOL_ENVIRONMENT where it
 * is not. executor_end frees the pool. */
tool_status executor_begin(executor *e, const tool_options *options, tool_error *error);
void executor_end(executor *e);

/* Does DirectML accept every dispatchable of the model? TOOL_MALFORMED with the diagnostic
 * otherwise, as it refuses to load the model. */
tool_status executor_check_model(const model *m, cumsum_feature_level level, tool_error *error);

/* Executes one dispatch command of a checked model. *used receives the kernel that ran; it may be
 * NULL. */
tool_status executor_dispatch(const executor *e, const model *m, const model_command *command,
                              cumsum_kernel *used, tool_error *error);

/* The first byte of a binding. */
unsigned char *binding_bytes(const model_binding *binding);

#endif
