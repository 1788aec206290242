/* SPDX-License-Identifier: MIT */
#include "executor.h"

#include <inttypes.h>
#include <pthreadpool.h>

#include "backends.h"
#include "buffer_state.h"
#include "layout.h"

/* Bits that DML_EXECUTION_FLAGS defines. */
#define KNOWN_EXECUTION_FLAGS 7u

tool_status executor_begin(executor *e, const tool_options *options, tool_error *error) {
    const char *reason = "";
    *e = (executor){.options = options, .kernel = options->kernel};
    if (!cumsum_kernel_available(options->kernel, &reason)) {
        return tool_fail(error, TOOL_ENVIRONMENT, "kernel %s is not available: %s",
                         cumsum_kernel_name(options->kernel), reason);
    }
    if (options->threads != 1) {
        e->pool = pthreadpool_create(options->threads);
        if (!e->pool) {
            return tool_fail(error, TOOL_ENVIRONMENT, "cannot start %u threads", options->threads);
        }
    }
    return TOOL_OK;
}

void executor_end(executor *e) {
    if (e->pool) {
        pthreadpool_destroy(e->pool);
        e->pool = NULL;
    }
}

tool_status executor_check_model(const model *m, cumsum_feature_level level, tool_error *error) {
    for (size_t i = 0; i < m->dispatchable_count; i++) {
        const model_dispatchable *d = &m->dispatchables[i];
        cumsum_diagnostic diagnostic;
        if (cumsum_validate(&d->op.desc, level, &diagnostic) != CUMSUM_OK) {
            return tool_fail(error, TOOL_MALFORMED, "%s: dispatchable '%s': %s", m->path, d->name,
                             diagnostic.message);
        }
        if (d->execution_flags > KNOWN_EXECUTION_FLAGS) {
            return tool_fail(error, TOOL_MALFORMED,
                             "%s: dispatchable '%s': executionFlags is %u; the rule: 0 to %u",
                             m->path, d->name, d->execution_flags, KNOWN_EXECUTION_FLAGS);
        }
    }
    return TOOL_OK;
}

unsigned char *binding_bytes(const model_binding *binding) {
    return binding->resource->bytes + binding->offset;
}

/* The library knows addresses; the model has names and offsets for the same thing. */
static tool_status explain_overlap(const model *m, const model_command *command,
                                   tool_error *error) {
    layout in = layout_of(command->dispatchable->op.desc.input_tensor->desc);
    layout out = layout_of(command->dispatchable->op.desc.output_tensor->desc);
    return tool_fail(error, TOOL_MALFORMED,
                     "%s: dispatch of '%s': the input (bytes %" PRIu64 " to %" PRIu64
                     " of '%s') and the output (bytes %" PRIu64 " to %" PRIu64
                     ") overlap; the rule: apart, or in the same place with the same sizes, "
                     "strides and total size",
                     m->path, command->dispatchable->name, command->input.offset,
                     command->input.offset + in.extent_in_bytes - 1, command->input.resource->name,
                     command->output.offset, command->output.offset + out.extent_in_bytes - 1);
}

/* A binding that does not fit is the model's fault; what this machine lacks is the environment's.
 */
static tool_status explain(const model *m, const model_command *command, cumsum_status status,
                           const cumsum_diagnostic *diagnostic, tool_error *error) {
    if (status == CUMSUM_INVALID_BINDING && input_overlaps_output(command, command)) {
        return explain_overlap(m, command, error);
    }
    tool_status ours = status == CUMSUM_INVALID_BINDING || status == CUMSUM_INVALID_DESCRIPTOR
                           ? TOOL_MALFORMED
                           : TOOL_ENVIRONMENT;
    return tool_fail(error, ours, "%s: dispatch of '%s': %s", m->path, command->dispatchable->name,
                     diagnostic->message[0] ? diagnostic->message : cumsum_status_string(status));
}

tool_status executor_dispatch(const executor *e, const model *m, const model_command *command,
                              cumsum_kernel *used, tool_error *error) {
    const model_dispatchable *d = command->dispatchable;
    cumsum_plan_options options = {.numerics = options_numerics(e->options, d->numerics),
                                   .kernel = e->kernel,
                                   .feature_level = e->options->level,
                                   .thread_pool = e->pool};
    cumsum_diagnostic diagnostic = {0};
    cumsum_plan *plan;
    cumsum_status status = cumsum_plan_create(&d->op.desc, &options, &plan, &diagnostic);
    if (status == CUMSUM_OK) {
        if (used) {
            *used = cumsum_plan_kernel(plan);
        }
        status =
            cumsum_plan_execute(plan, binding_bytes(&command->input), command->input.size,
                                binding_bytes(&command->output), command->output.size, &diagnostic);
        cumsum_plan_destroy(plan);
    }
    return status == CUMSUM_OK ? TOOL_OK : explain(m, command, status, &diagnostic, error);
}
