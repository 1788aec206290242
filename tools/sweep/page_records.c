/* SPDX-License-Identifier: MIT */
/* The page of a sweep: its records, and what the reporter of web/report needs beside them. Nearly
 * all records of a sweep are passes that differ in their names only, so that a page has these names
 * alone, each as what differs from the one before. */
#include "results.h"

#include <stdlib.h>
#include <string.h>

#include "case_list.h"
#include "json_print.h"
#include "memory.h"
#include "page.h"
#include "report.h"
#include "text.h"

/* A pass that is no plain one has a reason: other bits than the expected ones, say. */
static bool is_plain_pass(const results_case *one) {
    return one->state == SWEEP_PASS && one->outcome == SWEEP_PASS && !one->flaky && !one->remarked;
}

static void add_name(json_object *names, const char *name, const char *before) {
    const size_t length = strlen(name);
    const size_t shorter = strlen(before) < length ? strlen(before) : length;
    size_t begin = 0;
    size_t end = 0;
    while (begin < shorter && name[begin] == before[begin])
        begin++;
    while (end < shorter - begin && name[length - 1 - end] == before[strlen(before) - 1 - end])
        end++;
    char *middle = tool_strdup(name + begin);
    middle[length - begin - end] = '\0';
    json_put_element(names, json_make_count(begin));
    json_put_element(names, json_make_count(end));
    json_put_element(names, json_make_string(middle));
    free(middle);
}

static void put_names(FILE *out, const sweep_results *r) {
    json_object *record = report_event("names");
    json_object *names = json_make_array();
    for (size_t i = 0; i < r->names.count; i++)
        add_name(names, r->sorted[i]->name, i ? r->sorted[i - 1]->name : "");
    json_put_member(record, "names", names);
    report_json_line_to(out, record);
}

/* A built-in list has the case at `place` of the sorted cases below the rules of this number. */
typedef struct rule_link {
    size_t rules;
    size_t place;
} rule_link;

typedef struct rule_links {
    const sweep_results *results;
    size_t *places; /* by the number of the name in the results */
    name_set rules;
    rule_link *list;
    size_t count;
} rule_links;

/* Called by list_walk for each name of a list. */
static tool_status add_link(void *context, const listed_name *listed, tool_error *error) {
    rule_links *links = context;
    const size_t name = name_set_find(&links->results->names, listed->name);
    (void)error;
    if (name == SIZE_MAX || !*listed->rules)
        return TOOL_OK;
    name_set_add(&links->rules, listed->rules);
    links->list = tool_grow(links->list, links->count, sizeof *links->list);
    links->list[links->count++] =
        (rule_link){name_set_find(&links->rules, listed->rules), links->places[name]};
    return TOOL_OK;
}

static int compare_links(const void *a, const void *b) {
    const rule_link *x = a;
    const rule_link *y = b;
    if (x->rules != y->rules)
        return x->rules < y->rules ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

/* A name that is in two lists has the same link twice. */
static void put_links(FILE *out, const rule_links *links) {
    for (size_t i = 0; i < links->count;) {
        const size_t rules = links->list[i].rules;
        json_object *record = report_event("rules");
        json_object *cases = json_make_array();
        fields_text(record, "rules", links->rules.names[rules]);
        for (; i < links->count && links->list[i].rules == rules; i++)
            if (i == 0 || compare_links(&links->list[i - 1], &links->list[i]) != 0)
                json_put_element(cases, json_make_count(links->list[i].place));
        json_put_member(record, "cases", cases);
        report_json_line_to(out, record);
    }
}

static void put_rules(FILE *out, const sweep_results *r) {
    tool_error error;
    const size_t count = r->names.count;
    rule_links links = {.results = r, .places = tool_calloc(count + 1, sizeof *links.places)};
    for (size_t i = 0; i < count; i++)
        links.places[r->sorted[i] - r->cases] = i;
    for (const case_list *list = builtin_lists; list->name; list++)
        (void)list_walk(list, add_link, &links, &error); /* built-in lists are valid */
    if (links.count)
        qsort(links.list, links.count, sizeof *links.list, compare_links);
    put_links(out, &links);
    name_set_free(&links.rules);
    free(links.list);
    free(links.places);
}

static void put_sweep(FILE *out, const sweep_results *r) {
    report_json_line_to(out, json_object_get(r->header));
    for (size_t i = 0; i < r->names.count; i++) {
        const results_case *one = r->sorted[i];
        if (!is_plain_pass(one)) {
            fwrite(one->text, 1, one->length, out);
            putc('\n', out);
        }
    }
    report_json_line_to(out, json_object_get(r->footer));
    put_names(out, r);
    put_rules(out, r);
}

tool_status page_of_sweep(const sweep_results *r, const char *path, tool_error *error) {
    text_buffer records;
    text_buffer_open(&records);
    put_sweep(records.stream, r);
    return page_write(path, &records, error);
}
