/* SPDX-License-Identifier: MIT */
/* cumsum verify: compares an output with the expected one, reports the result, and shows the table
 * of kernels and backends. */
#include "verify.h"

#include <inttypes.h>
#include <stdlib.h>

#include "compare.h"
#include "json_print.h"
#include "judged_output.h"
#include "text.h"

static line_view view_of(const verify_run *run) {
    const case_file_command *c = run->command;
    const cumsum_operator_desc *desc = &c->dispatchable->op.desc;
    layout output = layout_of(desc->output_tensor->desc);
    return (line_view){.axis = desc->axis,
                       .input = layout_of(desc->input_tensor->desc),
                       .expected = output,
                       .actual = output,
                       .input_bytes = run->input ? run->input : binding_bytes(&c->input),
                       .expected_bytes = c->output.resource->expected->bytes + c->output.offset,
                       .actual_bytes = binding_bytes(&c->output),
                       .expected_title = "expected"};
}

/* Reports a result of the dispatch; words: a remark or a reason, or NULL. fields: more members of
 * the JSON object. */
static void report_run(report *r, const verify_run *run, result_status status, const char *words,
                       const char *headline, const char *detail, json_object *fields) {
    const cumsum_operator_desc *desc = &run->command->dispatchable->op.desc;
    const cumsum_buffer_tensor_desc *output = desc->output_tensor->desc;
    json_object *object = json_make_object();
    text_buffer summary;
    text_buffer_open(&summary);
    describe_operator(summary.stream, desc);
    fputs("  ", summary.stream);
    describe_numerics(summary.stream, output->data_type, &run->numerics);
    if (run->kernel)
        fprintf(summary.stream, "  kernel %s", run->kernel);
    if (run->backend)
        fprintf(summary.stream, "  backend %s", run->backend);
    if (words) {
        fputs(run->backend && status == RESULT_SKIP ? ": " : "  ", summary.stream);
        text_show(summary.stream, words);
    }
    char *line = text_buffer_close(&summary);
    fields_operator(object, desc);
    fields_numerics(object, output->data_type, &run->numerics);
    fields_text(object, "output", run->command->output.resource->name);
    if (run->kernel)
        fields_text(object, "kernel", run->kernel);
    if (run->backend)
        fields_text(object, "backend", run->backend);
    fields_move(object, fields);
    report_result(r, &(report_record){.status = status,
                                      .event = "dispatch",
                                      .file = run->file->path,
                                      .name = run->command->dispatchable->name,
                                      .summary = line,
                                      .headline = headline,
                                      .detail = detail,
                                      .fields = object});
    free(line);
}

static void report_skip(report *r, const verify_run *run, const char *reason) {
    json_object *fields = json_make_object();
    fields_text(fields, "reason", reason);
    report_run(r, run, RESULT_SKIP, reason, NULL, NULL, fields);
}

/* Writes the oracle's verdict on an output, and what it is instead, and adds it to the fields.
 * actual: the computed output, not the expected one. */
static void put_verdict(FILE *out, const verify_run *run, const line_view *view, bool actual,
                        json_object *fields) {
    const case_file_command *command = run->command;
    judged_output o = {
        .desc = &command->dispatchable->op.desc,
        .input = view->input_bytes,
        .input_in_bytes = command->input.size,
        .output = actual ? view->actual_bytes : view->expected_bytes,
        .output_in_bytes = command->output.size,
        .before = actual ? run->before : NULL,
        .options = {.promised = true, .near_order = true, .numerics = run->numerics}};
    if (judged_output_ask(&o, NULL) != CUMSUM_OK)
        return;
    judged_output_explain(&o);
    char *words = judgement_sentence(&o);
    json_object *object = json_make_object();
    fprintf(out, "the oracle on the %s output: %s\n", actual ? "actual" : "expected", words);
    fields_judgement(object, &o);
    json_put_member(fields, actual ? "judgement" : "expectedJudgement", object);
    free(words);
}

static void report_comparison(report *r, const verify_run *run) {
    const line_view view = view_of(run);
    const comparison c = compare_tensors(&view.actual, view.expected_bytes, view.actual_bytes);
    const char *remark = cumsum_output_may_overlap(&run->command->dispatchable->op.desc)
                             ? "output elements may share an address: the last line written stays"
                             : run->remark;
    json_object *fields = json_make_object();
    char headline[64];
    text_buffer detail;
    text_buffer_open(&detail);
    comparison_fields(fields, &view.actual, &c);
    if (remark)
        fields_text(fields, "remark", remark);
    adaptation_fields(fields, run->adapted);
    snprintf(headline, sizeof headline, "%" PRIu64 " of %" PRIu64 " elements differ", c.differing,
             c.outputs);
    if (c.differing) {
        comparison_explain(detail.stream, &c, &view);
        put_verdict(detail.stream, run, &view, true, fields);
        put_verdict(detail.stream, run, &view, false, fields);
    } else if (r->settings->verbose) {
        fprintf(detail.stream, "%" PRIu64 " elements compared\n", c.outputs);
    }
    char *lines = text_buffer_close(&detail);
    report_run(r, run, c.differing ? RESULT_FAIL : RESULT_PASS, remark, headline, lines, fields);
    free(lines);
}

void verify_report(report *r, const verify_run *run) {
    char reason[256];
    snprintf(reason, sizeof reason, "there is no resource '%s.expected'",
             run->command->output.resource->name);
    if (run->skipped || !run->command->output.resource->expected)
        report_skip(r, run, run->skipped ? run->skipped : reason);
    else
        report_comparison(r, run);
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
