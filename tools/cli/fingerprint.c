/* SPDX-License-Identifier: MIT */
/*
 * cumsum fingerprint: finds the order in which a backend or a program adds the elements of a line,
 * and shows it. The layer tools/fingerprint does the search (order_discover, order_fit). This file
 * gives it a line_runner for backends, and shows the result as text or as a JSON line.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend.h"
#include "commands.h"
#include "executor.h"
#include "json_print.h"
#include "line_runner.h"
#include "memory_limit.h"
#include "options.h"
#include "order_discover.h"
#include "order_fit.h"
#include "report.h"
#include "text.h"

#define FINGERPRINT_NAMES 12

/* What is known of a source's additions. */
typedef struct fingerprint {
    const char *source; /* "backend cpu", "backend d3d12 on ...", or the command of --exec */
    line_block block;
    saved_order order;
    named_order names[FINGERPRINT_NAMES]; /* all names that fit; order.name is the first */
    size_t name_count;
    uint64_t probes;
    uint64_t runs;
    order_check checks[ORDER_CHECKS];
} fingerprint;

/* ---- the line_runner of a backend ---- */

/* A block of lines as tensors. */
typedef struct block_tensors {
    uint32_t sizes[2];
    uint32_t strides[2];
    uint32_t axis;
    cumsum_buffer_tensor_desc buffer; /* of the input and the output */
} block_tensors;

static void describe(const line_block *b, block_tensors *t) {
    const bool across = b->layout == LINES_ACROSS;
    const bool gaps = b->layout == LINES_WITH_GAPS;
    t->axis = across ? 0 : 1;
    t->sizes[t->axis] = b->length;
    t->sizes[1 - t->axis] = b->lines;
    t->strides[0] = gaps ? 2 * b->length + 3 : t->sizes[1];
    t->strides[1] = gaps ? 2 : 1;
    t->buffer = (cumsum_buffer_tensor_desc){
        .data_type = b->type, .dimension_count = 2, .sizes = t->sizes, .strides = t->strides};
    cumsum_tensor_size(b->type, 2, t->sizes, t->strides, &t->buffer.total_tensor_size_in_bytes);
}

/* The offset in bytes of the element that a line's traversal visits at `position`. */
static uint64_t offset_of(const line_block *b, const block_tensors *t, uint32_t line,
                          uint32_t position) {
    const uint64_t index = b->decreasing ? b->length - 1 - position : position;
    return cumsum_data_type_size(b->type) *
           (index * t->strides[t->axis] + (uint64_t)line * t->strides[1 - t->axis]);
}

static void scatter(const line_block *b, const block_tensors *t, const unsigned char *lines,
                    unsigned char *tensor) {
    const uint64_t size = cumsum_data_type_size(b->type);
    for (uint32_t line = 0; line < b->lines; line++)
        for (uint32_t i = 0; i < b->length; i++, lines += size)
            memcpy(tensor + offset_of(b, t, line, i), lines, size);
}

static void gather(const line_block *b, const block_tensors *t, const unsigned char *tensor,
                   unsigned char *lines) {
    const uint64_t size = cumsum_data_type_size(b->type);
    for (uint32_t line = 0; line < b->lines; line++)
        for (uint32_t i = 0; i < b->length; i++, lines += size)
            memcpy(lines, tensor + offset_of(b, t, line, i), size);
}

static tool_status execute(const executor *e, const line_block *b, const block_tensors *t,
                           const void *input, void *output, tool_error *error) {
    const cumsum_tensor_desc tensor = {CUMSUM_TENSOR_TYPE_BUFFER, &t->buffer};
    const cumsum_operator_desc desc = {&tensor, &tensor, t->axis,
                                       b->decreasing ? CUMSUM_AXIS_DIRECTION_DECREASING
                                                     : CUMSUM_AXIS_DIRECTION_INCREASING,
                                       b->exclusive};
    const uint64_t size = t->buffer.total_tensor_size_in_bytes;
    const cumsum_numerics numerics = backend_numerics(e->settings, (cumsum_numerics){0});
    /* DirectML may keep its sums in FLOAT16 if ALLOW_HALF_PRECISION_COMPUTATION is set. */
    const backend_work work = {.desc = &desc,
                               .numerics = numerics,
                               .any_numerics = true,
                               .execution_flags = numerics.half_accumulator ? 1 : 0,
                               .input = input,
                               .input_in_bytes = size,
                               .output = output,
                               .output_in_bytes = size};
    cumsum_diagnostic diagnostic = {0};
    const cumsum_status status = executor_compute(e, &work, NULL, &diagnostic);
    if (status == CUMSUM_OK)
        return TOOL_OK;
    return tool_fail(error, status == CUMSUM_UNSUPPORTED ? TOOL_NOTHING_RAN : TOOL_ENVIRONMENT,
                     "backend %s: %s", backend_name(e->backend),
                     diagnostic.message[0] ? diagnostic.message : cumsum_status_string(status));
}

/* The run function of the line_runner; state is a const executor. */
static tool_status backend_lines_run(void *state, const line_block *block, const void *input,
                                     void *output, tool_error *error) {
    block_tensors t;
    describe(block, &t);
    const uint64_t size = t.buffer.total_tensor_size_in_bytes;
    unsigned char *from = memory_allocate(size);
    unsigned char *to = memory_allocate(size);
    tool_status status = TOOL_OK;
    if (!from || !to) {
        status =
            tool_fail(error, TOOL_ENVIRONMENT, "there is no memory for %u lines of %u elements",
                      block->lines, block->length);
    } else {
        memset(from, 0, size);
        memset(to, 0, size);
        scatter(block, &t, input, from);
        status = execute(state, block, &t, from, to, error);
        gather(block, &t, to, output);
    }
    memory_release(from);
    memory_release(to);
    return status;
}

/* ---- the result as text or as a JSON line ---- */

/* The trees of an order without a name are shown up to this number of terms; those of longer lines
 * would fill screens. */
#define SHOWN_TERMS 32u

static const char *outcome_word(check_outcome outcome) {
    static const char *const words[] = {"same bits", "OTHER BITS", "not available"};
    return words[outcome];
}

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

static bool shows_trees(const tool_options *o, const fingerprint *f) {
    return f->order.name.kind != ORDER_EXACT &&
           (o->report.verbose ||
            (f->order.name.kind == ORDER_UNNAMED && f->order.outputs <= SHOWN_TERMS));
}

static char *tree_text(const fingerprint *f, uint32_t output) {
    text_buffer buffer;
    text_buffer_begin(&buffer);
    show_tree(buffer.stream, &f->order.graph, f->order.roots[output]);
    return text_buffer_end(&buffer);
}

/* "binary32, stored to nearest even, -0 alone gives +0" */
static void show_arithmetic(const fingerprint *f) {
    const order_arithmetic *how = &f->order.arithmetic;
    const bool half = f->order.type == CUMSUM_DATA_TYPE_FLOAT16;
    if (f->order.name.kind == ORDER_EXACT) {
        fputs("exact, rounded once", stdout);
    } else {
        fputs(word_of(order_tally_words, (int)how->tally), stdout);
        if (half && how->tally != TALLY_BINARY16)
            printf(", stored %s", word_of(half_store_words, (int)how->store));
    }
    if (!half)
        printf(", subnormals %s", how->denormals ? "flushed" : "kept");
    if (f->order.name.kind != ORDER_EXACT)
        printf(", -0 alone gives %s", how->keeps_minus_zero ? "-0" : "+0");
    putchar('\n');
}

static void show_names(const fingerprint *f) {
    char text[ORDER_NAME_TEXT];
    order_name_text(text, f->order.name);
    printf("order      %s", text);
    for (size_t i = 1; i < f->name_count; i++) {
        order_name_text(text, f->names[i]);
        printf("%s%s", i == 1 ? ", which is also " : ", ", text);
    }
    if (f->order.name.kind == ORDER_UNNAMED && f->order.outputs > SHOWN_TERMS)
        fputs(" (-v shows the trees, --output saves them)", stdout);
    putchar('\n');
}

static void show_head(const fingerprint *f) {
    fputs("source     ", stdout);
    text_show(stdout, f->source);
    printf("\nlines      %s, %" PRIu32 " elements, %" PRIu32 " at once, %s, %s\n",
           cumsum_data_type_name(f->block.type), f->block.length, f->block.lines,
           f->block.decreasing ? "decreasing" : "increasing",
           f->block.exclusive ? "exclusive" : "inclusive");
}

static void show_checks(const tool_options *o, const fingerprint *f) {
    for (int i = 0; i < ORDER_CHECKS; i++) {
        const order_check *c = &f->checks[i];
        if (o->report.quiet && c->outcome == CHECK_SAME)
            continue;
        printf("%-10s %s: ", c->name, outcome_word(c->outcome));
        text_show(stdout, c->text);
        putchar('\n');
    }
}

static void show_text(const tool_options *o, const fingerprint *f) {
    show_head(f);
    show_names(f);
    for (uint32_t k = 0; shows_trees(o, f) && k < f->order.outputs; k++) {
        char *tree = tree_text(f, k);
        printf("  output %-3" PRIu32 " %s\n", k + f->block.exclusive, tree);
        free(tree);
    }
    fputs("sums       ", stdout);
    show_arithmetic(f);
    show_checks(o, f);
    printf("%" PRIu64 " probes in %" PRIu64 " run%s\n", f->probes, f->runs,
           f->runs == 1 ? "" : "s");
}

static json_object *json_head(const fingerprint *f) {
    json_object *line = json_make_object();
    fields_text(line, "event", "fingerprint");
    fields_text(line, "source", f->source);
    fields_text(line, "type", cumsum_data_type_name(f->block.type));
    fields_count(line, "elements", f->block.length);
    fields_count(line, "atOnce", f->block.lines);
    fields_text(line, "direction", f->block.decreasing ? "DECREASING" : "INCREASING");
    fields_flag(line, "exclusive", f->block.exclusive);
    return line;
}

static void json_names(json_object *line, const fingerprint *f) {
    json_object *also = json_make_array();
    char text[ORDER_NAME_TEXT];
    order_name_text(text, f->order.name);
    fields_text(line, "order", text);
    for (size_t i = 1; i < f->name_count; i++) {
        order_name_text(text, f->names[i]);
        json_put_element(also, json_make_string(text));
    }
    json_put_member(line, "also", also);
}

static void json_arithmetic(json_object *line, const saved_order *order) {
    const bool half = order->type == CUMSUM_DATA_TYPE_FLOAT16;
    if (order->name.kind != ORDER_EXACT) {
        fields_text(line, "tally", word_of(order_tally_words, (int)order->arithmetic.tally));
        fields_flag(line, "minusZero", order->arithmetic.keeps_minus_zero);
        if (half && order->arithmetic.tally != TALLY_BINARY16)
            fields_text(line, "store", word_of(half_store_words, (int)order->arithmetic.store));
    }
    if (!half)
        fields_text(line, "denormals", word_of(denormals_words, (int)order->arithmetic.denormals));
}

static void show_json(const tool_options *o, const fingerprint *f) {
    static const char *const outcomes[] = {"same", "differs", "unavailable"};
    json_object *line = json_head(f);
    json_names(line, f);
    json_arithmetic(line, &f->order);
    json_object *checks = json_make_object();
    for (int i = 0; i < ORDER_CHECKS; i++) {
        json_object *check = json_make_object();
        fields_text(check, "outcome", outcomes[f->checks[i].outcome]);
        fields_text(check, "text", f->checks[i].text);
        json_put_member(checks, f->checks[i].name, check);
    }
    json_put_member(line, "checks", checks);
    if (shows_trees(o, f)) {
        json_object *trees = json_make_array();
        for (uint32_t k = 0; k < f->order.outputs; k++) {
            char *tree = tree_text(f, k);
            json_put_element(trees, json_make_string(tree));
            free(tree);
        }
        json_put_member(line, "trees", trees);
    }
    fields_count(line, "probes", f->probes);
    fields_count(line, "runs", f->runs);
    report_json_line(line);
}

static void fingerprint_show(const tool_options *options, const fingerprint *f) {
    if (options->report.json)
        show_json(options, f);
    else
        show_text(options, f);
}

/* Shows that the source has no order of additions, and the reason. */
static void fingerprint_show_none(const tool_options *options, const fingerprint *f,
                                  const char *reason) {
    if (options->report.json) {
        json_object *line = json_head(f);
        fields_text(line, "order", "none");
        fields_text(line, "reason", reason);
        report_json_line(line);
        return;
    }
    show_head(f);
    fputs("order      NONE: ", stdout);
    text_show(stdout, reason);
    putchar('\n');
}

/* ---- the command ---- */

#define DEFAULT_LENGTH 128

/* The number of lines of a run: enough to repay its start, and few enough for small devices. */
static uint32_t lines_at_once(uint32_t length) {
    const uint32_t lines = (UINT32_C(1) << 20) / length;
    return lines > 1024 ? 1024 : lines;
}

/* Finds the trees and all names that fit them. The first name is the best one. */
static tool_status find_order(const line_runner *runner, fingerprint *f, tool_error *error) {
    order_found found;
    const tool_status status = order_discover(runner, &f->block, &found, error);
    if (status != TOOL_OK)
        return status;
    f->probes = found.probes;
    f->runs = found.runs;
    if (!found.exact) {
        f->name_count =
            order_find_names(&found.graph, found.roots, found.outputs, f->names, FINGERPRINT_NAMES);
    }
    f->order = (saved_order){
        .type = f->block.type,
        .name = f->name_count ? f->names[0]
                              : (named_order){found.exact ? ORDER_EXACT : ORDER_UNNAMED, 0},
        .graph = found.graph,
        .roots = found.roots,
        .outputs = found.outputs};
    return TOOL_OK;
}

/* Finds the order, then its arithmetic, then what it depends on. */
static tool_status take_fingerprint(const line_runner *runner, fingerprint *f, tool_error *error) {
    tool_status status = find_order(runner, f, error);
    if (status == TOOL_OK)
        status = order_fit(runner, &f->block, &f->order, error);
    if (status == TOOL_OK)
        status = order_checks_run(runner, &f->block, &f->order, f->checks, error);
    return status;
}

/* Shows the fingerprint, or why there is none, and returns the exit status. */
static int show_outcome(const tool_options *options, const fingerprint *f, tool_status status,
                        tool_error *error) {
    if (status == TOOL_OK && options->output)
        status = order_file_write(options->output, &f->order, f->source, error);
    if (status == TOOL_OK) {
        fingerprint_show(options, f);
    } else if (status == TOOL_MISMATCH) {
        fingerprint_show_none(options, f, error->message);
    } else {
        fprintf(stderr, "cumsum: %s%s\n", status == TOOL_NOTHING_RAN ? "SKIPPED: " : "",
                error->message);
    }
    return (int)status;
}

static int fingerprint_of(const tool_options *options, const line_runner *runner,
                          const char *source) {
    const uint32_t length = options->length ? options->length : DEFAULT_LENGTH;
    tool_error error = {""};
    fingerprint f = {.source = source,
                     .block = {.type = options->type ? options->type : CUMSUM_DATA_TYPE_FLOAT32,
                               .lines = lines_at_once(length),
                               .length = length,
                               .decreasing = options->decreasing,
                               .exclusive = options->exclusive}};
    const tool_status status = take_fingerprint(runner, &f, &error);
    const int exit_status = show_outcome(options, &f, status, &error);
    saved_order_free(&f.order);
    return exit_status;
}

static int of_program(const tool_options *options) {
    program_lines program = {.decreasing = options->decreasing, .exclusive = options->exclusive};
    const line_runner runner = {program_lines_run, &program};
    tool_error error;
    int status = (int)program_lines_begin(&program, options->exec, &error);
    if (status != TOOL_OK)
        fprintf(stderr, "cumsum: %s\n", error.message);
    else
        status = fingerprint_of(options, &runner, options->exec);
    program_lines_end(&program);
    return status;
}

static int of_executor(const tool_options *options, executor *e) {
    const line_runner runner = {backend_lines_run, e};
    char source[400];
    if (executor_reason(e)) {
        fprintf(stderr, "cumsum: backend %s: SKIPPED: %s\n", backend_name(e->backend),
                executor_reason(e));
        return TOOL_NOTHING_RAN;
    }
    snprintf(source, sizeof source, "backend %s%s%s", backend_name(e->backend),
             e->device ? " on " : "", e->device ? e->device->name : "");
    return fingerprint_of(options, &runner, source);
}

static int of_backend(const tool_options *options) {
    executor e;
    tool_error error;
    int status = (int)executor_begin(&e, &options->backend, options->backend.backend, &error);
    if (status != TOOL_OK)
        fprintf(stderr, "cumsum: %s\n", error.message);
    else
        status = of_executor(options, &e);
    executor_end(&e);
    return status;
}

static int check_arguments(const tool_options *options) {
    if (options->file_count)
        return command_usage_error(options, "unexpected argument '%s'", options->files[0]);
    if (options->exec && options->has_backend)
        return command_usage_error(options, "--exec cannot be combined with --backend");
    if (options->type && options->type != CUMSUM_DATA_TYPE_FLOAT32 &&
        options->type != CUMSUM_DATA_TYPE_FLOAT16) {
        return command_usage_error(options,
                                   "option --type: %s sums are the same in every order; "
                                   "the rule: FLOAT32 or FLOAT16",
                                   cumsum_data_type_name(options->type));
    }
    return command_device_options(options);
}

int command_fingerprint(const tool_options *options) {
    const int status = check_arguments(options);
    if (status != TOOL_OK)
        return status;
    return options->exec ? of_program(options) : of_backend(options);
}
