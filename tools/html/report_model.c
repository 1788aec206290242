/* SPDX-License-Identifier: MIT */
#include "report_model.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case_list.h"
#include "html_text.h"
#include "memory.h"

typedef struct indexer {
    rule_index *index;
    const name_set *names;
    bool *linked; /* of the names */
} indexer;

static void add_link(rule_index *index, size_t name, const char *rule) {
    if (index->count == index->room) {
        index->room = index->room ? 2 * index->room : 1024;
        index->links = tool_realloc(index->links, index->room, sizeof *index->links);
    }
    name_set_add(&index->rules, rule);
    index->links[index->count++] = (rule_link){(uint32_t)name_set_find(&index->rules, rule), name};
}

static tool_status take(void *context, const listed_name *listed, tool_error *error) {
    indexer *x = context;
    size_t name = name_set_find(x->names, listed->name);
    (void)error;
    for (const char *at = listed->rules; name != SIZE_MAX && *at;) {
        char rule[80];
        size_t length = strcspn(at, " ");
        snprintf(rule, sizeof rule, "%.*s", (int)length, at);
        add_link(x->index, name, rule);
        x->linked[name] = true;
        at += length + strspn(at + length, " ");
    }
    return TOOL_OK;
}

static int compare_links(const void *a, const void *b) {
    const rule_link *x = a;
    const rule_link *y = b;
    if (x->rule != y->rule)
        return x->rule < y->rule ? -1 : 1;
    return x->name < y->name ? -1 : x->name > y->name;
}

/* A name that stands in two lists has the same link twice. */
static void sort_links(rule_index *index) {
    size_t kept = 0;
    qsort(index->links, index->count, sizeof *index->links, compare_links);
    for (size_t i = 0; i < index->count; i++)
        if (kept == 0 || compare_links(&index->links[kept - 1], &index->links[i]) != 0)
            index->links[kept++] = index->links[i];
    index->count = kept;
}

void rule_index_begin(rule_index *index, const name_set *names) {
    tool_error error;
    *index = (rule_index){0};
    indexer x = {index, names, tool_calloc(names->count + 1, sizeof *x.linked)};
    for (const case_list *list = builtin_lists; list->name; list++)
        (void)list_walk(list, take, &x, &error); /* they are part of the program, and valid */
    for (size_t i = 0; i < names->count; i++)
        if (!x.linked[i])
            add_link(index, i, RULE_NONE);
    free(x.linked);
    if (index->count)
        sort_links(index);
}

void rule_index_free(rule_index *index) {
    name_set_free(&index->rules);
    free(index->links);
    *index = (rule_index){0};
}

/* The name was parsed when the results were read. */
static void describe(model_case *one, const merged_case *merged) {
    tool_error error;
    sweep_state outcome = merged->result->outcome;
    *one = (model_case){.name = merged->name, .result = merged->result, .elements = 1};
    (void)case_parse(one->name, &one->spec, &error);
    for (uint32_t d = 0; d < one->spec.rank; d++)
        one->elements *= one->spec.sizes[d];
    one->ran = outcome != SWEEP_NOT_SUPPORTED;
    one->failed = sweep_state_is_failure(outcome);
    one->shown = one->failed && sweep_state_fails_sweep(merged->result->state);
}

void report_model_begin(report_model *model, const results_merge *merge) {
    const sweep_results *results = merge->results;
    size_t count = results->names.count;
    *model = (report_model){.merge = merge,
                            .cases = tool_calloc(count + 1, sizeof *model->cases),
                            .count = count,
                            .by_name = tool_calloc(count + 1, sizeof *model->by_name)};
    for (size_t i = 0; i < count; i++) {
        describe(&model->cases[i], &merge->cases[i]);
        model->by_name[merge->cases[i].result - results->cases] = i;
    }
}

void report_model_add_rules(report_model *model) {
    rule_index_begin(&model->rules, &model->merge->results->names);
}

void report_model_free(report_model *model) {
    rule_index_free(&model->rules);
    free(model->cases);
    free(model->by_name);
    *model = (report_model){0};
}

void case_counts_add(case_counts *counts, const model_case *one) {
    counts->cases++;
    counts->ran += one->ran;
    counts->failed += one->failed;
}

const model_case *report_model_linked(const report_model *model, size_t link) {
    return &model->cases[model->by_name[model->rules.links[link].name]];
}

/* A line of rules.txt, not terminated. */
typedef struct text_line {
    const char *text;
    int length;
} text_line;

static bool next_line(const char **at, text_line *line) {
    if (!**at)
        return false;
    line->text = *at;
    line->length = (int)strcspn(*at, "\n");
    *at += line->length + ((*at)[line->length] == '\n');
    return true;
}

/* Is the rule a word of the line? */
static bool has_word(const text_line *line, const char *rule) {
    size_t length = strlen(rule);
    const char *end = line->text + line->length;
    for (const char *at = line->text; at < end;) {
        size_t word = strcspn(at, " \n");
        if (word == length && strncmp(at, rule, length) == 0)
            return true;
        at += word + 1;
    }
    return false;
}

/* Without the marks of Markdown; the cells of a table's row one after the other. */
static void put_plain(FILE *out, const char *text, int length) {
    for (int i = 0; i < length; i++) {
        const char letter[2] = {text[i], '\0'};
        bool row = text[0] == '|';
        if (text[i] == '|' && row)
            fputs(i > 0 && i < length - 1 ? "\xc2\xb7" : "", out);
        else if (text[i] != '`' && text[i] != '*')
            html_text(out, letter);
    }
}

/* A statement is told by its first words, or whole where it is short. */
static void put_statement(FILE *out, const text_line *document, const text_line *statement) {
    const char *text = statement->text + 2;
    int length = statement->length - 2;
    bool whole = strchr(".|", text[length - 1]) != NULL;
    fputs("<p class=\"soft\">", out);
    html_format(out, "%.*s: ", document->length, document->text);
    put_plain(out, text, length);
    fputs(whole ? "</p>\n" : " ...</p>\n", out);
}

void rule_statements(FILE *out, const char *rule) {
    text_line line;
    text_line document = {"", 0};
    text_line statement = {"", 0};
    for (const char *at = embedded_rules; next_line(&at, &line);) {
        if (line.text[0] == '>') {
            statement = line;
        } else if (line.text[0] == ' ') {
            if (*rule && statement.length > 2 && has_word(&line, rule))
                put_statement(out, &document, &statement);
        } else if (line.length && line.text[0] != '#') {
            document = line;
        }
    }
}
