/* SPDX-License-Identifier: MIT */
#include "fingerprint_show.h"

#include <inttypes.h>
#include <stdlib.h>

#include "json_make.h"
#include "report.h"
#include "report_fields.h"
#include "text.h"

/* Trees of an order without a name are shown up to here; those of longer lines fill screens. */
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
           (o->verbose || (f->order.name.kind == ORDER_UNNAMED && f->order.outputs <= SHOWN_TERMS));
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
        fputs(order_tally_words[how->tally], stdout);
        if (half && how->tally != TALLY_BINARY16)
            printf(", stored %s", order_store_words[how->store]);
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
        if (o->quiet && c->outcome == CHECK_SAME)
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
        fields_text(line, "tally", order_tally_words[order->arithmetic.tally]);
        fields_flag(line, "minusZero", order->arithmetic.keeps_minus_zero);
        if (half && order->arithmetic.tally != TALLY_BINARY16)
            fields_text(line, "store", order_store_words[order->arithmetic.store]);
    }
    if (!half)
        fields_text(line, "denormals", order_denormals_words[order->arithmetic.denormals]);
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

void fingerprint_show(const tool_options *options, const fingerprint *f) {
    if (options->json)
        show_json(options, f);
    else
        show_text(options, f);
}

void fingerprint_show_none(const tool_options *options, const fingerprint *f, const char *reason) {
    if (options->json) {
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
