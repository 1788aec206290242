/* SPDX-License-Identifier: MIT */
/* cumsum fingerprint: how a backend or a program sums. The layer tools/characterize asks. This file
 * gives it a line_runner for backends, and shows the answers as text or as a JSON line. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend.h"
#include "case_name.h"
#include "commands.h"
#include "executor.h"
#include "fingerprint.h"
#include "json_tree.h"
#include "layout.h"
#include "lines.h"
#include "memory.h"
#include "options.h"
#include "report.h"
#include "text.h"

/* ---- the line_runner of a backend ---- */

/* A block of lines as a case, whose layout belongs to no case of the suite. */
static case_spec case_of_lines(const line_block *b) {
    const uint32_t n = b->length;
    const uint32_t inner = b->lines % 4 == 0 ? 4 : b->lines % 2 == 0 ? 2 : 1;
    const uint32_t outer = b->lines / inner;
    const uint32_t two = inner > 1 ? 2 : 1;
    const case_spec shapes[LINES_LAYOUT_COUNT] = {
        [LINES_PACKED] = {.rank = 2, .axis = 1, .sizes = {b->lines, n}},
        [LINES_ACROSS] = {.rank = 2, .axis = 0, .sizes = {n, b->lines}},
        [LINES_MIDDLE] = {.rank = 3, .axis = 1, .sizes = {outer, n, inner}},
        [LINES_FOLDED] = {.rank = 8, .axis = 4, .sizes = {1, outer, 1, two, n, 1, inner / two, 1}},
        [LINES_WITH_GAPS] = {.rank = 2,
                             .axis = 1,
                             .sizes = {b->lines, n},
                             .input = {true, {2 * n + 3, 2}, 0},
                             .output = {true, {2 * n + 3, 2}, 0}},
        [LINES_PADDED] = {.rank = 2,
                          .axis = 1,
                          .sizes = {b->lines, n},
                          .input = {true, {n + 1, 1}, 0},
                          .output = {true, {n + 7, 1}, 0}},
        [LINES_TRANSPOSED] = {
            .rank = 2, .axis = 1, .sizes = {b->lines, n}, .output = {true, {1, b->lines}, 0}}};
    case_spec spec = shapes[b->layout];
    spec.type = b->type;
    spec.decreasing = b->decreasing;
    spec.exclusive = b->exclusive;
    return spec;
}

static cumsum_status compute_lines(const executor *e, const case_operator *lines, const void *input,
                                   void *output, cumsum_diagnostic *why) {
    const cumsum_numerics numerics = backend_numerics(e->settings, (cumsum_numerics){0});
    /* DirectML may keep its sums in FLOAT16 if ALLOW_HALF_PRECISION_COMPUTATION is set. */
    const backend_work work = {.desc = &lines->desc,
                               .numerics = numerics,
                               .any_numerics = true,
                               .execution_flags = numerics.half_accumulator ? 1 : 0,
                               .input = input,
                               .input_in_bytes = lines->input_buffer.total_tensor_size_in_bytes,
                               .output = output,
                               .output_in_bytes = lines->output_buffer.total_tensor_size_in_bytes};
    return executor_compute(e, &work, NULL, why);
}

/* Totals over the second of two dimensions. */
static cumsum_status run_totals(const executor *e, const line_block *b, const void *input,
                                unsigned char *output, cumsum_diagnostic *why) {
    const size_t size = cumsum_data_type_size(b->type);
    const uint32_t sizes[] = {b->lines, b->length};
    const cumsum_buffer_tensor_desc lines = tensor_of(b->type, 2, sizes, NULL);
    unsigned char *totals = tool_calloc(b->lines, size);
    const cumsum_status status = executor_totals(e, &lines, 2, input, totals, why);
    memset(output, 0, (size_t)b->lines * b->length * size);
    for (size_t line = 0; line < b->lines; line++)
        memcpy(output + ((line + 1) * b->length - 1) * size, totals + line * size, size);
    free(totals);
    return status;
}

/* The lines are scattered into the tensors, and gathered from them. */
static cumsum_status run_scans(const executor *e, const line_block *block, const void *input,
                               void *output, cumsum_diagnostic *why) {
    const case_spec spec = case_of_lines(block);
    case_operator op;
    (void)case_describe(&spec, &op, NULL); /* processes sum types that DirectML does not have */
    layout from = layout_of(&op.input_buffer);
    layout to = layout_of(&op.output_buffer);
    unsigned char *before = tool_calloc(op.input_buffer.total_tensor_size_in_bytes, 1);
    unsigned char *after = tool_calloc(op.output_buffer.total_tensor_size_in_bytes, 1);
    layout_make_innermost(&from, spec.axis);
    layout_make_innermost(&to, spec.axis);
    const uint64_t first = block->decreasing ? layout_turn(&from, spec.rank - 1) : 0;
    const uint64_t sum = block->decreasing ? layout_turn(&to, spec.rank - 1) : 0;
    layout_scatter(&from, input, before + first);
    const cumsum_status status = compute_lines(e, &op, before, after, why);
    layout_gather(&to, after + sum, output);
    free(after);
    free(before);
    return status;
}

/* state: the executor. A slow one shows progress. */
static tool_status run_lines(void *state, const line_block *block, const void *input, void *output,
                             tool_error *error) {
    static uint64_t runs;
    const executor *e = state;
    cumsum_diagnostic why = {0};
    progress_show(++runs, 0, "runs");
    const cumsum_status status = block->total ? run_totals(e, block, input, output, &why)
                                              : run_scans(e, block, input, output, &why);
    if (status == CUMSUM_OK)
        return TOOL_OK;
    return tool_fail(error, status == CUMSUM_UNSUPPORTED ? TOOL_SKIPPED : TOOL_ENVIRONMENT,
                     "backend %s: %s", backend_name(e->backend), diagnostic_text(status, &why));
}

static uint32_t adapted_lines(void *state) {
    return executor_adapted(state);
}

/* ---- the answers: a JSON object, from which the text is made ---- */

/* Trees of longer lines would fill screens: they are shown on request. */
#define SHOWN_TERMS 32u

/* "((x0 + x1) + x2)". The lower term stands first. */
static void show_tree(FILE *out, const order_graph *g, uint32_t node) {
    if (node < g->terms) {
        fprintf(out, "x%" PRIu32, node);
        return;
    }
    const uint32_t *sum = g->sums[node - g->terms];
    const bool turned = sum[0] < g->terms && sum[1] >= g->terms && sum[0] > 0;
    fputc('(', out);
    show_tree(out, g, sum[turned]);
    fputs(" + ", out);
    show_tree(out, g, sum[!turned]);
    fputc(')', out);
}

/* Has the accumulator a store of its own? */
static bool has_store(const known_order *order) {
    const order_accumulator accumulator = order->arithmetic.accumulator;
    return cumsum_data_type_size(order->type) == 2 && accumulator != ACCUMULATOR_BINARY16 &&
           accumulator != ACCUMULATOR_BFLOAT16 && accumulator != ACCUMULATOR_EXACT;
}

static void add_trees(json_object *record, const known_order *order) {
    json_object *trees = json_make_array();
    for (uint32_t k = order->total ? order->outputs - 1 : 0; k < order->outputs; k++) {
        text_buffer buffer;
        text_buffer_open(&buffer);
        show_tree(buffer.stream, &order->graph, order->roots[k]);
        json_put_text(trees, text_buffer_close(&buffer));
    }
    json_put_member(record, "trees", trees);
}

static void add_order(json_object *record, const fingerprint *f) {
    const order_arithmetic *how = &f->order.arithmetic;
    json_object *also = json_make_array();
    char text[CUMSUM_ORDER_TEXT];
    order_name_text(text, &f->order.name);
    fields_text(record, "order", text);
    for (size_t i = 1; i < f->name_count; i++) {
        order_name_text(text, &f->names[i]);
        json_put_element(also, json_make_string(text));
    }
    json_put_member(record, "also", also);
    if (f->order.limit)
        fields_count(record, "limit", f->order.limit);
    fields_text(record, "accumulator", word_of(order_accumulator_words, (int)how->accumulator));
    fields_flag(record, "minusZero", how->minus_zeros > 0);
    if (how->minus_zeros == ORDER_SOME_OUTPUTS)
        fields_text(record, "minusZeros", "any");
    else if (how->minus_zeros && how->minus_zeros != ORDER_ALL_OUTPUTS)
        fields_count(record, "minusZeros", how->minus_zeros);
    if (has_store(&f->order))
        fields_text(record, "store", word_of(half_store_words, (int)how->store));
    if (f->order.type != CUMSUM_DATA_TYPE_FLOAT16)
        fields_text(record, "denormals", word_of(denormals_words, (int)how->denormals));
}

static void add_answers(json_object *record, const fingerprint *f) {
    static const char *const outcomes[] = {"",        "same",     "zeros",
                                           "differs", "answered", "unavailable"};
    json_object *checks = json_make_object();
    json_object *depends = json_make_array();
    for (int i = 0; i < QUESTION_COUNT; i++) {
        const answer *a = &f->answers[i];
        const char *name = question_name((question)i);
        if (a->outcome == ANSWER_NOT_ASKED)
            continue;
        json_object *check = json_make_object();
        fields_text(check, "outcome", outcomes[a->outcome]);
        fields_text(check, "answer", a->words);
        fields_text(check, "text", a->text);
        adaptation_fields(check, a->adapted != f->adapted ? a->adapted : 0);
        json_put_member(checks, name, check);
        if (a->outcome == ANSWER_DIFFERS)
            json_put_element(depends, json_make_string(name));
    }
    json_put_member(record, "dependsOn", depends);
    json_put_member(record, "checks", checks);
}

static json_object *fingerprint_record(const fingerprint *f, const char *source, bool verbose) {
    const line_block *b = &f->block;
    json_object *record = report_event("fingerprint");
    fields_text(record, "source", source);
    fields_text(record, "type", cumsum_data_type_name(b->type));
    fields_count(record, "elements", b->length);
    fields_count(record, "atOnce", b->lines);
    fields_text(record, "direction", b->decreasing ? "DECREASING" : "INCREASING");
    fields_flag(record, "exclusive", b->exclusive);
    if (b->total)
        fields_flag(record, "total", true);
    adaptation_fields(record, f->adapted);
    if (f->state == FINGERPRINT_ORDER) {
        add_order(record, f);
    } else {
        fields_text(record, "order", f->state == FINGERPRINT_NONE ? "none" : "unstable");
        fields_text(record, "reason", f->reason);
    }
    add_answers(record, f);
    const bool brief = f->order.name.kind == ORDER_UNNAMED && f->order.outputs <= SHOWN_TERMS;
    if (f->state == FINGERPRINT_ORDER && f->order.name.kind != ORDER_EXACT && (verbose || brief))
        add_trees(record, &f->order);
    fields_count(record, "probes", f->order.probes);
    fields_count(record, "runs", f->order.runs);
    return record;
}

/* What the sum of terms is that are all -0. */
static void show_minus_zeros(uint32_t kept) {
    if (kept == ORDER_SOME_OUTPUTS)
        fputs(", -0 alone gives either zero", stdout);
    else if (kept && kept != ORDER_ALL_OUTPUTS)
        printf(", -0 alone gives -0 in the first %" PRIu32 " output%s", kept, text_plural(kept));
    else
        printf(", -0 alone gives %s", kept ? "-0" : "+0");
}

static void show_order(const fingerprint *f, json_object *record) {
    json_object *also = json_find(record, "also", json_type_array);
    json_object *trees = json_find(record, "trees", json_type_array);
    const char *name = json_find_text(record, "order");
    const char *store = json_find_text(record, "store");
    const bool exact = f->order.arithmetic.accumulator == ACCUMULATOR_EXACT;
    fputs(name, stdout);
    json_show_list(stdout, also, ", which is also ", ", ");
    if (f->answers[QUESTION_PLACE].outcome == ANSWER_DIFFERS)
        printf(" in the first %" PRIu32 " outputs, then another",
               f->order.limit + f->block.exclusive);
    if (f->order.name.kind == ORDER_UNNAMED && f->order.outputs <= SHOWN_TERMS)
        printf(": the last output is %s", json_item_text(trees, json_length(trees) - 1));
    else if (f->order.name.kind == ORDER_UNNAMED)
        printf(" (-v shows the tree%s)", f->block.total ? "" : "s");
    printf("\n%-12s %s%s%s", "sums",
           exact ? "exact, rounded once" : json_find_text(record, "accumulator"),
           *store ? ", stored " : "", store);
    if (f->order.type != CUMSUM_DATA_TYPE_FLOAT16)
        printf(", subnormals %s",
               f->order.arithmetic.denormals == CUMSUM_DENORMALS_FLUSH ? "flushed" : "kept");
    show_minus_zeros(f->order.arithmetic.minus_zeros);
}

static void show_answers(const tool_options *o, const fingerprint *f) {
    char text[ADAPTATION_TEXT];
    for (int i = 0; i < QUESTION_COUNT; i++) {
        const answer *a = &f->answers[i];
        const bool expected = a->outcome == ANSWER_SAME || a->outcome == ANSWER_GIVEN;
        if (a->outcome == ANSWER_NOT_ASKED || (o->report.quiet && expected))
            continue;
        printf("%-12s %s", question_name((question)i), a->words);
        if (!expected || o->report.verbose)
            text_show(stdout, ": %s", a->text);
        if (a->adapted && a->adapted != f->adapted)
            printf("; %s", adaptation_text(a->adapted, text));
        putchar('\n');
    }
}

static void show_text(const tool_options *o, const fingerprint *f, json_object *record) {
    static const char *const ways[] = {"increasing, inclusive", "increasing, exclusive",
                                       "decreasing, inclusive", "decreasing, exclusive", "totals"};
    const line_block *b = &f->block;
    json_object *trees = json_find(record, "trees", json_type_array);
    char text[ADAPTATION_TEXT];
    printf("%-12s ", "order");
    if (f->state == FINGERPRINT_ORDER)
        show_order(f, record);
    else
        text_show(stdout, "%s: %s", f->state == FINGERPRINT_NONE ? "NONE" : "UNSTABLE", f->reason);
    putchar('\n');
    text_show(stdout, "%-12s %s\n", "source", json_find_text(record, "source"));
    printf("%-12s %s, %" PRIu32 " elements, %" PRIu32 " at once, %s%s%s\n", "examined",
           cumsum_data_type_name(b->type), b->length, b->lines,
           ways[b->total ? 4 : 2 * b->decreasing + b->exclusive], f->adapted ? "; " : "",
           adaptation_text(f->adapted, text));
    show_answers(o, f);
    if (o->report.verbose && f->order.probes)
        printf("%-12s %" PRIu64 " probes in %" PRIu64 " run%s\n", "trees", f->order.probes,
               f->order.runs, text_plural(f->order.runs));
    for (uint32_t k = 0; o->report.verbose && trees && k < json_length(trees); k++)
        printf("  output %-3" PRIu32 " %s\n", k + b->exclusive, json_item_text(trees, k));
}

/* ---- the command ---- */

#define DEFAULT_LENGTH 128
#define DEFAULT_RUNS   3
/* No power of 2, and longer than the blocks of most programs. */
#define DEFAULT_LONGEST 65539

/* The number of lines of a run: enough to repay its start, and few enough for small devices. */
static uint32_t lines_at_once(uint32_t length) {
    const uint32_t lines = (UINT32_C(1) << 20) / length;
    return lines > 1024 ? 1024 : lines;
}

/* If a run fails after the order was found, the answers until then are shown. */
static tool_status fingerprint_of(const tool_options *options, executor *e, report *r,
                                  tool_error *error) {
    const line_runner runner = {run_lines, e, adapted_lines};
    const uint32_t length = options->length ? options->length : DEFAULT_LENGTH;
    const line_block block = {.type = options->type ? options->type : CUMSUM_DATA_TYPE_FLOAT32,
                              .lines = lines_at_once(length),
                              .length = length,
                              .decreasing = options->decreasing,
                              .exclusive = options->exclusive,
                              .total = options->totals};
    char source[400];
    fingerprint f;
    snprintf(source, sizeof source, "backend %s%s%s", backend_name(e->backend),
             e->device ? " on " : "", e->device ? e->device->name : "");
    tool_status status =
        fingerprint_take(&f, &runner, &block, options->runs ? options->runs : DEFAULT_RUNS,
                         options->longest ? options->longest : DEFAULT_LONGEST, error);
    progress_clear();
    const bool shown = f.state != FINGERPRINT_UNKNOWN;
    json_object *record = shown ? fingerprint_record(&f, source, options->report.verbose) : NULL;
    if (shown && options->report.json)
        report_json_line(json_object_get(record));
    else if (shown)
        show_text(options, &f, record);
    json_object_put(record);
    r->passed = status == TOOL_OK && fingerprint_holds(&f);
    r->failed = status == TOOL_OK && !r->passed;
    fingerprint_free(&f);
    return status;
}

tool_status command_check_fingerprint(const tool_options *options, tool_error *error) {
    if (!options->backend.exec &&
        (options->type == CUMSUM_DATA_TYPE_FLOAT64 || options->type == CUMSUM_DATA_TYPE_BFLOAT16)) {
        return tool_fail(error, TOOL_MALFORMED, "option --type: %s needs --exec",
                         cumsum_data_type_name(options->type));
    }
    if (options->totals &&
        (!options->backend.exec || options->decreasing || options->exclusive || options->longest))
        return tool_fail(error, TOOL_MALFORMED,
                         "--sum needs --exec, and takes none of --reverse, --exclusive and "
                         "--longest, which are for scans");
    const line_format *format = options->type ? line_format_of(options->type) : NULL;
    if (format && options->length > format->most) {
        return tool_fail(error, TOOL_MALFORMED,
                         "option --length: %s counts to %" PRIu32 " only; the rule: at most "
                         "%" PRIu32 " elements",
                         cumsum_data_type_name(options->type), format->most, format->most);
    }
    return TOOL_OK;
}

tool_status command_fingerprint(const tool_options *options, report *r, tool_error *error) {
    executor e;
    tool_status status = executor_open(&e, &options->backend, options->backend.backend, error);
    if (status == TOOL_OK && executor_reason(&e)) {
        status = tool_fail(error, TOOL_SKIPPED, "backend %s: SKIPPED: %s", backend_name(e.backend),
                           executor_reason(&e));
    } else if (status == TOOL_OK) {
        status = fingerprint_of(options, &e, r, error);
        if (status == TOOL_SKIPPED) {
            const tool_error why = *error;
            status = tool_fail(error, TOOL_SKIPPED, "SKIPPED: %s", why.message);
        }
    }
    executor_close(&e);
    return status;
}
