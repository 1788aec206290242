/* SPDX-License-Identifier: MIT */
/*
 * cumsum verify: executes case files on kernels of the CPU and on devices, and compares each output
 * with its expected resource. A target is one kernel or one device. Each target starts from the
 * same contents of the buffers. An expected resource holds the final contents of its buffer, so
 * outputs are compared after all commands have run.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend.h"
#include "buffer_state.h"
#include "commands.h"
#include "executor.h"
#include "memory.h"
#include "order_expect.h"
#include "progress.h"
#include "report.h"
#include "verify_result.h"

/* A kernel or a device. */
typedef struct verify_target {
    executor *executor;
    cumsum_kernel kernel; /* if the executor is the CPU */
    verify_row row;
} verify_target;

typedef struct verify_targets {
    const tool_options *options;
    executor executors[BACKEND_ALL];
    verify_target list[KERNEL_COUNT + BACKEND_ALL];
    size_t count;
} verify_targets;

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
    tool_status status =
        executor_begin(&t->executors[BACKEND_CPU], &t->options->backend, BACKEND_CPU, error);
    if (status != TOOL_OK)
        return status;
    if (!t->options->all_kernels && t->options->backend.backend != BACKEND_ALL) {
        add_kernel(t, t->options->backend.kernel);
        return TOOL_OK;
    }
    for (int i = 0; i < KERNEL_COUNT; i++)
        add_kernel(t, kernel_list[i]);
    return TOOL_OK;
}

static tool_status add_device(verify_targets *t, const report *r, backend_choice backend,
                              tool_error *error) {
    executor *e = &t->executors[backend];
    tool_status status = executor_begin(e, &t->options->backend, backend, error);
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

/* Opens the targets that the options select. A missing device is a target with a reason in its row.
 * verify_targets_end frees all, even after a failure. The targets point to the executors in `t`, so
 * `t` must not move. */
static tool_status verify_targets_begin(verify_targets *t, const tool_options *options,
                                        const report *r, tool_error *error) {
    *t = (verify_targets){.options = options};
    tool_status status = TOOL_OK;
    if (t->options->backend.backend == BACKEND_CPU || t->options->backend.backend == BACKEND_ALL)
        status = add_cpu(t, error);
    for (int i = BACKEND_CPU + 1; i < BACKEND_ALL && status == TOOL_OK; i++)
        if (t->options->backend.backend == (backend_choice)i ||
            (t->options->backend.backend == BACKEND_ALL && i != BACKEND_EXEC))
            status = add_device(t, r, (backend_choice)i, error);
    return status;
}

static void verify_targets_end(verify_targets *t) {
    for (int i = 0; i < BACKEND_ALL; i++)
        executor_end(&t->executors[i]);
}

/* The state of the command over all its case files. */
typedef struct verification {
    const tool_options *options;
    report report;
    verify_targets targets;
    held_order held;    /* --order FILE */
    bool device_failed; /* later files would fail too, so the command ends */
} verification;

/* What the report of a dispatch needs after all commands have run. */
typedef struct dispatch_trace {
    unsigned char *input;
    unsigned char *before;
    cumsum_kernel kernel;
    char *skipped;
    const char *remark;
    uint32_t adapted;
    char adapted_text[ADAPTATION_TEXT];
    bool held; /* the saved order has computed its expected outputs */
} dispatch_trace;

/* A copy of the dispatch's input if it is overwritten before the report shows it; else NULL. */
static unsigned char *keep_input(const case_file *file, size_t index) {
    const case_file_command *c = &file->commands[index];
    if (!c->output.resource->expected || !input_is_overwritten(file, index))
        return NULL;
    return binding_copy(&c->input);
}

/* Replaces the expected outputs by those that the saved order of --order gives, if it applies. */
static void expect_order(verification *v, const case_file_command *command, dispatch_trace *trace) {
    char reason[400];
    const layout output = layout_of(command->dispatchable->op.desc.output_tensor->desc);
    const case_file_resource *expected = command->output.resource->expected;
    if (!v->held.path || !expected)
        return;
    trace->held = order_applies(&v->held, &command->dispatchable->op.desc, reason, sizeof reason);
    if (trace->held) {
        order_expect(&v->held, &command->dispatchable->op.desc, binding_bytes(&command->input),
                     &output, expected->bytes + command->output.offset);
    } else {
        trace->skipped = tool_strdup(reason);
    }
}

static void settle_zeros(const verification *v, const case_file_command *command) {
    const layout output = layout_of(command->dispatchable->op.desc.output_tensor->desc);
    order_settle_zeros(&v->held, &output,
                       command->output.resource->expected->bytes + command->output.offset,
                       binding_bytes(&command->output));
}

/* If a device cannot compute a dispatch, the CPU does, because later dispatches may read the
 * output. */
static tool_status dispatch(const verify_target *target, const case_file *file, size_t index,
                            dispatch_trace *trace, tool_error *error) {
    const case_file_command *command = &file->commands[index];
    trace->input = keep_input(file, index);
    if (target->executor->device && command->output.resource->expected)
        trace->before = binding_copy(&command->output); /* a device may leave it as it is */
    trace->kernel = target->kernel;
    target->executor->kernel = target->kernel;
    tool_status status =
        flushing_concerns(target->executor, command)
            ? flushing_dispatch(target->executor, file, command, &trace->remark, error)
            : executor_dispatch(target->executor, file, command, &trace->kernel, error);
    trace->adapted = executor_adapted(target->executor);
    if (trace->adapted && !trace->remark)
        trace->remark = adaptation_text(trace->adapted, trace->adapted_text);
    if (status != TOOL_SKIPPED)
        return status;
    free(trace->skipped);
    trace->skipped = tool_strdup(error->message);
    const executor cpu = {.settings = target->executor->settings};
    return executor_dispatch(&cpu, file, command, NULL, error);
}

static void report_trace(report *r, const case_file *file, size_t index,
                         const verify_target *target, const dispatch_trace *trace) {
    const bool on_cpu = target->executor->backend == BACKEND_CPU;
    const verify_run run = {.settings = target->executor->settings,
                            .kernel = on_cpu ? cumsum_kernel_name(trace->kernel) : NULL,
                            .backend = on_cpu ? NULL : backend_name(target->executor->backend),
                            .input = trace->input,
                            .before = trace->before,
                            .skipped = trace->skipped,
                            .remark = trace->remark,
                            .adapted = trace->adapted};
    verify_report(r, file, &file->commands[index], &run);
}

/* Executes all dispatches, then reports each. If one fails, nothing is reported. */
static tool_status execute_case_file(verification *v, const verify_target *target, case_file *file,
                                     tool_error *error) {
    dispatch_trace *traces = tool_calloc(file->command_count, sizeof *traces);
    tool_status status = TOOL_OK;
    for (size_t i = 0; i < file->command_count && status == TOOL_OK; i++) {
        if (file->commands[i].type == CASE_FILE_COMMAND_DISPATCH) {
            progress_show(i, file->command_count, file->path);
            expect_order(v, &file->commands[i], &traces[i]);
            status = dispatch(target, file, i, &traces[i], error);
            if (traces[i].held && status == TOOL_OK) {
                settle_zeros(v, &file->commands[i]);
                traces[i].remark = "held to the order of --order";
            }
        }
    }
    for (size_t i = 0; i < file->command_count; i++) {
        if (status == TOOL_OK && file->commands[i].type == CASE_FILE_COMMAND_DISPATCH)
            report_trace(&v->report, file, i, target, &traces[i]);
        free(traces[i].input);
        free(traces[i].before);
        free(traces[i].skipped);
    }
    free(traces);
    return status;
}

static tool_status verify_on(verification *v, verify_target *target, case_file *file,
                             tool_error *error) {
    const report before = v->report;
    tool_status status = TOOL_OK;
    if (!target->row.reason[0])
        status = execute_case_file(v, target, file, error);
    else if (v->targets.count == 1)
        verify_report_no_backend(&v->report, file, &v->options->backend, target->row.name,
                                 target->row.reason);
    target->row.passed += v->report.passed - before.passed;
    target->row.failed += v->report.failed - before.failed;
    target->row.skipped += v->report.skipped - before.skipped;
    /* A process of --exec is started anew. */
    v->device_failed = target->executor->device && status == TOOL_ENVIRONMENT &&
                       target->executor->backend != BACKEND_EXEC;
    return status;
}

static tool_status verify_case_file(verification *v, case_file *file, tool_error *error) {
    tool_status status = executor_check_case_file(file, v->options->backend.level, error);
    if (status != TOOL_OK)
        return status;
    case_file_snapshot start = {0};
    if (v->targets.count > 1)
        start = snapshot_take(file);
    for (size_t i = 0; i < v->targets.count && status == TOOL_OK; i++) {
        if (i)
            snapshot_restore(&start, file);
        status = verify_on(v, &v->targets.list[i], file, error);
    }
    snapshot_free(&start);
    return status;
}

static void verify_file(verification *v, size_t index) {
    case_file *file;
    tool_error error;
    tool_status status = command_read_case_file(v->options, index, &file, &error);
    if (status == TOOL_OK) {
        status = verify_case_file(v, file, &error);
        case_file_free(file);
    }
    if (status != TOOL_OK)
        report_error(&v->report, status, command_case_file_path(v->options, index), error.message);
}

static void show_rows(const verification *v) {
    const bool mixed = v->options->backend.backend == BACKEND_ALL;
    for (size_t i = 0; i < v->targets.count && v->targets.count > 1; i++) {
        const verify_row *row = &v->targets.list[i].row;
        verify_show_row(&v->report, row, i ? NULL : mixed ? "" : row->kind);
    }
}

tool_status command_verify(const tool_options *options) {
    verification v = {.options = options};
    tool_error error;
    const tool_status usage = command_check_case_files(options);
    if (usage != TOOL_OK)
        return usage;
    const size_t count = command_case_file_count(options);
    tool_status status = report_begin(&v.report, &options->report, &error);
    if (status == TOOL_OK)
        status = held_order_begin(&v.held, options->order_file, &error);
    if (status == TOOL_OK)
        status = verify_targets_begin(&v.targets, options, &v.report, &error);
    if (status != TOOL_OK) {
        report_error(&v.report, status, NULL, error.message);
    } else {
        for (size_t i = 0; i < count && !v.device_failed; i++) {
            progress_files(i, count);
            verify_file(&v, i);
        }
        show_rows(&v);
    }
    verify_targets_end(&v.targets);
    held_order_end(&v.held);
    return report_end(&v.report);
}
