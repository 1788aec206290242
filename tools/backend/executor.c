/* SPDX-License-Identifier: MIT */
/* Executes dispatches on the CPU or a device, and turns the library's errors into the tool's. */
#include "executor.h"

#include <inttypes.h>
#include <pthreadpool.h>
#include <stdio.h>
#include <string.h>

#include "backend.h"
#include "case_file.h"
#include "file.h"
#include "layout.h"
#include "memory.h"
#include "pool_start.h"

pthreadpool_t thread_pool_open(uint32_t threads, tool_error *error) {
    pthreadpool_t pool = NULL;
    char why[POOL_MESSAGE_SIZE];
    if (pool_start(threads, &pool, why) != 0)
        tool_fail(error, TOOL_ENVIRONMENT, "%s", why);
    return pool;
}

void thread_pool_close(pthreadpool_t pool) {
    if (pool)
        pthreadpool_destroy(pool);
}

/* Bits that DML_EXECUTION_FLAGS defines. */
#define KNOWN_EXECUTION_FLAGS 7u

const char *diagnostic_text(cumsum_status status, const cumsum_diagnostic *diagnostic) {
    return diagnostic->message[0] ? diagnostic->message : cumsum_status_string(status);
}

tool_status library_fail(tool_error *error, cumsum_status status, const char *path,
                         const cumsum_diagnostic *diagnostic) {
    return tool_fail(error, status == CUMSUM_OUT_OF_MEMORY ? TOOL_ENVIRONMENT : TOOL_MALFORMED,
                     "%.400s: %s", path, diagnostic_text(status, diagnostic));
}

static tool_status begin_cpu(executor *e, tool_error *error) {
    const backend_settings *settings = e->settings;
    const char *reason = "";
    if (!cumsum_kernel_available(settings->kernel, &reason)) {
        return tool_fail(error, TOOL_ENVIRONMENT, "kernel %s is not available: %s",
                         cumsum_kernel_name(settings->kernel), reason);
    }
    if (settings->threads != 1) {
        e->pool = thread_pool_open(settings->threads, error);
        return e->pool ? TOOL_OK : TOOL_ENVIRONMENT;
    }
    return TOOL_OK;
}

/* NULL for backends that this build lacks. */
static const backend_methods *methods_of(backend_choice backend) {
    if (backend == BACKEND_EXEC)
        return &backend_exec;
#ifdef CUMSUM_TOOL_D3D12
    if (backend == BACKEND_D3D12)
        return &backend_d3d12;
    if (backend == BACKEND_DIRECTML)
        return &backend_directml;
#endif
#ifdef CUMSUM_TOOL_CUDA
    if (backend == BACKEND_CUDA)
        return &backend_cuda;
#endif
    return NULL;
}

static tool_status begin_device(executor *e, tool_error *error) {
    const bool isolated = e->settings->isolated;
    const backend_methods *methods = isolated ? &backend_exec : methods_of(e->backend);
    cumsum_diagnostic diagnostic = {0};
    if (!methods) {
        snprintf(e->reason, sizeof e->reason, "this build has none");
        return TOOL_OK;
    }
    cumsum_status status = methods->open(e->settings, &e->device, &diagnostic);
    if (status == CUMSUM_OK)
        return TOOL_OK;
    if (status == CUMSUM_NO_DEVICE) {
        snprintf(e->reason, sizeof e->reason, "%s", diagnostic_text(status, &diagnostic));
        return TOOL_OK;
    }
    if (isolated) /* its process has named the backend */
        return tool_fail(error, TOOL_ENVIRONMENT, "%s", diagnostic_text(status, &diagnostic));
    return tool_fail(error, TOOL_ENVIRONMENT, "backend %s: %s", backend_name(e->backend),
                     diagnostic_text(status, &diagnostic));
}

tool_status executor_open(executor *e, const backend_settings *settings, backend_choice backend,
                          tool_error *error) {
    *e = (executor){.settings = settings, .backend = backend, .kernel = settings->kernel};
    return backend == BACKEND_CPU && !settings->isolated ? begin_cpu(e, error)
                                                         : begin_device(e, error);
}

void executor_close(executor *e) {
    thread_pool_close(e->pool);
    if (e->device)
        e->device->methods->close(e->device);
    e->pool = NULL;
    e->device = NULL;
}

tool_status executor_reopen(executor *e, tool_error *error) {
    const bool any_order = e->any_order;
    executor_close(e);
    const tool_status status = executor_open(e, e->settings, e->backend, error);
    e->any_order = any_order;
    return status == TOOL_OK && executor_reason(e)
               ? tool_fail(error, TOOL_ENVIRONMENT, "%s", executor_reason(e))
               : status;
}

const char *executor_reason(const executor *e) {
    return e->reason[0] ? e->reason : NULL;
}

bool executor_accepts(const cumsum_operator_desc *desc, uint32_t execution_flags,
                      cumsum_feature_level level, cumsum_diagnostic *why) {
    why->message[0] = '\0';
    if (cumsum_validate(desc, level, why) != CUMSUM_OK)
        return false;
    if (execution_flags > KNOWN_EXECUTION_FLAGS)
        snprintf(why->message, sizeof why->message, "executionFlags is %u; the rule: 0 to %u",
                 execution_flags, KNOWN_EXECUTION_FLAGS);
    return execution_flags <= KNOWN_EXECUTION_FLAGS;
}

tool_status executor_check_case_file(const case_file *file, tool_error *error) {
    cumsum_diagnostic why;
    for (size_t i = 0; i < file->dispatchable_count; i++) {
        const case_file_dispatchable *d = &file->dispatchables[i];
        if (!executor_accepts(&d->op.desc, d->execution_flags, CUMSUM_FEATURE_LEVEL_DEFAULT, &why))
            return tool_fail(error, TOOL_MALFORMED, "%s: dispatchable '%s': %s", file->path,
                             d->name, why.message);
    }
    return TOOL_OK;
}

unsigned char *binding_bytes(const case_file_binding *binding) {
    return binding->resource->bytes + binding->offset;
}

unsigned char *binding_copy(const case_file_binding *binding) {
    unsigned char *copy = tool_malloc(binding->size);
    memcpy(copy, binding_bytes(binding), binding->size);
    return copy;
}

/* The library's message has addresses; this one has the names and offsets of the case file. */
static tool_status explain_overlap(const case_file *file, const case_file_command *command,
                                   tool_error *error) {
    layout in = layout_of(command->dispatchable->op.desc.input_tensor->desc);
    layout out = layout_of(command->dispatchable->op.desc.output_tensor->desc);
    return tool_fail(error, TOOL_MALFORMED,
                     "%s: dispatch of '%s': the input (bytes %" PRIu64 " to %" PRIu64
                     " of '%s') and the output (bytes %" PRIu64 " to %" PRIu64
                     ") overlap; the rule: apart, or in the same place with the same sizes, "
                     "strides and total size",
                     file->path, command->dispatchable->name, command->input.offset,
                     command->input.offset + in.extent_in_bytes - 1, command->input.resource->name,
                     command->output.offset, command->output.offset + out.extent_in_bytes - 1);
}

static cumsum_status compute_on_cpu(const executor *e, const backend_work *w, cumsum_kernel *used,
                                    cumsum_diagnostic *diagnostic) {
    cumsum_plan_options options = {.numerics = w->numerics,
                                   .kernel = e->kernel,
                                   .feature_level = w->level,
                                   .thread_pool = e->pool};
    cumsum_plan *plan;
    cumsum_status status = cumsum_plan_create(w->desc, &options, &plan, diagnostic);
    if (status == CUMSUM_OK) {
        if (used)
            *used = cumsum_plan_kernel(plan);
        status = w->segments
                     ? cumsum_execute_segments(plan, w->segments, w->input, w->input_in_bytes,
                                               w->output, w->output_in_bytes, diagnostic)
                     : cumsum_plan_execute(plan, w->input, w->input_in_bytes, w->output,
                                           w->output_in_bytes, diagnostic);
        cumsum_plan_destroy(plan);
    }
    return status;
}

cumsum_status executor_compute(const executor *e, const backend_work *work, cumsum_kernel *used,
                               cumsum_diagnostic *diagnostic) {
    return e->device ? e->device->methods->execute(e->device, work, diagnostic)
                     : compute_on_cpu(e, work, used, diagnostic);
}

cumsum_status executor_totals(const executor *e, const cumsum_buffer_tensor_desc *input,
                              uint32_t axes, const void *from, void *totals,
                              cumsum_diagnostic *diagnostic) {
    uint32_t sizes[CUMSUM_MAX_DIMENSIONS];
    cumsum_buffer_tensor_desc output = *input;
    for (uint32_t d = 0; d < input->dimension_count; d++)
        sizes[d] = axes >> d & 1 ? 1 : input->sizes[d];
    output.sizes = sizes;
    const cumsum_tensor_desc tensors[2] = {{CUMSUM_TENSOR_TYPE_BUFFER, input},
                                           {CUMSUM_TENSOR_TYPE_BUFFER, &output}};
    const cumsum_operator_desc desc = {.input_tensor = &tensors[0], .output_tensor = &tensors[1]};
    const backend_work work = {.desc = &desc,
                               .total_axes = axes,
                               .input = from,
                               .input_in_bytes = layout_of(input).extent_in_bytes,
                               .output = totals,
                               .output_in_bytes = layout_of(&output).extent_in_bytes};
    return executor_compute(e, &work, NULL, diagnostic);
}

uint32_t executor_adapted(const executor *e) {
    const uint32_t adapted = e->device ? e->device->adapted : 0;
    if (e->device)
        e->device->adapted = 0;
    return adapted;
}

/* A wrong binding is an error of the file. Unsupported operations are skips, not errors. All other
 * failures are the environment's. */
static tool_status explain_failure(const executor *e, const case_file *file,
                                   const case_file_command *command, cumsum_status status,
                                   const cumsum_diagnostic *diagnostic, tool_error *error) {
    if (status == CUMSUM_INVALID_BINDING && input_overlaps_output(command, command))
        return explain_overlap(file, command, error);
    if (status == CUMSUM_UNSUPPORTED && e->device)
        return tool_fail(error, TOOL_SKIPPED, "%s", diagnostic_text(status, diagnostic));
    tool_status ours = status == CUMSUM_INVALID_BINDING || status == CUMSUM_INVALID_DESCRIPTOR ||
                               status == CUMSUM_UNSUPPORTED
                           ? TOOL_MALFORMED
                           : TOOL_ENVIRONMENT;
    return tool_fail(error, ours, "%s: dispatch of '%s': %s", file->path,
                     command->dispatchable->name, diagnostic_text(status, diagnostic));
}

tool_status executor_dispatch(const executor *e, const case_file *file,
                              const case_file_command *command, const cumsum_segments *segments,
                              cumsum_kernel *used, tool_error *error) {
    const case_file_dispatchable *d = command->dispatchable;
    const backend_work work = {.desc = &d->op.desc,
                               .numerics = backend_numerics(e->settings, d->numerics),
                               .level = CUMSUM_FEATURE_LEVEL_DEFAULT,
                               .execution_flags = d->execution_flags,
                               .segments = segments,
                               .input = binding_bytes(&command->input),
                               .input_in_bytes = command->input.size,
                               .output = binding_bytes(&command->output),
                               .output_in_bytes = command->output.size};
    cumsum_diagnostic diagnostic = {0};
    cumsum_status status = executor_compute(e, &work, used, &diagnostic);
    return status == CUMSUM_OK ? file_check_maps(error)
                               : explain_failure(e, file, command, status, &diagnostic, error);
}
