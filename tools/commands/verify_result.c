/* SPDX-License-Identifier: MIT */
#include "verify_result.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "comparison_text.h"
#include "describe.h"
#include "executor.h"
#include "json_make.h"
#include "report_fields.h"
#include "text.h"

static line_view view_of(const model_command *c, const unsigned char *input) {
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

static json_object *dispatch_fields(const model_command *command, const cumsum_numerics *numerics,
                                    const verify_run *run) {
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
static char *summarize(const model_command *command, const cumsum_numerics *numerics,
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

static void report_skip(report *r, const model *m, const model_command *command,
                        const verify_run *run) {
    cumsum_numerics numerics = options_numerics(r->options, command->dispatchable->numerics);
    char *summary = summarize(command, &numerics, run, run->skipped);
    json_object *fields = NULL;
    if (r->options->json) {
        fields = dispatch_fields(command, &numerics, run);
        fields_text(fields, "reason", run->skipped);
    }
    report_result(r, &(result){.status = RESULT_SKIP,
                               .event = "dispatch",
                               .file = m->path,
                               .name = command->dispatchable->name,
                               .summary = summary,
                               .fields = fields});
    free(summary);
}

static void report_comparison(report *r, const model *m, const model_command *command,
                              const line_view *view, const verify_run *run) {
    comparison c = compare_tensors(&view->actual, view->expected_bytes, view->actual_bytes);
    cumsum_numerics numerics = options_numerics(r->options, command->dispatchable->numerics);
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
    if (r->options->json) {
        fields = dispatch_fields(command, &numerics, run);
        comparison_fields(fields, &view->actual, &c);
        if (remark)
            fields_text(fields, "remark", remark);
    }
    report_result(r, &(result){.status = c.differing ? RESULT_FAIL : RESULT_PASS,
                               .event = "dispatch",
                               .file = m->path,
                               .name = command->dispatchable->name,
                               .summary = summary,
                               .headline = headline,
                               .detail = detail || !r->options->verbose ? detail : compared,
                               .fields = fields});
    free(summary);
    free(detail);
}

void verify_report(report *r, const model *m, const model_command *command, const verify_run *run) {
    const model_resource *output = command->output.resource;
    if (run->skipped) {
        report_skip(r, m, command, run);
        return;
    }
    if (output->expected) {
        line_view view = view_of(command, run->input);
        report_comparison(r, m, command, &view, run);
        return;
    }
    char reason[256];
    verify_run without = *run;
    snprintf(reason, sizeof reason, "there is no resource '%s.expected'", output->name);
    without.skipped = reason;
    report_skip(r, m, command, &without);
}

void verify_report_no_backend(report *r, const model *m, const char *backend, const char *reason) {
    const verify_run run = {.backend = backend, .skipped = reason};
    for (size_t i = 0; i < m->command_count; i++)
        if (m->commands[i].type == MODEL_COMMAND_DISPATCH)
            report_skip(r, m, &m->commands[i], &run);
}
