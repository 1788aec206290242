/* SPDX-License-Identifier: MIT */
/* Makes the model of a page: describes each case, and links cases to the rules of the built-in
 * lists. */
#include "report_model.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case_list.h"
#include "memory.h"

/* Case number `place` of the model tests rule number `rule` of its rule_names. */
typedef struct rule_link {
    uint32_t rule;
    size_t place;
} rule_link;

typedef struct rule_index {
    report_model *model;
    size_t *places; /* by number of the name in the results: the case's place in the model */
    bool *linked;   /* by place: some list names the case below a rule */
    rule_link *links;
    size_t count;
} rule_index;

static void add_link(rule_index *index, size_t place, const char *rule) {
    name_set *names = &index->model->rule_names;
    index->links = tool_grow(index->links, index->count, sizeof *index->links);
    name_set_add(names, rule);
    index->links[index->count++] = (rule_link){(uint32_t)name_set_find(names, rule), place};
    index->linked[place] = true;
}

/* Called by list_walk for each name of a list; its rules are words with spaces between them. */
static tool_status link_listed(void *context, const listed_name *listed, tool_error *error) {
    rule_index *index = context;
    size_t name = name_set_find(&index->model->merge->results->names, listed->name);
    (void)error;
    for (const char *at = listed->rules; name != SIZE_MAX && *at;) {
        char rule[80];
        size_t length = strcspn(at, " ");
        snprintf(rule, sizeof rule, "%.*s", (int)length, at);
        add_link(index, index->places[name], rule);
        at += length + strspn(at + length, " ");
    }
    return TOOL_OK;
}

static int compare_links(const void *a, const void *b) {
    const rule_link *x = a;
    const rule_link *y = b;
    if (x->rule != y->rule)
        return x->rule < y->rule ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

/* Gives each rule its cases. A name that is in two lists has the same link twice. */
static void fill_rules(report_model *model, const rule_index *index) {
    size_t kept = 0;
    model->rules = tool_calloc(model->rule_names.count + 1, sizeof *model->rules);
    model->rule_cases = tool_calloc(index->count + 1, sizeof(const model_case *));
    for (size_t i = 0; i < index->count; i++) {
        const rule_link *link = &index->links[i];
        const bool new_rule = i == 0 || link->rule != link[-1].rule;
        if (!new_rule && link->place == link[-1].place)
            continue;
        if (new_rule) {
            model->rules[model->rule_count++] = (model_rule){
                .name = model->rule_names.names[link->rule], .cases = &model->rule_cases[kept]};
        }
        model->rule_cases[kept++] = &model->cases[link->place];
        model->rules[model->rule_count - 1].count++;
    }
}

void report_model_add_rules(report_model *model) {
    const sweep_results *results = model->merge->results;
    tool_error error;
    rule_index index = {.model = model,
                        .places = tool_calloc(model->count + 1, sizeof *index.places),
                        .linked = tool_calloc(model->count + 1, sizeof *index.linked)};
    for (size_t i = 0; i < model->count; i++)
        index.places[model->cases[i].result - results->cases] = i;
    for (const case_list *list = builtin_lists; list->name; list++)
        (void)list_walk(list, link_listed, &index, &error); /* built-in lists are valid */
    for (size_t i = 0; i < model->count; i++)
        if (!index.linked[i])
            add_link(&index, i, RULE_NONE);
    if (index.count)
        qsort(index.links, index.count, sizeof *index.links, compare_links);
    fill_rules(model, &index);
    free(index.links);
    free(index.linked);
    free(index.places);
}

/* The name is valid: it was parsed when the results were read. */
static void describe(model_case *one, const merged_case *merged) {
    tool_error error;
    sweep_state outcome = merged->result->outcome;
    *one = (model_case){.name = merged->name, .result = merged->result};
    (void)case_parse(one->name, &one->spec, &error);
    one->elements = case_lines(&one->spec) * one->spec.sizes[one->spec.axis];
    one->ran = outcome != SWEEP_NOT_SUPPORTED;
    one->failed = sweep_state_is_failure(outcome);
    one->shown = one->failed && sweep_state_fails_sweep(merged->result->state);
}

void report_model_begin(report_model *model, const results_merge *merge) {
    size_t count = merge->results->names.count;
    *model = (report_model){
        .merge = merge, .cases = tool_calloc(count + 1, sizeof *model->cases), .count = count};
    for (size_t i = 0; i < count; i++)
        describe(&model->cases[i], &merge->cases[i]);
}

model_case *report_model_changes(const results_comparison *comparison) {
    model_case *cases = tool_calloc(comparison->count + 1, sizeof *cases);
    for (size_t i = 0; i < comparison->count; i++) {
        describe(&cases[i], &(merged_case){comparison->cases[i].name, comparison->cases[i].b});
        cases[i].ran = true;
        cases[i].failed = false;
    }
    return cases;
}

void report_model_free(report_model *model) {
    name_set_free(&model->rule_names);
    free(model->rules);
    free(model->rule_cases);
    free(model->cases);
    *model = (report_model){0};
}

void case_counts_add(case_counts *counts, const model_case *one) {
    counts->cases++;
    counts->ran += one->ran;
    counts->failed += one->failed;
}
