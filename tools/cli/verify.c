/* SPDX-License-Identifier: MIT */
/*
 * cumsum verify: executes case files on kernels of the CPU and on devices, and compares each output
 * with its expected resource. A target is one kernel or one device. Each target starts from the
 * same contents of the buffers. An expected resource holds the final contents of its buffer, so
 * outputs are compared after all commands have run.
 */
#include "verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend.h"
#include "case_file.h"
#include "commands.h"
#include "compare.h"
#include "executor.h"
#include "memory.h"
#include "report.h"

/* The state of the command over all its case files. */
typedef struct verification {
    const tool_options *options;
    report *report;
    executor executors[BACKEND_ALL];
    verify_target targets[KERNEL_COUNT + BACKEND_ALL]; /* they point to the executors */
    size_t target_count;
    size_t next;        /* the target of the case file that is read next */
    bool device_failed; /* later files would fail too, so the command ends */
} verification;

static verify_target *add_target(verification *v, backend_choice backend, const char *kind,
                                 const char *name, const char *reason) {
    verify_target *target = &v->targets[v->target_count++];
    *target = (verify_target){.executor = &v->executors[backend], .kind = kind, .name = name};
    strncat(target->reason, reason, sizeof target->reason - 1);
    return target;
}

static void add_kernels(verification *v) {
    const backend_settings *settings = &v->options->backend;
    const bool all = settings->all_kernels || settings->backend == BACKEND_ALL;
    for (int i = 0; i < (all ? KERNEL_COUNT : 1); i++) {
        const cumsum_kernel kernel = all ? kernel_list[i] : settings->kernel;
        const char *reason = "";
        (void)cumsum_kernel_available(kernel, &reason);
        add_target(v, BACKEND_CPU, "kernel", cumsum_kernel_name(kernel), reason)->kernel = kernel;
    }
}

/* Names the device of the dispatches that follow, unless --quiet is given. */
static void show_device(const report *r, const char *backend, const char *device) {
    if (r->settings->json) {
        json_object *object = report_event("device");
        fields_text(object, "backend", backend);
        fields_text(object, "device", device);
        report_json_line(object);
    } else if (!r->settings->quiet) {
        text_show(stdout, "backend %s on %s\n", backend, device);
    }
}

/* A missing device is a target with a reason. */
static void add_device(verification *v, backend_choice backend) {
    const executor *e = &v->executors[backend];
    const char *name = backend_name(backend);
    verify_target *target = add_target(v, backend, "backend", name, e->reason);
    if (e->device) {
        target->device = e->device->name;
        show_device(v->report, name, target->device);
    }
}

/* Opens what the options select. */
static tool_status open_targets(verification *v, tool_error *error) {
    const backend_settings *settings = &v->options->backend;
    tool_status status = TOOL_OK;
    for (int i = BACKEND_CPU; i < BACKEND_ALL && status == TOOL_OK; i++) {
        const backend_choice backend = (backend_choice)i;
        if (settings->backend != backend &&
            (settings->backend != BACKEND_ALL || backend == BACKEND_EXEC))
            continue;
        status = executor_open(&v->executors[i], settings, backend, error);
        if (status == TOOL_OK && backend == BACKEND_CPU)
            add_kernels(v);
        else if (status == TOOL_OK)
            add_device(v, backend);
    }
    return status;
}

bool flushing_concerns(const executor *e, const case_file_command *command) {
    const case_file_dispatchable *d = command->dispatchable;
    return e->device && e->device->flushes_denormals &&
           d->op.output.buffer.data_type == CUMSUM_DATA_TYPE_FLOAT32 &&
           backend_numerics(e->settings, d->numerics).denormals == CUMSUM_DENORMALS_PRESERVE;
}

static void put_back(const case_file_command *command, const unsigned char *copy) {
    memcpy(binding_bytes(&command->output), copy, command->output.size);
}

/* A copy of the output that the CPU computes. The output itself, which may also be the input, keeps
 * its contents. NULL with an error if the CPU fails. The caller frees it. */
static unsigned char *on_cpu(const executor *e, const case_file *file,
                             const case_file_command *command, const cumsum_segments *segments,
                             cumsum_denormals denormals, tool_error *error) {
    backend_settings settings = *e->settings;
    settings.numerics = backend_numerics(&settings, command->dispatchable->numerics);
    settings.numerics.denormals = denormals;
    settings.has_numerics = true;
    const executor cpu = {.settings = &settings};
    unsigned char *before = binding_copy(&command->output);
    tool_status status = executor_dispatch(&cpu, file, command, segments, NULL, error);
    unsigned char *after = status == TOOL_OK ? binding_copy(&command->output) : NULL;
    put_back(command, before);
    free(before);
    return after;
}

static bool same_output(const case_file_command *command, const unsigned char *a,
                        const unsigned char *b) {
    const layout tensor = layout_of(&command->dispatchable->op.output.buffer);
    return compare_tensors(&tensor, a, b).differing == 0;
}

tool_status flushing_dispatch(const executor *e, const case_file *file,
                              const case_file_command *command, const cumsum_segments *segments,
                              const char **remark, tool_error *error) {
    unsigned char *kept = on_cpu(e, file, command, segments, CUMSUM_DENORMALS_PRESERVE, error);
    unsigned char *flushed =
        kept ? on_cpu(e, file, command, segments, CUMSUM_DENORMALS_FLUSH, error) : NULL;
    *remark = NULL;
    tool_status status =
        flushed ? executor_dispatch(e, file, command, segments, NULL, error) : TOOL_ENVIRONMENT;
    if (status == TOOL_OK && !same_output(command, kept, flushed) &&
        same_output(command, flushed, binding_bytes(&command->output))) {
        put_back(command, kept);
        *remark = "as with denormals flush: this device does not keep subnormals";
    }
    free(kept);
    free(flushed);
    return status;
}

/* A copy of the dispatch's input if it is overwritten before the report shows it; else NULL. */
static unsigned char *keep_input(const case_file *file, size_t index) {
    const case_file_command *c = &file->commands[index];
    if (!c->output.resource->expected || !input_is_overwritten(file, index))
        return NULL;
    return binding_copy(&c->input);
}

/* A dispatch that has not been executed. */
static verify_run new_run(const verification *v, const verify_target *target, const case_file *file,
                          const case_file_command *command) {
    const bool on_cpu = target->executor->backend == BACKEND_CPU;
    return (verify_run){.file = file,
                        .command = command,
                        .numerics =
                            backend_numerics(&v->options->backend, command->dispatchable->numerics),
                        .backend = on_cpu ? NULL : target->name,
                        .accept = v->options->accept};
}

/* If a device cannot compute a dispatch, the CPU does, because later dispatches may read the
 * output. */
static tool_status execute_dispatch(const verify_target *target, const tool_options *options,
                                    size_t index, verify_run *run, tool_error *error) {
    executor *e = target->executor;
    cumsum_kernel kernel = target->kernel;
    tool_status status = segments_read(options, &run->command->dispatchable->op.desc,
                                       run->file->complex_parts, &run->cut, error);
    if (status != TOOL_OK)
        return status;
    run->input = keep_input(run->file, index);
    if (e->device && run->command->output.resource->expected)
        run->before = binding_copy(&run->command->output); /* a device may leave it as it is */
    e->kernel = target->kernel;
    status = flushing_concerns(e, run->command)
                 ? flushing_dispatch(e, run->file, run->command, run->cut, &run->remark, error)
                 : executor_dispatch(e, run->file, run->command, run->cut, &kernel, error);
    run->kernel = run->backend ? NULL : cumsum_kernel_name(kernel);
    run->adapted = executor_adapted(e);
    if (status == TOOL_SKIPPED) {
        const executor cpu = {.settings = e->settings};
        free(run->skipped);
        run->skipped = tool_strdup(error->message);
        status = executor_dispatch(&cpu, run->file, run->command, run->cut, NULL, error);
    }
    return status;
}

/* Executes all dispatches, then reports each. If one fails, nothing is reported. */
static tool_status execute_case_file(verification *v, const verify_target *target, case_file *file,
                                     tool_error *error) {
    verify_run *runs = tool_calloc(file->command_count, sizeof *runs);
    tool_status status = TOOL_OK;
    for (size_t i = 0; i < file->command_count && status == TOOL_OK; i++) {
        if (file->commands[i].type == CASE_FILE_COMMAND_DISPATCH) {
            progress_show(i, file->command_count, file->path);
            runs[i] = new_run(v, target, file, &file->commands[i]);
            status = execute_dispatch(target, v->options, i, &runs[i], error);
        }
    }
    for (size_t i = 0; i < file->command_count; i++) {
        char adapted[ADAPTATION_TEXT];
        if (runs[i].adapted && !runs[i].remark)
            runs[i].remark = adaptation_text(runs[i].adapted, adapted);
        if (status == TOOL_OK && runs[i].command)
            verify_report(v->report, &runs[i]);
        free(runs[i].input);
        free(runs[i].before);
        free(runs[i].skipped);
        segments_free(runs[i].cut);
    }
    free(runs);
    return status;
}

/* Reports every dispatch as skipped: there is no such device. */
static void report_missing_device(verification *v, verify_target *target, const case_file *file) {
    for (size_t i = 0; i < file->command_count; i++) {
        if (file->commands[i].type == CASE_FILE_COMMAND_DISPATCH) {
            verify_run run = new_run(v, target, file, &file->commands[i]);
            run.skipped = target->reason;
            verify_report(v->report, &run);
        }
    }
}

static tool_status verify_on(verification *v, verify_target *target, case_file *file,
                             tool_error *error) {
    const report before = *v->report;
    tool_status status = TOOL_OK;
    if (!target->reason[0])
        status = execute_case_file(v, target, file, error);
    else if (v->target_count == 1)
        report_missing_device(v, target, file);
    target->passed += v->report->passed - before.passed;
    target->failed += v->report->failed - before.failed;
    target->skipped += v->report->skipped - before.skipped;
    /* A process of --exec is started anew. */
    v->device_failed = target->executor->device && status == TOOL_ENVIRONMENT &&
                       target->executor->backend != BACKEND_EXEC;
    return status;
}

/* Each target gets a case file that was just read. */
static tool_status verify_case_file(void *state, case_file *file, tool_error *error) {
    verification *v = state;
    verify_target *target = &v->targets[v->next];
    tool_status status = executor_check_case_file(file, error);
    if (status == TOOL_OK)
        status = verify_on(v, target, file, error);
    v->next = status == TOOL_OK ? (v->next + 1) % v->target_count : 0;
    return status;
}

static void show_rows(const verification *v) {
    const bool mixed = v->options->backend.backend == BACKEND_ALL;
    for (size_t i = 0; i < v->target_count && v->target_count > 1; i++) {
        const verify_target *row = &v->targets[i];
        verify_show_row(v->report, row, i ? NULL : mixed ? "" : row->kind);
    }
}

tool_status command_verify(const tool_options *options, report *r, tool_error *error) {
    verification v = {.options = options, .report = r};
    const tool_status status = open_targets(&v, error);
    if (status == TOOL_OK) {
        command_each_case_file(options, r, v.target_count, verify_case_file, &v, &v.device_failed);
        show_rows(&v);
    }
    for (int i = 0; i < BACKEND_ALL; i++)
        executor_close(&v.executors[i]);
    return status;
}
