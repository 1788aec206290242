/* SPDX-License-Identifier: MIT */
/*
 * cumsum fingerprint: finds the order in which a backend or a program adds the elements of a line,
 * and shows it. The layer tools/characterize does the search. This file gives it a line_runner for
 * backends, and shows the result as text or as a JSON line.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend.h"
#include "commands.h"
#include "executor.h"
#include "fingerprint.h"
#include "json_print.h"
#include "line_format.h"
#include "memory_limit.h"
#include "options.h"
#include "report.h"
#include "text.h"

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
    return tool_fail(error, status == CUMSUM_UNSUPPORTED ? TOOL_SKIPPED : TOOL_ENVIRONMENT,
                     "backend %s: %s", backend_name(e->backend),
                     diagnostic.message[0] ? diagnostic.message : cumsum_status_string(status));
}

/* The state of the line_runner. */
typedef struct backend_lines {
    const executor *executor;
    /* Bits of backend_adaptation, by layout, decreasing and exclusive. */
    uint32_t adapted[LINES_LAYOUT_COUNT][2][2];
} backend_lines;

static tool_status backend_lines_run(void *state, const line_block *block, const void *input,
                                     void *output, tool_error *error) {
    backend_lines *lines = state;
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
        status = execute(lines->executor, block, &t, from, to, error);
        lines->adapted[block->layout][block->decreasing][block->exclusive] |=
            executor_adapted(lines->executor);
        gather(block, &t, to, output);
    }
    memory_free(from);
    memory_free(to);
    return status;
}

/* ---- the result as text or as a JSON line ---- */

/* The trees of an order without a name are shown up to this number of terms; those of longer lines
 * would fill screens. */
#define SHOWN_TERMS 32u

/* A fingerprint and of what it is. */
typedef struct shown {
    const fingerprint *f;
    const char *source; /* "backend cpu", "backend d3d12 on ..." */
    const backend_lines *lines;
} shown;

/* What was adapted for the lines of a check that are not those of the order. */
static uint32_t adapted_for(const shown *s, dependence_kind check) {
    const line_block *b = &s->f->block;
    const bool decreasing = b->decreasing != (check == ON_DIRECTION);
    const bool exclusive = b->exclusive != (check == ON_SUM);
    uint32_t adapted = 0;
    if (check == ON_DIRECTION || check == ON_SUM)
        return s->lines->adapted[LINES_PACKED][decreasing][exclusive];
    for (int i = LINES_PACKED + 1; i < LINES_LAYOUT_COUNT && check == ON_LAYOUT; i++)
        adapted |= s->lines->adapted[i][decreasing][exclusive];
    return adapted;
}

static uint32_t adapted_lines(const shown *s) {
    const line_block *b = &s->f->block;
    return s->lines->adapted[LINES_PACKED][b->decreasing][b->exclusive];
}

static const char *outcome_word(dependence_outcome outcome) {
    static const char *const words[] = {"", "same bits", "same bits but for zeros", "OTHER BITS",
                                        "not available"};
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
    text_buffer_open(&buffer);
    show_tree(buffer.stream, &f->order.graph, f->order.roots[output]);
    return text_buffer_close(&buffer);
}

static void show_zeros(const order_arithmetic *how) {
    if (how->minus_zeros == ORDER_SOME_OUTPUTS)
        fputs(", -0 stays in some outputs", stdout);
    else if (how->minus_zeros == 0 || how->minus_zeros == ORDER_ALL_OUTPUTS)
        printf(", -0 alone gives %s", how->minus_zeros ? "-0" : "+0");
    else if (how->minus_zeros == 1)
        fputs(", -0 stays in the first output only", stdout);
    else
        printf(", -0 stays in the first %" PRIu32 " outputs only", how->minus_zeros);
}

/* Has the tally a store of its own? */
static bool has_store(const saved_order *order) {
    const order_tally tally = order->arithmetic.tally;
    return cumsum_data_type_size(order->type) == 2 && tally != TALLY_BINARY16 &&
           tally != TALLY_BFLOAT16 && tally != TALLY_EXACT;
}

/* "binary32, stored nearest-even, -0 alone gives +0" */
static void show_arithmetic(const fingerprint *f) {
    const order_arithmetic *how = &f->order.arithmetic;
    if (how->tally == TALLY_EXACT)
        fputs("exact, rounded once", stdout);
    else
        fputs(word_of(order_tally_words, (int)how->tally), stdout);
    if (has_store(&f->order))
        printf(", stored %s", word_of(half_store_words, (int)how->store));
    if (f->order.type != CUMSUM_DATA_TYPE_FLOAT16)
        printf(", subnormals %s", how->denormals ? "flushed" : "kept");
    show_zeros(how);
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
    if (f->depends[ON_PLACE].outcome == DEPENDENCE_FOUND)
        printf(" in the first %" PRIu32 " outputs, then another",
               f->order.limit + f->block.exclusive);
    if (f->order.name.kind == ORDER_UNNAMED && f->order.outputs > SHOWN_TERMS)
        fputs(" (-v shows the trees, --output saves them)", stdout);
    putchar('\n');
}

static void show_head(const shown *s) {
    const line_block *b = &s->f->block;
    char adapted[ADAPTATION_TEXT];
    fputs("source     ", stdout);
    text_show(stdout, s->source);
    printf("\nlines      %s, %" PRIu32 " elements, %" PRIu32 " at once, %s, %s%s%s\n",
           cumsum_data_type_name(b->type), b->length, b->lines,
           b->decreasing ? "decreasing" : "increasing", b->exclusive ? "exclusive" : "inclusive",
           adapted_lines(s) ? "; " : "", adaptation_text(adapted_lines(s), adapted));
}

static void show_checks(const tool_options *o, const shown *s) {
    char text[ADAPTATION_TEXT];
    for (int i = 0; i < DEPENDENCE_COUNT; i++) {
        const dependence *d = &s->f->depends[i];
        const uint32_t adapted = adapted_for(s, (dependence_kind)i);
        if (d->outcome == DEPENDENCE_NOT_ASKED ||
            (o->report.quiet && d->outcome == DEPENDENCE_NONE))
            continue;
        printf("%-10s %s: ", dependence_name((dependence_kind)i), outcome_word(d->outcome));
        text_show(stdout, d->text);
        printf("%s%s\n", adapted ? "; " : "", adaptation_text(adapted, text));
    }
}

static void show_order(const tool_options *o, const fingerprint *f) {
    show_names(f);
    for (uint32_t k = 0; shows_trees(o, f) && k < f->order.outputs; k++) {
        char *tree = tree_text(f, k);
        printf("  output %-3" PRIu32 " %s\n", k + f->block.exclusive, tree);
        free(tree);
    }
    fputs("sums       ", stdout);
    show_arithmetic(f);
}

static void show_text(const tool_options *o, const shown *s) {
    const fingerprint *f = s->f;
    show_head(s);
    if (f->state == FINGERPRINT_ORDER) {
        show_order(o, f);
    } else {
        printf("order      %s: ", f->state == FINGERPRINT_NONE ? "NONE" : "UNSTABLE");
        text_show(stdout, f->reason);
        putchar('\n');
    }
    show_checks(o, s);
    if (f->probes)
        printf("%" PRIu64 " probes in %" PRIu64 " run%s\n", f->probes, f->runs,
               f->runs == 1 ? "" : "s");
}

static json_object *json_head(const shown *s) {
    const line_block *b = &s->f->block;
    json_object *line = report_event("fingerprint");
    fields_text(line, "source", s->source);
    fields_text(line, "type", cumsum_data_type_name(b->type));
    fields_count(line, "elements", b->length);
    fields_count(line, "atOnce", b->lines);
    fields_text(line, "direction", b->decreasing ? "DECREASING" : "INCREASING");
    fields_flag(line, "exclusive", b->exclusive);
    adaptation_fields(line, adapted_lines(s));
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
    if (f->order.limit)
        fields_count(line, "limit", f->order.limit);
}

static void json_arithmetic(json_object *line, const saved_order *order) {
    const order_arithmetic *how = &order->arithmetic;
    fields_text(line, "tally", word_of(order_tally_words, (int)how->tally));
    fields_flag(line, "minusZero", how->minus_zeros > 0);
    if (how->minus_zeros == ORDER_SOME_OUTPUTS)
        fields_text(line, "minusZeros", "any");
    else if (how->minus_zeros && how->minus_zeros != ORDER_ALL_OUTPUTS)
        fields_count(line, "minusZeros", how->minus_zeros);
    if (has_store(order))
        fields_text(line, "store", word_of(half_store_words, (int)how->store));
    if (order->type != CUMSUM_DATA_TYPE_FLOAT16)
        fields_text(line, "denormals", word_of(denormals_words, (int)how->denormals));
}

static void json_checks(json_object *line, const shown *s) {
    static const char *const outcomes[] = {"", "same", "zeros", "differs", "unavailable"};
    json_object *checks = json_make_object();
    json_object *depends = json_make_array();
    for (int i = 0; i < DEPENDENCE_COUNT; i++) {
        const dependence *d = &s->f->depends[i];
        const char *name = dependence_name((dependence_kind)i);
        if (d->outcome == DEPENDENCE_NOT_ASKED)
            continue;
        json_object *check = json_make_object();
        fields_text(check, "outcome", outcomes[d->outcome]);
        fields_text(check, "text", d->text);
        adaptation_fields(check, adapted_for(s, (dependence_kind)i));
        json_put_member(checks, name, check);
        if (d->outcome == DEPENDENCE_FOUND)
            json_put_element(depends, json_make_string(name));
    }
    json_put_member(line, "dependsOn", depends);
    json_put_member(line, "checks", checks);
}

static void json_trees(json_object *line, const fingerprint *f) {
    json_object *trees = json_make_array();
    for (uint32_t k = 0; k < f->order.outputs; k++) {
        char *tree = tree_text(f, k);
        json_put_element(trees, json_make_string(tree));
        free(tree);
    }
    json_put_member(line, "trees", trees);
}

static void show_json(const tool_options *o, const shown *s) {
    const fingerprint *f = s->f;
    json_object *line = json_head(s);
    if (f->state == FINGERPRINT_ORDER) {
        json_names(line, f);
        json_arithmetic(line, &f->order);
    } else {
        fields_text(line, "order", f->state == FINGERPRINT_NONE ? "none" : "unstable");
        fields_text(line, "reason", f->reason);
    }
    json_checks(line, s);
    if (f->state == FINGERPRINT_ORDER && shows_trees(o, f))
        json_trees(line, f);
    fields_count(line, "probes", f->probes);
    fields_count(line, "runs", f->runs);
    report_json_line(line);
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

/* Saves and shows the fingerprint. */
static tool_status show_fingerprint(const tool_options *options, const shown *s,
                                    tool_error *error) {
    if (s->f->state == FINGERPRINT_ORDER && options->output) {
        const tool_status status =
            order_file_write(options->output, &s->f->order, s->source, error);
        if (status != TOOL_OK)
            return status;
    }
    if (options->report.json)
        show_json(options, s);
    else
        show_text(options, s);
    return fingerprint_holds(s->f) ? TOOL_OK : TOOL_MISMATCH;
}

static tool_status fingerprint_of(const tool_options *options, backend_lines *lines,
                                  const char *source) {
    const line_runner runner = {backend_lines_run, lines};
    const uint32_t length = options->length ? options->length : DEFAULT_LENGTH;
    tool_error error = {""};
    fingerprint f;
    const line_block block = {.type = options->type ? options->type : CUMSUM_DATA_TYPE_FLOAT32,
                              .lines = lines_at_once(length),
                              .length = length,
                              .decreasing = options->decreasing,
                              .exclusive = options->exclusive};
    tool_status status =
        fingerprint_take(&f, &runner, &block, options->runs ? options->runs : DEFAULT_RUNS,
                         options->longest ? options->longest : DEFAULT_LONGEST, &error);
    if (status == TOOL_OK)
        status = show_fingerprint(options, &(shown){&f, source, lines}, &error);
    if (status != TOOL_OK && status != TOOL_MISMATCH)
        fprintf(stderr, "cumsum: %s%s\n", status == TOOL_SKIPPED ? "SKIPPED: " : "", error.message);
    fingerprint_end(&f);
    return status;
}

static tool_status of_executor(const tool_options *options, executor *e) {
    backend_lines lines = {.executor = e};
    char source[400];
    if (executor_reason(e)) {
        fprintf(stderr, "cumsum: backend %s: SKIPPED: %s\n", backend_name(e->backend),
                executor_reason(e));
        return TOOL_SKIPPED;
    }
    snprintf(source, sizeof source, "backend %s%s%s", backend_name(e->backend),
             e->device ? " on " : "", e->device ? e->device->name : "");
    return fingerprint_of(options, &lines, source);
}

static tool_status of_backend(const tool_options *options) {
    executor e;
    tool_error error;
    tool_status status = executor_begin(&e, &options->backend, options->backend.backend, &error);
    if (status != TOOL_OK)
        fprintf(stderr, "cumsum: %s\n", error.message);
    else
        status = of_executor(options, &e);
    executor_end(&e);
    return status;
}

static tool_status check_arguments(const tool_options *options) {
    if (options->file_count)
        return command_usage_error(options, "unexpected argument '%s'", options->files[0]);
    if (!options->backend.exec &&
        (options->type == CUMSUM_DATA_TYPE_FLOAT64 || options->type == CUMSUM_DATA_TYPE_BFLOAT16)) {
        return command_usage_error(options, "option --type: %s needs --exec",
                                   cumsum_data_type_name(options->type));
    }
    const line_format *format = options->type ? line_format_of(options->type) : NULL;
    if (format && options->length > format->most) {
        return command_usage_error(options,
                                   "option --length: %s counts to %" PRIu32 " only; the rule: at "
                                   "most %" PRIu32 " elements",
                                   cumsum_data_type_name(options->type), format->most,
                                   format->most);
    }
    return command_device_options(options);
}

tool_status command_fingerprint(const tool_options *options) {
    const tool_status status = check_arguments(options);
    if (status != TOOL_OK)
        return status;
    return of_backend(options);
}
