/* SPDX-License-Identifier: MIT */
/* cumsum verify: compares an output with the expected one, reports the result, and shows the table
 * of kernels and backends. */
#include "verify.h"

#include <inttypes.h>
#include <stdlib.h>

#include "compare.h"
#include "json_tree.h"
#include "judged_output.h"
#include "text.h"

static cumsum_line_view view_of(const verify_run *run) {
    const case_file_command *c = run->command;
    return (cumsum_line_view){
        &c->dispatchable->op.desc, run->input ? run->input : binding_bytes(&c->input),
        c->output.resource->expected->bytes + c->output.offset, binding_bytes(&c->output)};
}

/* Begins a result with what is known of each dispatch. */
static void begin_comparison(report_record *record, const verify_run *run) {
    const cumsum_operator_desc *desc = &run->command->dispatchable->op.desc;
    const cumsum_buffer_tensor_desc *output = desc->output_tensor->desc;
    report_record_init(record, "dispatch", run->file->path, run->command->dispatchable->name);
    FILE *line = record->summary.stream;
    describe_operator(line, desc);
    if (run->cut)
        segments_describe(line, run->cut);
    fputs("  ", line);
    describe_numerics(line, output->data_type, &run->numerics);
    fields_operator(record->fields, desc);
    fields_numerics(record->fields, output->data_type, &run->numerics);
    fields_text(record->fields, "output", run->command->output.resource->name);
    if (run->kernel) {
        fprintf(line, "  kernel %s", run->kernel);
        fields_text(record->fields, "kernel", run->kernel);
    }
    if (run->backend) {
        fprintf(line, "  backend %s", run->backend);
        fields_text(record->fields, "backend", run->backend);
    }
}

static void report_skip(report *r, const verify_run *run, const char *reason) {
    report_record record;
    begin_comparison(&record, run);
    text_show(record.summary.stream, "%s%s", run->backend ? ": " : "  ", reason);
    fields_text(record.fields, "reason", reason);
    report_result(r, &record, RESULT_SKIP);
    report_record_free(&record);
}

/* Writes the oracle's verdict on an output, and what it is instead. actual: the computed output,
 * which has other bits than the expected one. Returns what the dispatch is then. */
static result_status put_verdict(report_record *record, const verify_run *run,
                                 const cumsum_line_view *view, bool actual) {
    const case_file_command *command = run->command;
    judged_output o = {.desc = &command->dispatchable->op.desc,
                       .input = view->input,
                       .input_in_bytes = command->input.size,
                       .output = actual ? view->actual : view->expected,
                       .output_in_bytes = command->output.size,
                       .before = actual ? run->before : NULL,
                       .segments = run->cut,
                       .options = {.promised = true,
                                   .near_order = true,
                                   .accept_suspect = run->accept == ACCEPT_SUSPECT,
                                   .numerics = run->numerics}};
    const char *which = actual ? "actual" : "expected";
    const cumsum_status status = judged_output_ask(&o, NULL);
    if (status == CUMSUM_OUT_OF_MEMORY)
        fprintf(record->detail.stream, "the oracle on the %s output: %s\n", which,
                cumsum_status_string(status));
    if (status != CUMSUM_OK)
        return RESULT_FAIL;
    judged_output_explain(&o);
    char *words = judgement_sentence(&o);
    fprintf(record->detail.stream, "the oracle on the %s output: %s\n", which, words);
    json_put_member(record->fields, actual ? "judgement" : "expectedJudgement",
                    judgement_object(&o));
    free(words);
    return judgement_status_of_other_bits(&o.judgement, run->accept);
}

static void report_comparison(report *r, const verify_run *run) {
    const cumsum_line_view view = view_of(run);
    const layout output = layout_of(view.desc->output_tensor->desc);
    const comparison c = compare_tensors(&output, view.expected, view.actual);
    const char *remark = cumsum_output_may_overlap(&run->command->dispatchable->op.desc)
                             ? "output elements may share an address: the last line written stays"
                             : run->remark;
    report_record record;
    result_status status = RESULT_PASS;
    begin_comparison(&record, run);
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
        status = put_verdict(&record, run, &view, true);
        put_verdict(&record, run, &view, false);
    } else if (r->settings->verbose) {
        fprintf(record.detail.stream, "%" PRIu64 " elements compared\n", c.outputs);
    }
    if (c.differing && status == RESULT_PASS)
        fprintf(record.summary.stream, "  other bits, which --accept %s takes",
                word_of(accept_words, (int)run->accept));
    report_result(r, &record, status);
    report_record_free(&record);
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

static void row_json(const verify_target *row) {
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

void verify_show_row(const report *r, const verify_target *row, const char *title) {
    if (r->settings->json) {
        row_json(row);
        return;
    }
    if (title) {
        printf("%s%-10s  %10s  %10s  %10s\n", r->settings->quiet ? "" : "\n", title, "passed",
               "failed", "skipped");
    }
    printf("%-10s  ", row->name);
    if (row->reason[0])
        text_show(stdout, "not available: %s", row->reason);
    else
        printf("%10" PRIu64 "  %10" PRIu64 "  %10" PRIu64, row->passed, row->failed, row->skipped);
    if (row->device)
        text_show(stdout, "  on %s", row->device);
    putchar('\n');
}
