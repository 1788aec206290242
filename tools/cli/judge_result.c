/* SPDX-License-Identifier: MIT */
/* cumsum judge: judges one output and reports the verdict. */
#include "judge_result.h"

#include <cumsum/oracle.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "describe.h"
#include "executor.h"
#include "json_print.h"
#include "judge_charts.h"
#include "judge_gates.h"
#include "memory.h"
#include "notes.h"
#include "page.h"
#include "recorded.h"
#include "report.h"
#include "save_case.h"
#include "show_judgement.h"
#include "text.h"

static cumsum_judge_options judge_options(const judge_report *to, const case_file_dispatchable *d) {
    const tool_options *options = to->options;
    bool given = options->backend.half_accumulator.given || options->backend.half_store.given;
    return (cumsum_judge_options){
        .strict_zero = options->strict_zero,
        .strict = options->strict,
        .reachable = options->reachable,
        .promised = d->has_numerics || given,
        .all_orders = options->orders == ORDERS_ALL || options->has_required_order,
        .no_orders = options->orders == ORDERS_NONE && !options->has_required_order,
        .near_order = true,
        .numerics = backend_numerics(&options->backend, d->numerics),
        .thread_pool = to->pool};
}

static json_object *dispatch_fields(const case_file_command *command) {
    json_object *fields = json_make_object();
    fields_operator(fields, &command->dispatchable->op.desc);
    fields_text(fields, "output", command->output.resource->name);
    return fields;
}

/* "conformant, correctly-rounded, h=0.50, order sequential  FLOAT32 2x3 axis 1 increasing ..." */
static char *summarize(const judge_report *to, const case_file_command *command,
                       const cumsum_judgement *j, const explanation *e) {
    const layout output = layout_of(&command->dispatchable->op.output.buffer);
    char adapted[ADAPTATION_TEXT];
    text_buffer buffer;
    text_buffer_begin(&buffer);
    show_judgement_words(buffer.stream, &output, j, to->options->orders != ORDERS_NONE, e);
    fputs("  ", buffer.stream);
    describe_operator(buffer.stream, &command->dispatchable->op.desc);
    if (to->adapted)
        fprintf(buffer.stream, "  %s", adaptation_text(to->adapted, adapted));
    return text_buffer_end(&buffer);
}

static char *explain(const judge_report *to, const case_file_command *command,
                     const recorded_output *recorded, const cumsum_judgement *j,
                     const output_notes *notes, const char *unmet) {
    bool mixed = j->counts[CUMSUM_VERDICT_INDETERMINATE] > 0;
    text_buffer buffer;
    text_buffer_begin(&buffer);
    fputs(unmet ? unmet : "", buffer.stream);
    show_notes(buffer.stream, &recorded->elements, notes);
    if (!j->pass || mixed || to->report.settings->verbose)
        show_judgement_counts(buffer.stream, j->counts);
    if (!j->pass) {
        show_judgement_findings(buffer.stream, recorded, binding_bytes(&command->input),
                                command->input.size, j);
    }
    return text_buffer_end(&buffer);
}

/* What a wrong output is instead. */
static explanation why_it_fails(const judge_report *to, const case_file_command *command,
                                const recorded_output *recorded, const cumsum_judgement *j) {
    const cumsum_judge_options options = judge_options(to, command->dispatchable);
    return explain_wrong_output(&(wrong_output){.desc = &recorded->desc,
                                                .input = binding_bytes(&command->input),
                                                .input_in_bytes = command->input.size,
                                                .actual = recorded->first,
                                                .actual_in_bytes = recorded->size,
                                                .before = recorded->before,
                                                .options = &options,
                                                .judgement = j});
}

/* A text of show_judgement_legend, which the caller frees. */
static char *legend_of(const judge_report *to, const char *summary) {
    unsigned explained = 0;
    text_buffer buffer;
    text_buffer_begin(&buffer);
    show_judgement_legend(buffer.stream, "", summary, to->report.settings->verbose, &explained);
    return text_buffer_end(&buffer);
}

/* Are JSON objects of results wanted? */
static bool wants_fields(const judge_report *to) {
    return to->report.settings->json || to->page.stream;
}

/* A result on the page of --html. charts: NULL, or what judge_charts gives. */
static void put_on_page(const judge_report *to, const report_record *record, const char *legend,
                        json_object *charts) {
    json_object *object = report_result_object(record);
    if (record->detail)
        fields_text(object, "detail", record->detail);
    if (*legend)
        fields_text(object, "legend", legend);
    if (charts)
        json_put_member(object, "charts", charts);
    report_json_line_to(to->page.stream, object);
}

static void put_judgement_on_page(const judge_report *to, const case_file_command *command,
                                  const recorded_output *recorded, const cumsum_judgement *j,
                                  const report_record *record) {
    const cumsum_judge_options options = judge_options(to, command->dispatchable);
    char *legend = legend_of(to, record->summary);
    put_on_page(
        to, record, legend,
        judge_charts(recorded, binding_bytes(&command->input), command->input.size, &options, j));
    free(legend);
}

static void report_judgement(judge_report *to, const case_file *file,
                             const case_file_command *command, const recorded_output *recorded,
                             const cumsum_judgement *j) {
    const explanation why = why_it_fails(to, command, recorded, j);
    const output_notes notes = notes_of(recorded, binding_bytes(&command->input), j);
    char *summary = summarize(to, command, j, &why);
    json_object *fields = NULL;
    if (wants_fields(to)) {
        fields = dispatch_fields(command);
        fields_judgement(fields, &recorded->elements, j, &why);
        adaptation_fields(fields, to->adapted);
        fields_notes(fields, &recorded->elements, &notes);
    }
    char *unmet = judge_unmet(to->options, &to->held, command, recorded, j, fields);
    char *detail = explain(to, command, recorded, j, &notes, unmet);
    const report_record record = {.status = j->pass && !unmet ? RESULT_PASS : RESULT_FAIL,
                                  .event = "dispatch",
                                  .file = file->path,
                                  .name = command->dispatchable->name,
                                  .summary = summary,
                                  .detail = detail,
                                  .fields = fields};
    if (to->page.stream)
        put_judgement_on_page(to, command, recorded, j, &record);
    if (report_result(&to->report, &record))
        show_judgement_legend(stdout, REPORT_INDENT, summary, to->report.settings->verbose,
                              &to->explained);
    free(summary);
    free(detail);
    free(unmet);
}

static tool_status judge_output(const judge_report *to, const case_file *file,
                                const case_file_command *command, const recorded_output *recorded,
                                cumsum_judgement *judgement, tool_error *error) {
    const cumsum_judge_options options = judge_options(to, command->dispatchable);
    const unsigned char *input = binding_bytes(&command->input);
    cumsum_diagnostic diagnostic = {0};
    cumsum_status status =
        cumsum_judge(&recorded->desc, input, command->input.size, recorded->first, recorded->size,
                     &options, NULL, judgement, &diagnostic);
    if (status == CUMSUM_OK)
        return TOOL_OK;
    return tool_fail(error, status == CUMSUM_OUT_OF_MEMORY ? TOOL_ENVIRONMENT : TOOL_MALFORMED,
                     "%s: recorded output of '%s': %s", file->path, command->dispatchable->name,
                     diagnostic.message[0] ? diagnostic.message : cumsum_status_string(status));
}

static tool_status save(const judge_report *to, const case_file_command *command,
                        const recorded_output *recorded, const cumsum_judgement *j,
                        tool_error *error) {
    const cumsum_judge_options held = judge_options(to, command->dispatchable);
    char *verdict = judgement_sentence(&recorded->elements, j, NULL);
    const tool_status status = save_case(to->options, command, recorded,
                                         held.promised ? &held.numerics : NULL, verdict, error);
    free(verdict);
    return status;
}

tool_status judge_report_dispatch(judge_report *to, const case_file *file,
                                  const case_file_command *command, const recorded_output *recorded,
                                  tool_error *error) {
    char reason[400];
    if (to->held.path &&
        !order_applies(&to->held, &command->dispatchable->op.desc, reason, sizeof reason)) {
        judge_report_skip(to, file, command, reason);
        return TOOL_OK;
    }
    cumsum_judgement judgement;
    tool_status status = judge_output(to, file, command, recorded, &judgement, error);
    if (status != TOOL_OK)
        return status;
    for (int v = 0; v < CUMSUM_VERDICT_COUNT; v++)
        to->counts[v] += judgement.counts[v];
    report_judgement(to, file, command, recorded, &judgement);
    return to->options->save_case ? save(to, command, recorded, &judgement, error) : TOOL_OK;
}

/* The verdict on each output that is kept. The first one's outputs are counted. */
static tool_status judge_outputs(judge_report *to, const case_file *file,
                                 const case_file_command *command, const repeats *outputs,
                                 char *verdicts[REPEATS_KEPT], tool_error *error) {
    tool_status status = TOOL_OK;
    for (uint32_t i = 0; i < outputs->kept_count && status == TOOL_OK; i++) {
        recorded_output recorded;
        cumsum_judgement judgement;
        recorded_copy(command, outputs->kept[i].bytes, &recorded);
        status = judge_output(to, file, command, &recorded, &judgement, error);
        verdicts[i] = status == TOOL_OK ? judgement_sentence(&recorded.elements, &judgement, NULL)
                                        : tool_strdup(error->message);
        for (int v = 0; v < CUMSUM_VERDICT_COUNT && status == TOOL_OK && i == 0; v++)
            to->counts[v] += judgement.counts[v];
        status = status == TOOL_SKIPPED ? TOOL_OK : status;
    }
    return status;
}

/* A result without charts. */
static void report_plainly(judge_report *to, const report_record *record) {
    if (to->page.stream)
        put_on_page(to, record, "", NULL);
    report_result(&to->report, record);
}

static void report_unstable(judge_report *to, const case_file *file,
                            const case_file_command *command, const repeats *outputs, bool promised,
                            char *const verdicts[REPEATS_KEPT]) {
    char *sentence = repeats_sentence(outputs);
    text_buffer summary;
    text_buffer detail;
    json_object *fields = NULL;
    text_buffer_begin(&summary);
    text_buffer_begin(&detail);
    fprintf(summary.stream, "unstable, %s%s  ", sentence,
            promised ? "; it promises the same bits in every run" : "");
    describe_operator(summary.stream, &command->dispatchable->op.desc);
    repeats_explain(detail.stream, outputs, verdicts);
    if (to->report.settings->json) {
        json_object *object = repeats_object(outputs, verdicts);
        if (promised)
            fields_flag(object, "promised", true);
        fields = dispatch_fields(command);
        json_put_member(fields, "unstable", object);
    }
    char *line = text_buffer_end(&summary);
    char *lines = text_buffer_end(&detail);
    report_plainly(to, &(report_record){.status = RESULT_FAIL,
                                        .event = "dispatch",
                                        .file = file->path,
                                        .name = command->dispatchable->name,
                                        .summary = line,
                                        .detail = lines,
                                        .fields = fields});
    free(sentence);
    free(line);
    free(lines);
}

tool_status judge_report_unstable(judge_report *to, const case_file *file,
                                  const case_file_command *command, const repeats *outputs,
                                  bool promised, tool_error *error) {
    char *verdicts[REPEATS_KEPT] = {NULL};
    const tool_status status = judge_outputs(to, file, command, outputs, verdicts, error);
    if (status == TOOL_OK)
        report_unstable(to, file, command, outputs, promised, verdicts);
    for (uint32_t i = 0; i < REPEATS_KEPT; i++)
        free(verdicts[i]);
    return status;
}

void judge_report_skip(judge_report *to, const case_file *file, const case_file_command *command,
                       const char *reason) {
    text_buffer buffer;
    text_buffer_begin(&buffer);
    text_show(buffer.stream, reason);
    fputs("  ", buffer.stream);
    describe_operator(buffer.stream, &command->dispatchable->op.desc);
    char *summary = text_buffer_end(&buffer);
    json_object *fields = NULL;
    if (wants_fields(to)) {
        fields = dispatch_fields(command);
        fields_text(fields, "reason", reason);
    }
    report_plainly(to, &(report_record){.status = RESULT_SKIP,
                                        .event = "dispatch",
                                        .file = file->path,
                                        .name = command->dispatchable->name,
                                        .summary = summary,
                                        .fields = fields});
    free(summary);
}

void judge_report_counts(const judge_report *to) {
    if (to->report.settings->json) {
        json_object *object = report_event("outputs");
        fields_verdict_counts(object, to->counts);
        report_json_line(object);
    } else if (!to->report.settings->quiet) {
        show_judgement_counts(stdout, to->counts);
    }
}

void judge_report_page(judge_report *to, const char *path) {
    tool_error error;
    char *records = text_buffer_end(&to->page);
    const tool_status status = page_write(path, records, to->page.length, &error);
    if (status != TOOL_OK)
        report_error(&to->report, status, NULL, error.message);
    free(records);
}
