/* SPDX-License-Identifier: MIT */
/*
 * cumsum verify: compares an output with the expected one and reports the result, executes
 * dispatches on devices that flush subnormals, and shows the table of kernels and backends.
 */
#include "verify_result.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare.h"
#include "describe.h"
#include "executor.h"
#include "json_print.h"
#include "report.h"
#include "show_judgement.h"
#include "text.h"

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
                             const case_file_command *command, cumsum_denormals denormals,
                             tool_error *error) {
    backend_settings settings = *e->settings;
    settings.denormals = (numeric_override){true, (int)denormals};
    const executor cpu = {.settings = &settings};
    unsigned char *before = binding_copy(&command->output);
    tool_status status = executor_dispatch(&cpu, file, command, NULL, error);
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
                              const case_file_command *command, const char **remark,
                              tool_error *error) {
    unsigned char *kept = on_cpu(e, file, command, CUMSUM_DENORMALS_PRESERVE, error);
    unsigned char *flushed = kept ? on_cpu(e, file, command, CUMSUM_DENORMALS_FLUSH, error) : NULL;
    *remark = NULL;
    tool_status status =
        flushed ? executor_dispatch(e, file, command, NULL, error) : TOOL_ENVIRONMENT;
    if (status == TOOL_OK && !same_output(command, kept, flushed) &&
        same_output(command, flushed, binding_bytes(&command->output))) {
        put_back(command, kept);
        *remark = "as with denormals flush: this device does not keep subnormals";
    }
    free(kept);
    free(flushed);
    return status;
}

static line_view view_of(const case_file_command *c, const unsigned char *input) {
    const cumsum_operator_desc *desc = &c->dispatchable->op.desc;
    layout output = layout_of(desc->output_tensor->desc);
    return (line_view){.axis = desc->axis,
                       .input = layout_of(desc->input_tensor->desc),
                       .expected = output,
                       .actual = output,
                       .input_bytes = input ? input : binding_bytes(&c->input),
                       .expected_bytes = c->output.resource->expected->bytes + c->output.offset,
                       .actual_bytes = binding_bytes(&c->output),
                       .expected_title = "expected"};
}

static json_object *dispatch_fields(const case_file_command *command,
                                    const cumsum_numerics *numerics, const verify_run *run) {
    const cumsum_operator_desc *desc = &command->dispatchable->op.desc;
    const cumsum_buffer_tensor_desc *output = desc->output_tensor->desc;
    json_object *fields = json_make_object();
    fields_operator(fields, desc);
    fields_numerics(fields, output->data_type, numerics);
    fields_text(fields, "output", command->output.resource->name);
    if (run->kernel)
        fields_text(fields, "kernel", run->kernel);
    if (run->backend)
        fields_text(fields, "backend", run->backend);
    return fields;
}

/* "FLOAT32 2x3x4 axis 1 increasing inclusive  order sequential  kernel reference" and a remark. */
static char *summarize(const case_file_command *command, const cumsum_numerics *numerics,
                       const verify_run *run, const char *remark) {
    const cumsum_operator_desc *desc = &command->dispatchable->op.desc;
    const cumsum_buffer_tensor_desc *output = desc->output_tensor->desc;
    text_buffer buffer;
    text_buffer_begin(&buffer);
    describe_operator(buffer.stream, desc);
    fputs("  ", buffer.stream);
    describe_numerics(buffer.stream, output->data_type, numerics);
    if (run->kernel)
        fprintf(buffer.stream, "  kernel %s", run->kernel);
    if (run->backend)
        fprintf(buffer.stream, "  backend %s", run->backend);
    if (remark) {
        fputs(run->backend && run->skipped ? ": " : "  ", buffer.stream);
        text_show(buffer.stream, remark);
    }
    return text_buffer_end(&buffer);
}

static void report_skip(report *r, const case_file *file, const case_file_command *command,
                        const verify_run *run) {
    cumsum_numerics numerics = backend_numerics(run->settings, command->dispatchable->numerics);
    char *summary = summarize(command, &numerics, run, run->skipped);
    json_object *fields = NULL;
    if (r->settings->json) {
        fields = dispatch_fields(command, &numerics, run);
        fields_text(fields, "reason", run->skipped);
    }
    report_result(r, &(report_record){.status = RESULT_SKIP,
                                      .event = "dispatch",
                                      .file = file->path,
                                      .name = command->dispatchable->name,
                                      .summary = summary,
                                      .fields = fields});
    free(summary);
}

/* The oracle's verdict on an output, and what it is instead: added to the lines of explanation, and
 * to the fields if there are any. `actual`: the computed output, not the expected one. */
static char *ask_oracle(const case_file_command *command, const line_view *view,
                        const cumsum_numerics *numerics, const unsigned char *before, bool actual,
                        char *detail, json_object *fields) {
    const unsigned char *output = actual ? view->actual_bytes : view->expected_bytes;
    const cumsum_operator_desc *desc = &command->dispatchable->op.desc;
    const cumsum_judge_options options = {
        .promised = true, .near_order = true, .numerics = *numerics};
    cumsum_judgement judgement;
    if (cumsum_judge(desc, view->input_bytes, command->input.size, output, command->output.size,
                     &options, NULL, &judgement, NULL) != CUMSUM_OK)
        return detail;
    const explanation e =
        explain_wrong_output(&(wrong_output){.desc = desc,
                                             .input = view->input_bytes,
                                             .input_in_bytes = command->input.size,
                                             .actual = output,
                                             .actual_in_bytes = command->output.size,
                                             .before = actual ? before : NULL,
                                             .options = &options,
                                             .judgement = &judgement});
    char *words = judgement_sentence(&view->actual, &judgement, &e);
    text_buffer buffer;
    text_buffer_begin(&buffer);
    fprintf(buffer.stream, "%sthe oracle on the %s output: %s\n", detail,
            actual ? "actual" : "expected", words);
    if (fields) {
        json_object *object = json_make_object();
        fields_judgement(object, &view->actual, &judgement, &e);
        json_put_member(fields, actual ? "judgement" : "expectedJudgement", object);
    }
    free(words);
    free(detail);
    return text_buffer_end(&buffer);
}

static void report_comparison(report *r, const case_file *file, const case_file_command *command,
                              const line_view *view, const verify_run *run) {
    comparison c = compare_tensors(&view->actual, view->expected_bytes, view->actual_bytes);
    cumsum_numerics numerics = backend_numerics(run->settings, command->dispatchable->numerics);
    const char *remark = cumsum_output_may_overlap(&command->dispatchable->op.desc)
                             ? "output elements may share an address: the last line written stays"
                             : run->remark;
    char *summary = summarize(command, &numerics, run, remark);
    char compared[64];
    snprintf(compared, sizeof compared, "%" PRIu64 " elements compared\n", c.outputs);
    char *detail = c.differing ? comparison_explain(&c, view) : NULL;
    char headline[64];
    snprintf(headline, sizeof headline, "%" PRIu64 " of %" PRIu64 " elements differ", c.differing,
             c.outputs);
    json_object *fields = NULL;
    if (r->settings->json) {
        fields = dispatch_fields(command, &numerics, run);
        comparison_fields(fields, &view->actual, &c);
        if (remark)
            fields_text(fields, "remark", remark);
        adaptation_fields(fields, run->adapted);
    }
    for (int actual = 1; actual >= 0 && c.differing; actual--)
        detail = ask_oracle(command, view, &numerics, run->before, actual, detail, fields);
    report_result(r, &(report_record){.status = c.differing ? RESULT_FAIL : RESULT_PASS,
                                      .event = "dispatch",
                                      .file = file->path,
                                      .name = command->dispatchable->name,
                                      .summary = summary,
                                      .headline = headline,
                                      .detail = detail || !r->settings->verbose ? detail : compared,
                                      .fields = fields});
    free(summary);
    free(detail);
}

void verify_report(report *r, const case_file *file, const case_file_command *command,
                   const verify_run *run) {
    const case_file_resource *output = command->output.resource;
    if (run->skipped) {
        report_skip(r, file, command, run);
        return;
    }
    if (output->expected) {
        line_view view = view_of(command, run->input);
        report_comparison(r, file, command, &view, run);
        return;
    }
    char reason[256];
    verify_run without = *run;
    snprintf(reason, sizeof reason, "there is no resource '%s.expected'", output->name);
    without.skipped = reason;
    report_skip(r, file, command, &without);
}

void verify_report_no_backend(report *r, const case_file *file, const backend_settings *settings,
                              const char *backend, const char *reason) {
    const verify_run run = {.settings = settings, .backend = backend, .skipped = reason};
    for (size_t i = 0; i < file->command_count; i++)
        if (file->commands[i].type == CASE_FILE_COMMAND_DISPATCH)
            report_skip(r, file, &file->commands[i], &run);
}

static void row_json(const verify_row *row) {
    json_object *object = report_event(row->kind);
    fields_text(object, row->kind, row->name);
    fields_flag(object, "available", !row->reason[0]);
    if (row->device)
        fields_text(object, "device", row->device);
    if (row->reason[0]) {
        fields_text(object, "reason", row->reason);
    } else {
        fields_count(object, "passed", row->passed);
        fields_count(object, "failed", row->failed);
        fields_count(object, "skipped", row->skipped);
    }
    report_json_line(object);
}

void verify_show_row(const report *r, const verify_row *row, const char *title) {
    if (r->settings->json) {
        row_json(row);
        return;
    }
    if (title) {
        printf("%s%-10s  %10s  %10s  %10s\n", r->settings->quiet ? "" : "\n", title, "passed",
               "failed", "skipped");
    }
    printf("%-10s  ", row->name);
    if (row->reason[0]) {
        fputs("not available: ", stdout);
        text_show(stdout, row->reason);
    } else {
        printf("%10" PRIu64 "  %10" PRIu64 "  %10" PRIu64, row->passed, row->failed, row->skipped);
    }
    if (row->device) {
        fputs("  on ", stdout);
        text_show(stdout, row->device);
    }
    putchar('\n');
}

void verify_show_device(const report *r, const char *backend, const char *device) {
    if (r->settings->json) {
        json_object *object = report_event("device");
        fields_text(object, "backend", backend);
        fields_text(object, "device", device);
        report_json_line(object);
    } else if (!r->settings->quiet) {
        printf("backend %s on ", backend);
        text_show(stdout, device);
        putchar('\n');
    }
}
