/* SPDX-License-Identifier: MIT */
#include "rule_index.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "list_walk.h"
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
