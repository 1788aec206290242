/* SPDX-License-Identifier: MIT */
/* cumsum judge: judges one output, compares the judgement with --at-most and --require-order, and
 * reports the verdict. */
#include <cumsum/oracle.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare.h"
#include "element.h"
#include "executor.h"
#include "file.h"
#include "json_tree.h"
#include "judge.h"
#include "memory.h"
#include "segments.h"
#include "words.h"

const char *judge_profile(const judge_report *to) {
    return to->options->rules.profile[0] ? to->options->rules.profile : NULL;
}

cumsum_judge_options judge_oracle_options(const judge_report *to) {
    const tool_options *options = to->options;
    const case_file_dispatchable *d = to->command ? to->command->dispatchable : NULL;
    cumsum_judge_options settings = options->judge;
    settings.strict = options->accept == ACCEPT_DECIDED;
    settings.strict_zero = options->rules.signed_zero;
    settings.promised =
        ((d && d->has_numerics) || options->backend.has_numerics) && !judge_profile(to);
    settings.all_orders = options->report.verbose || options->has_required_order;
    settings.near_order = true;
    settings.power = to->report->settings->verbose || to->report->settings->json || to->page.stream;
    settings.power_if_suspect = true;
    settings.accept_suspect = options->accept == ACCEPT_SUSPECT;
    settings.composed_orders = !options->has_required_order;
    if (options->has_required_order && options->required_order.order == CUMSUM_NAMED_COMPOSED)
        settings.composed = &options->required_order.composed;
    settings.numerics = backend_numerics(&options->backend, d ? d->numerics : (cumsum_numerics){0});
    settings.thread_pool = to->pool;
    return settings;
}

/* A composed order is tried last, and it is only tried if it is required. */
static bool has_order(const cumsum_judgement *j, cumsum_named_order order) {
    for (uint32_t i = 0; i < j->match_count; i++)
        if (j->matches[i].order == order)
            return true;
    return false;
}

static void add_unmet_type(json_object *unmet, const judge_report *to, cumsum_data_type type) {
    const char *rule = word_of(type_rule_words, to->options->types);
    char text[160];
    if (cumsum_type_text(rule, to->file->narrow, to->file->boolean, type, text, sizeof text))
        json_put_text(unmet, tool_strdup(text));
}

/* A text for each requirement that is not met; in JSON `unmet`. Integers have one
 * sum in every order, so they have no class; an output that fails has no class and no named order.
 */
static json_object *judge_unmet(const judge_report *to, const judged_output *o) {
    const tool_options *options = to->options;
    const cumsum_judgement *j = &o->judgement;
    const bool has_class = j->pass && element_is_float(o->tensor.type);
    json_object *unmet = json_make_array();
    char order[CUMSUM_ORDER_TEXT];
    if (has_class && options->has_at_most && j->error_class > options->at_most)
        json_put_text(unmet, text_format("%s where --at-most %s was asked",
                                         cumsum_error_class_name(j->error_class),
                                         word_of(at_most_words, (int)options->at_most)));
    if (has_class && options->has_required_order && !has_order(j, options->required_order.order))
        json_put_text(unmet, text_format("not the order %s",
                                         cumsum_order_words(&options->required_order, order)));
    if (options->has_types)
        add_unmet_type(unmet, to, o->tensor.type);
    return unmet;
}

static void begin_result(report_record *record, const judge_report *to) {
    report_record_init(record, "dispatch", to->file->path, to->command->dispatchable->name);
    fields_operator(record->fields, &to->command->dispatchable->op.desc);
    fields_text(record->fields, "output", to->command->output.resource->name);
}

/* Of the words of the verdict and the class. */
static void show_legend(FILE *out, const char *indent, const judge_report *to,
                        const report_record *record, uint32_t *explained) {
    char *words = text_format("%s; %.*s", record->summary.text,
                              (int)strcspn(record->detail.text, "\n"), record->detail.text);
    show_judgement_legend(out, indent, words, to->report->settings->verbose, explained);
    free(words);
}

/* A result on the page of --report. o: NULL if nothing was judged. */
static void put_on_page(const judge_report *to, const report_record *record,
                        const judged_output *o) {
    json_object *object = report_result_object(record);
    uint32_t explained = 0;
    text_buffer legend;
    text_buffer_open(&legend);
    if (o)
        show_legend(legend.stream, "", to, record, &explained);
    char *words = text_buffer_close(&legend);
    if (record->detail.length)
        fields_text(object, "detail", record->detail.text);
    if (*words)
        fields_text(object, "legend", words);
    report_json_line_to(to->page.stream, object);
    free(words);
}

/* Reports a result that was begun, and ends it. */
static void end_result(judge_report *to, report_record *record, result_status status,
                       const judged_output *o) {
    to->report->weak +=
        o && status == RESULT_PASS && o->instead.notes[CUMSUM_NOTE_WEAK_PASS].count > 0;
    if (report_result(to->report, record, status) && o && !report_is_brief(to->report->settings))
        show_legend(stdout, REPORT_INDENT, to, record, &to->explained);
    if (to->page.stream)
        put_on_page(to, record, o);
    report_record_free(record);
}

/* Are all failures the sums of another command line? */
static const char *other_reading(const judged_output *o) {
    static const char *const readings[][2] = {
        {"exclusive", "exclusive sums? Then give --exclusive"},
        {"inclusive", "inclusive sums? Then leave --exclusive out"},
        {"decreasing", "sums from the last index to the first? Then give --reverse"},
        {"increasing", "sums from the first index to the last? Then leave --reverse out"},
        {"exclusive-other-direction", "exclusive, and in the other direction (--reverse)?"},
        {"inclusive-other-direction", "inclusive, and in the other direction (--reverse)?"},
        {"axis", "sums along another axis? Then give --axis"}};
    const cumsum_explanation *e = &o->instead;
    if (!e->hypothesis || e->explained != e->failing)
        return NULL;
    for (size_t i = 0; i < sizeof readings / sizeof readings[0]; i++)
        if (strcmp(e->hypothesis, readings[i][0]) == 0)
            return readings[i][1];
    return NULL;
}

/* Is the input the sums of the output? */
static bool is_swapped(const judged_output *o) {
    cumsum_operator_desc desc = *o->desc;
    judged_output swapped = *o;
    desc.input_tensor = o->desc->output_tensor;
    desc.output_tensor = o->desc->input_tensor;
    swapped.desc = &desc;
    swapped.input = o->output;
    swapped.input_in_bytes = o->output_in_bytes;
    swapped.output = o->input;
    swapped.output_in_bytes = o->input_in_bytes;
    swapped.options.no_orders = true;
    return judged_output_ask(&swapped, NULL) == CUMSUM_OK && swapped.judgement.pass;
}

/* Of arrays that fail: what was meant, where that is known. */
static void ask_what_was_meant(FILE *out, const judge_report *to, const judged_output *o) {
    if (!to->options->input || !o->desc || o->places || !o->judgement.counts[CUMSUM_VERDICT_FAIL])
        return;
    const char *reading = other_reading(o);
    if (reading)
        fprintf(out, "are these %s\n", reading);
    else if (!o->instead.hypothesis && is_swapped(o))
        fputs("is the first array the sums of the second? Then give them in the other order\n",
              out);
}

/* Of a pass that --at-most or --require-order fails, "conformant, but ...": the verdict is a detail
 * then. */
FILE *judge_put_verdict(judge_report *to, report_record *record, const judged_output *o) {
    FILE *detail = record->detail.stream;
    to->unmet = judge_unmet(to, o);
    const size_t count = json_length(to->unmet);
    json_show_list(record->summary.stream, to->unmet, "conformant, but ", " and ");
    show_judgement(count ? detail : record->summary.stream, o, CUMSUM_TEXT_VERDICT);
    fputs(count ? "\n" : "", detail);
    if (show_judgement(detail, o, CUMSUM_TEXT_CLASS))
        fputs("; ", detail);
    fields_move(record->fields, judgement_object(o));
    return detail;
}

void judge_report_verdict(judge_report *to, report_record *record, const judged_output *o) {
    const bool unfit = json_length(to->unmet) > 0;
    const bool noted = !unfit || !element_is_float(o->tensor.type);
    for (int v = 0; v < CUMSUM_VERDICT_COUNT; v++)
        to->counts[v] += o->judgement.counts[v];
    ask_what_was_meant(record->detail.stream, to, o);
    show_judgement(record->detail.stream, o,
                   (noted ? CUMSUM_TEXT_NOTES : 0) | CUMSUM_TEXT_FINDINGS |
                       (to->report->settings->verbose ? CUMSUM_TEXT_ALL : 0));
    if (unfit)
        json_put_member(record->fields, "unmet", json_object_get(to->unmet));
    json_object_put(to->unmet);
    end_result(to, record, unfit ? RESULT_FAIL : judgement_status(&o->judgement), o);
}

/* ---- --beside FILE: another recording. Where do the two differ first, and which of them is nearer
 * to the exact sums? ---- */

/* The elements in row-major order, whatever the layout of the array is. */
static unsigned char *packed_elements(const judged_output *o) {
    unsigned char *packed = tool_calloc(o->tensor.count, o->tensor.element_size);
    layout_gather(&o->tensor, o->output, packed);
    return packed;
}

static void put_differences(report_record *record, json_object *beside, const judged_output *o,
                            const judged_output *other) {
    const layout tensor = layout_packed(&o->tensor);
    unsigned char *one = packed_elements(o), *two = packed_elements(other);
    const comparison c = compare_tensors(&tensor, one, two);
    FILE *out = record->detail.stream;
    char place[LAYOUT_TEXT];
    free(one);
    free(two);
    layout_coordinates_text(place, tensor.rank, c.first.coordinates);
    comparison_fields(beside, &tensor, &c);
    fprintf(out, "%" PRIu64 " of %" PRIu64 " outputs differ", c.differing, c.outputs);
    if (c.differing) {
        fprintf(out, ", the first at %s: ", place);
        show_both(out, tensor.type, &c.first, " and ");
    }
    putc('\n', out);
}

/* The mean distance from the exact sums decides. */
static void put_nearer(report_record *record, json_object *beside, const char *path, double one,
                       double two) {
    FILE *out = record->detail.stream;
    fields_text(beside, "nearer", one == two ? "both" : one < two ? record->file : path);
    if (one == two)
        fprintf(out, "both are as near to the exact sums: %.4g away in the mean\n", one);
    else
        fprintf(out, "%s is nearer to the exact sums: %.4g away in the mean, %s %.4g\n",
                one < two ? record->file : path, fmin(one, two), one < two ? path : record->file,
                fmax(one, two));
}

static void put_beside(const judge_report *to, report_record *record, const judged_output *o,
                       const judged_output *other) {
    const char *path = to->options->beside;
    const cumsum_errors *one = &o->instead.errors, *two = &other->instead.errors;
    json_object *beside = json_make_object();
    char *words = judgement_sentence(other);
    fprintf(record->detail.stream, "beside %s: %s\n", path, words);
    free(words);
    fields_text(beside, "file", path);
    json_put_member(beside, "judgement", judgement_object(other));
    put_differences(record, beside, o, other);
    if (one->outputs && two->outputs)
        put_nearer(record, beside, path, one->mean_magnitude, two->mean_magnitude);
    json_put_member(record->fields, "beside", beside);
}

static void report_judgement(judge_report *to, const judged_output *o,
                             const judged_output *beside) {
    report_record record;
    begin_result(&record, to);
    FILE *line = judge_put_verdict(to, &record, o);
    describe_operator(line, &to->command->dispatchable->op.desc);
    if (o->segments)
        segments_describe(line, o->segments);
    putc('\n', line);
    if (o->segments && !o->judgement.pass)
        segments_explain(record.detail.stream, o);
    if (beside)
        put_beside(to, &record, o, beside);
    judge_report_verdict(to, &record, o);
}

static tool_status ask_oracle(const judge_report *to, judged_output *o, tool_error *error) {
    cumsum_diagnostic diagnostic = {0};
    o->options = judge_oracle_options(to);
    o->profile = judge_profile(to);
    const cumsum_status status = judged_output_ask(o, &diagnostic);
    if (status == CUMSUM_OK)
        return TOOL_OK;
    return tool_fail(error, status == CUMSUM_OUT_OF_MEMORY ? TOOL_ENVIRONMENT : TOOL_MALFORMED,
                     "%s: recorded output of '%s': %s", to->file->path,
                     to->command->dispatchable->name, diagnostic_text(status, &diagnostic));
}

/* Reads the arrays for the last time before the report. */
static tool_status explain_output(judged_output *o, tool_error *error) {
    judged_output_explain(o);
    return file_check_maps(error);
}

/* With the recording of --beside. */
static tool_status report_beside(judge_report *to, const judged_output *o, tool_error *error) {
    const char *name = to->command->output.resource->name;
    actual_file file = {.text = name, .resource_length = strlen(name), .path = to->options->beside};
    const actual_files files = {&file, 1};
    recordings r;
    recorded_output other;
    bool found;
    tool_status status = recordings_read(&r, &files, to->file, error);
    if (status == TOOL_OK)
        status = recordings_find(&r, to->command, &other, &found, error);
    if (status == TOOL_OK)
        status = ask_oracle(to, &other.judged, error);
    other.judged.measure = true;
    if (status == TOOL_OK)
        status = explain_output(&other.judged, error);
    if (status == TOOL_OK)
        report_judgement(to, o, &other.judged);
    recordings_free(&r);
    return status;
}

static tool_status report_output(judge_report *to, recorded_output *recorded, tool_error *error) {
    judged_output *o = &recorded->judged;
    o->measure = o->options.power || to->options->beside;
    o->range = to->options->input && !to->report->settings->quiet;
    const tool_status status = explain_output(o, error);
    if (status == TOOL_OK && to->options->beside)
        return report_beside(to, o, error);
    if (status != TOOL_OK)
        return status;
    report_judgement(to, o, NULL);
    return to->options->output ? save_case(to->options, to->command, recorded, error) : TOOL_OK;
}

tool_status judge_report_output(judge_report *to, recorded_output *recorded, tool_error *error) {
    judged_output *o = &recorded->judged;
    cumsum_segments *cut;
    tool_status status = segments_read(to->options, o->desc, to->file->complex_parts, &cut, error);
    o->segments = cut;
    if (status == TOOL_OK)
        status = ask_oracle(to, o, error);
    if (status == TOOL_OK)
        status = report_output(to, recorded, error);
    segments_free(cut);
    return status;
}

void judge_report_skip(judge_report *to, const char *reason) {
    report_record record;
    begin_result(&record, to);
    text_show(record.summary.stream, "%s", reason);
    fields_text(record.fields, "reason", reason);
    fputs("  ", record.summary.stream);
    describe_operator(record.summary.stream, &to->command->dispatchable->op.desc);
    end_result(to, &record, RESULT_SKIP, NULL);
}

/* "outputs: 21 conformant, 3 FAIL" */
static void show_counts(const uint64_t counts[CUMSUM_VERDICT_COUNT]) {
    char text[1024];
    cumsum_writer w = {text, sizeof text, 0, false};
    cumsum_write_counts(&w, counts);
    fputs(text, stdout);
}

void judge_report_counts(const judge_report *to) {
    json_object *object = report_event("outputs"), *counts = json_make_object();
    uint64_t outputs = 0;
    for (int v = 0; v < CUMSUM_VERDICT_COUNT; v++) {
        outputs += to->counts[v];
        if (to->counts[v])
            fields_count(counts, cumsum_verdict_name((cumsum_verdict)v), to->counts[v]);
    }
    json_put_member(object, "counts", counts);
    if (to->report->settings->json)
        report_json_line(json_object_get(object));
    else if (outputs && !to->report->settings->quiet)
        show_counts(to->counts);
    json_object_put(object);
}
