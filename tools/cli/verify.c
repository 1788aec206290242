/* SPDX-License-Identifier: MIT */
/*
 * cumsum verify: executes case files on kernels of the CPU and on devices, and compares each output
 * with its expected resource. A target is one kernel or one device. Each target starts from the
 * same contents of the buffers. An expected resource holds the final contents of its buffer, so
 * outputs are compared after all commands have run.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend.h"
#include "case_file.h"
#include "commands.h"
#include "compare.h"
#include "executor.h"
#include "judged_output.h"
#include "memory.h"
#include "report.h"
#include "segments.h"
#include "text.h"

/* A kernel of the CPU or a device: a row of the table of --backend cpu:all and --backend all. */
typedef struct verify_target {
    executor *executor;
    cumsum_kernel kernel; /* if the executor is the CPU */
    const char *kind;     /* "kernel" or "backend" */
    const char *name;
    const char *reason; /* why it is not available; "" if it is */
    uint64_t passed;
    uint64_t failed;
    uint64_t skipped;
} verify_target;

/* The state of the command over all its case files. */
typedef struct verification {
    const tool_options *options;
    report *report;
    executor executors[BACKEND_ALL];
    verify_target targets[KERNEL_COUNT + BACKEND_ALL]; /* they point to the executors */
    size_t target_count;
    size_t next;           /* the number of the next case file's target */
    const case_file *file; /* the present case file */
    verify_target *target; /* and its target */
    bool device_failed;    /* later files would fail too, so the command ends */
} verification;

/* How a dispatch was executed. */
typedef struct verify_run {
    const case_file_command *command; /* NULL: a command of another kind */
    cumsum_kernel kernel;             /* that ran, if the target is the CPU */
    unsigned char *input;             /* a copy of the input; NULL if it is unchanged */
    unsigned char *before;            /* what the output held before; NULL if that is not known */
    char *skipped;                    /* the reason; NULL if it was executed */
    const char *remark;               /* shown beside the result; NULL if none */
    uint32_t adapted;                 /* bits of backend_adaptation */
    cumsum_segments *cut;             /* how its lines are cut; NULL: they are whole */
} verify_run;

/* ---- what executes ---- */

static verify_target *add_target(verification *v, backend_choice backend, const char *kind,
                                 const char *name, const char *reason) {
    verify_target *target = &v->targets[v->target_count++];
    *target = (verify_target){
        .executor = &v->executors[backend], .kind = kind, .name = name, .reason = reason};
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
    add_target(v, backend, "backend", backend_name(backend), e->reason);
    if (e->device)
        show_device(v->report, backend_name(backend), e->device->name);
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

/* ---- devices that flush subnormals ----
 * Direct3D allows devices to flush FLOAT32 subnormals even if a case asks to keep them, so an
 * output that differs only by flushing passes. */

/* Does the device flush subnormals that this dispatch asks to keep? */
static bool flushing_concerns(const executor *e, const case_file_command *command) {
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

/* executor_dispatch on such a device. If the device's output equals that of the CPU with denormals
 * flush and differs from that of the CPU with denormals preserve, the output receives the latter,
 * so that the comparison passes, and later dispatches read what they would without flushing. The
 * remark says so. */
static tool_status flushing_dispatch(const executor *e, const case_file *file,
                                     const case_file_command *command,
                                     const cumsum_segments *segments, const char **remark,
                                     tool_error *error) {
    unsigned char *kept = on_cpu(e, file, command, segments, CUMSUM_DENORMALS_PRESERVE, error);
    unsigned char *flushed =
        kept ? on_cpu(e, file, command, segments, CUMSUM_DENORMALS_FLUSH, error) : NULL;
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

/* ---- dispatches ---- */

/* A copy of the dispatch's input if it is overwritten before the report shows it; else NULL. */
static unsigned char *keep_input(const case_file *file, size_t index) {
    const case_file_command *c = &file->commands[index];
    if (!c->output.resource->expected || !input_is_overwritten(file, index))
        return NULL;
    return binding_copy(&c->input);
}

/* If a device cannot compute a dispatch, the CPU does, because later dispatches may read the
 * output. */
static tool_status execute_dispatch(const verification *v, size_t index, verify_run *run,
                                    tool_error *error) {
    const case_file *file = v->file;
    const verify_target *target = v->target;
    executor *e = target->executor;
    const case_file_command *command = run->command = &file->commands[index];
    if (target->reason[0]) {
        run->skipped = tool_strdup(target->reason);
        return TOOL_OK;
    }
    tool_status status = segments_read(v->options, &command->dispatchable->op.desc,
                                       file->complex_parts, &run->cut, error);
    if (status != TOOL_OK)
        return status;
    run->input = keep_input(file, index);
    if (e->device && command->output.resource->expected)
        run->before = binding_copy(&command->output); /* a device may leave it as it is */
    e->kernel = target->kernel;
    status = flushing_concerns(e, command)
                 ? flushing_dispatch(e, file, command, run->cut, &run->remark, error)
                 : executor_dispatch(e, file, command, run->cut, &run->kernel, error);
    run->adapted = executor_adapted(e);
    if (status == TOOL_SKIPPED) {
        const executor cpu = {.settings = e->settings};
        run->skipped = tool_strdup(error->message);
        status = executor_dispatch(&cpu, file, command, run->cut, NULL, error);
    }
    return status;
}

/* ---- results ---- */

/* Begins a result with what is known of each dispatch. */
static void begin_comparison(report_record *record, const verification *v, const verify_run *run) {
    const case_file_dispatchable *d = run->command->dispatchable;
    const cumsum_data_type type = d->op.output.buffer.data_type;
    const cumsum_numerics numerics = backend_numerics(&v->options->backend, d->numerics);
    const bool on_cpu = v->target->executor->backend == BACKEND_CPU;
    const char *kind = v->target->kind;
    const char *name = on_cpu ? cumsum_kernel_name(run->kernel) : v->target->name;
    report_record_init(record, "dispatch", v->file->path, d->name);
    FILE *line = record->summary.stream;
    describe_operator(line, &d->op.desc);
    if (run->cut)
        segments_describe(line, run->cut);
    fputs("  ", line);
    describe_numerics(line, type, &numerics);
    fprintf(line, "  %s %s", kind, name);
    fields_operator(record->fields, &d->op.desc);
    fields_numerics(record->fields, type, &numerics);
    fields_text(record->fields, "output", run->command->output.resource->name);
    fields_text(record->fields, kind, name);
}

static void report_skip(verification *v, const verify_run *run, const char *reason) {
    report_record record;
    begin_comparison(&record, v, run);
    text_show(record.summary.stream, "%s%s",
              v->target->executor->backend == BACKEND_CPU ? "  " : ": ", reason);
    fields_text(record.fields, "reason", reason);
    report_result(v->report, &record, RESULT_SKIP);
    report_record_free(&record);
}

/* Writes the oracle's verdict on an output, and what it is instead. actual: the computed output,
 * which has other bits than the expected one. Returns what the dispatch is then. */
static result_status put_verdict(const verification *v, report_record *record,
                                 const verify_run *run, const cumsum_line_view *view, bool actual) {
    const case_file_command *c = run->command;
    const accept_choice accept = v->options->accept;
    judged_output o = {
        .desc = view->desc,
        .input = view->input,
        .input_in_bytes = c->input.size,
        .output = actual ? view->actual : view->expected,
        .output_in_bytes = c->output.size,
        .before = actual ? run->before : NULL,
        .segments = run->cut,
        .options = {.promised = true,
                    .near_order = true,
                    .accept_suspect = accept == ACCEPT_SUSPECT,
                    .numerics = backend_numerics(&v->options->backend, c->dispatchable->numerics)}};
    const cumsum_status status = judged_output_ask(&o, NULL);
    if (status == CUMSUM_OK)
        judged_output_explain(&o);
    char *words =
        status == CUMSUM_OK ? judgement_sentence(&o) : tool_strdup(cumsum_status_string(status));
    fprintf(record->detail.stream, "the oracle on the %s output: %s\n",
            actual ? "actual" : "expected", words);
    free(words);
    if (status != CUMSUM_OK)
        return RESULT_FAIL;
    json_put_member(record->fields, actual ? "judgement" : "expectedJudgement",
                    judgement_object(&o));
    return judgement_status_of_other_bits(&o.judgement, accept);
}

static cumsum_line_view view_of(const verify_run *run) {
    const case_file_command *c = run->command;
    return (cumsum_line_view){
        &c->dispatchable->op.desc, run->input ? run->input : binding_bytes(&c->input),
        c->output.resource->expected->bytes + c->output.offset, binding_bytes(&c->output)};
}

static void report_comparison(verification *v, const verify_run *run) {
    const cumsum_line_view view = view_of(run);
    const layout output = layout_of(view.desc->output_tensor->desc);
    const comparison c = compare_tensors(&output, view.expected, view.actual);
    const char *remark = cumsum_output_may_overlap(view.desc)
                             ? "output elements may share an address: the last line written stays"
                             : run->remark;
    report_record record;
    result_status status = RESULT_PASS;
    begin_comparison(&record, v, run);
    if (remark) {
        fprintf(record.summary.stream, "  %s", remark);
        fields_text(record.fields, "remark", remark);
    }
    comparison_fields(record.fields, &output, &c);
    adaptation_fields(record.fields, run->adapted);
    snprintf(record.headline, sizeof record.headline, "%" PRIu64 " of %" PRIu64 " elements differ",
             c.differing, c.outputs);
    if (c.differing) {
        comparison_explain(record.detail.stream, &c, &view);
        status = put_verdict(v, &record, run, &view, true);
        put_verdict(v, &record, run, &view, false);
    } else if (v->options->report.verbose) {
        fprintf(record.detail.stream, "%" PRIu64 " elements compared\n", c.outputs);
    }
    if (c.differing && status == RESULT_PASS)
        fprintf(record.summary.stream, "  other bits, which --accept %s takes",
                word_of(accept_words, (int)v->options->accept));
    report_result(v->report, &record, status);
    report_record_free(&record);
}

static void report_run(verification *v, const verify_run *run) {
    const case_file_resource *output = run->command->output.resource;
    char reason[256];
    snprintf(reason, sizeof reason, "there is no resource '%s.expected'", output->name);
    if (run->skipped || !output->expected)
        report_skip(v, run, run->skipped ? run->skipped : reason);
    else
        report_comparison(v, run);
}

/* ---- the command ---- */

/* Executes all dispatches, then reports each; all as skipped if there is no such device. If one
 * fails, nothing is reported. */
static tool_status execute_case_file(verification *v, tool_error *error) {
    const case_file *file = v->file;
    verify_run *runs = tool_calloc(file->command_count, sizeof *runs);
    tool_status status = TOOL_OK;
    for (size_t i = 0; i < file->command_count && status == TOOL_OK; i++) {
        if (file->commands[i].type == CASE_FILE_COMMAND_DISPATCH) {
            progress_show(i, file->command_count, file->path);
            status = execute_dispatch(v, i, &runs[i], error);
        }
    }
    for (size_t i = 0; i < file->command_count; i++) {
        char adapted[ADAPTATION_TEXT];
        if (runs[i].adapted && !runs[i].remark)
            runs[i].remark = adaptation_text(runs[i].adapted, adapted);
        if (status == TOOL_OK && runs[i].command)
            report_run(v, &runs[i]);
        free(runs[i].input);
        free(runs[i].before);
        free(runs[i].skipped);
        segments_free(runs[i].cut);
    }
    free(runs);
    return status;
}

static tool_status verify_on_target(verification *v, tool_error *error) {
    const report before = *v->report;
    verify_target *target = v->target;
    tool_status status = TOOL_OK;
    if (!target->reason[0] || v->target_count == 1)
        status = execute_case_file(v, error);
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
    v->file = file;
    v->target = &v->targets[v->next];
    tool_status status = executor_check_case_file(file, error);
    if (status == TOOL_OK)
        status = verify_on_target(v, error);
    v->next = status == TOOL_OK ? (v->next + 1) % v->target_count : 0;
    return status;
}

static void row_json(const verify_target *row) {
    const backend_device *device = row->executor->device;
    json_object *object = report_event(row->kind);
    fields_text(object, row->kind, row->name);
    fields_flag(object, "available", !row->reason[0]);
    if (device)
        fields_text(object, "device", device->name);
    if (row->reason[0]) {
        fields_text(object, "reason", row->reason);
    } else {
        fields_count(object, "passed", row->passed);
        fields_count(object, "failed", row->failed);
        fields_count(object, "skipped", row->skipped);
    }
    report_json_line(object);
}

/* title: the head of the first column; NULL if the table already has its head. */
static void show_row(const verify_target *row, const char *title) {
    if (title)
        printf("%-10s  %10s  %10s  %10s\n", title, "passed", "failed", "skipped");
    printf("%-10s  ", row->name);
    if (row->reason[0])
        text_show(stdout, "not available: %s", row->reason);
    else
        printf("%10" PRIu64 "  %10" PRIu64 "  %10" PRIu64, row->passed, row->failed, row->skipped);
    if (row->executor->device)
        text_show(stdout, "  on %s", row->executor->device->name);
    putchar('\n');
}

static void show_rows(const verification *v) {
    const report_settings *settings = &v->options->report;
    const bool mixed = v->options->backend.backend == BACKEND_ALL;
    if (v->target_count > 1 && !settings->json && !settings->quiet)
        putchar('\n');
    for (size_t i = 0; i < v->target_count && v->target_count > 1; i++) {
        const verify_target *row = &v->targets[i];
        if (settings->json)
            row_json(row);
        else
            show_row(row, i ? NULL : mixed ? "" : row->kind);
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
