/* SPDX-License-Identifier: MIT */
#include "failure_groups.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"

/* Of equal size in the order of their names, which is that of the model. */
static int by_size(const void *a, const void *b) {
    const model_case *x = *(const model_case *const *)a;
    const model_case *y = *(const model_case *const *)b;
    return x->elements < y->elements ? -1 : x->elements > y->elements ? 1 : x < y ? -1 : x > y;
}

static void add_rule(failure_group *group, failure_rule rule) {
    group->rules = tool_realloc(group->rules, group->rule_count + 1, sizeof *group->rules);
    group->rules[group->rule_count++] = rule;
}

/* The group of the rule of link `first`. Returns the link behind the rule's. */
static size_t collect(failure_group *group, const report_model *model, size_t first) {
    const rule_index *rules = &model->rules;
    failure_rule rule = {.name = rules->rules.names[rules->links[first].rule]};
    size_t end = first;
    while (end < rules->count && rules->links[end].rule == rules->links[first].rule)
        end++;
    *group = (failure_group){.cases = tool_calloc(end - first, sizeof(const model_case *))};
    for (size_t i = first; i < end; i++) {
        const model_case *one = report_model_linked(model, i);
        case_counts_add(&rule.counts, one);
        if (one->shown)
            group->cases[group->count++] = one;
    }
    qsort(group->cases, group->count, sizeof(const model_case *), by_size);
    add_rule(group, rule);
    return end;
}

static void free_group(failure_group *group) {
    free(group->rules);
    free(group->cases);
}

static bool same_cases(const failure_group *a, const failure_group *b) {
    return a->count == b->count &&
           memcmp(a->cases, b->cases, a->count * sizeof(const model_case *)) == 0;
}

/* Adds it, or its rule to the group that has its cases. Takes it over. */
static void add(failure_groups *groups, failure_group *group) {
    for (size_t i = 0; i < groups->count; i++) {
        if (same_cases(&groups->list[i], group)) {
            add_rule(&groups->list[i], group->rules[0]);
            free_group(group);
            return;
        }
    }
    groups->list = tool_realloc(groups->list, groups->count + 1, sizeof *groups->list);
    groups->list[groups->count++] = *group;
}

void failure_groups_begin(failure_groups *groups, const report_model *model) {
    *groups = (failure_groups){0};
    for (size_t link = 0; link < model->rules.count;) {
        failure_group group;
        link = collect(&group, model, link);
        if (group.count)
            add(groups, &group);
        else
            free_group(&group);
    }
}

void failure_groups_free(failure_groups *groups) {
    for (size_t i = 0; i < groups->count; i++)
        free_group(&groups->list[i]);
    free(groups->list);
    *groups = (failure_groups){0};
}
