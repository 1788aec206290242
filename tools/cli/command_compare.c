/* SPDX-License-Identifier: MIT */
/* cumsum compare: two results of sweeps beside each other. A summary comes first, then what
 * changed: in groups as text, case by case as JSON. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "case_features.h"
#include "commands.h"
#include "html_report.h"
#include "json_print.h"
#include "memory.h"
#include "report.h"
#include "results_compare.h"
#include "results_words.h"
#include "text.h"

/* Groups that are shown, and cases of a group, without --verbose. */
#define GROUPS_SHOWN 20
#define CASES_SHOWN  3

/* Reads one file. False, with messages, if it is not the results of a sweep. */
static bool read_results(report *r, const tool_options *options, const char *path,
                         sweep_results *results) {
    bool good = true;
    sweep_results_read(results, path);
    sweep_results_check(results);
    for (size_t i = 0; i < results->problem_count; i++) {
        const results_problem *problem = &results->problems[i];
        if (!problem->incomplete || !options->allow_incomplete) {
            report_error(r, problem->status, NULL, problem->message);
            good = false;
        }
    }
    return good;
}

/* A pass must mean the same in both. */
static bool same_acceptance(report *r, const results_merge *a, const results_merge *b) {
    char message[400];
    const char *from = results_text(a->header, "accept");
    const char *to = results_text(b->header, "accept");
    if (strcmp(from, to) == 0)
        return true;
    snprintf(
        message, sizeof message,
        "%.100s:1: --accept %.20s, and %.100s has --accept %.20s: a pass is not the same in both",
        b->results->files[0].path, to, a->results->files[0].path, from);
    report_error(r, TOOL_MALFORMED, NULL, message);
    return false;
}

static void show_side(const char *title, const results_merge *merge) {
    char *subject = results_subject(merge->header);
    printf("%s  ", title);
    text_show(stdout, merge->results->files[0].path);
    fputs(": ", stdout);
    text_show(stdout, subject);
    fputs(", cumsum ", stdout);
    text_show(stdout, results_text(merge->header, "version"));
    printf(", %zu %s\n", merge->results->names.count,
           merge->results->names.count == 1 ? "case" : "cases");
    free(subject);
}

static void show_summary(const results_comparison *c) {
    printf("B is worse in %" PRIu64 " of %zu cases, better in %" PRIu64
           ", otherwise changed in %" PRIu64,
           c->counts[CHANGE_WORSE], c->count, c->counts[CHANGE_BETTER], c->counts[CHANGE_OTHER]);
    if (c->only_a || c->only_b)
        printf("; %" PRIu64 " are only in A, %" PRIu64 " only in B", c->only_a, c->only_b);
    putchar('\n');
    show_side("A", c->a);
    show_side("B", c->b);
}

static void show_result(const char *title, const results_case *result) {
    char *words = results_outcome_words(result);
    printf("           %s  ", title);
    text_show(stdout, words);
    putchar('\n');
    free(words);
}

static int by_elements(const void *a, const void *b) {
    const model_case *x = *(const model_case *const *)a;
    const model_case *y = *(const model_case *const *)b;
    return x->elements < y->elements ? -1 : x->elements > y->elements ? 1 : x < y ? -1 : x > y;
}

/* The smallest cases of a group, which are the failed ones in `cases`. */
static void show_cases(const results_comparison *c, const model_case *cases, uint64_t count,
                       uint64_t shown) {
    const model_case **sorted = tool_calloc(count, sizeof(const model_case *));
    size_t used = 0;
    for (size_t i = 0; i < c->count; i++)
        if (cases[i].failed)
            sorted[used++] = &cases[i];
    qsort(sorted, used, sizeof(const model_case *), by_elements);
    for (size_t i = 0; i < used && i < shown; i++) {
        const case_change *change = &c->cases[sorted[i] - cases];
        printf("        %s\n", change->name);
        show_result("A", change->a);
        show_result("B", change->b);
    }
    if (count > shown)
        printf("        and %" PRIu64 " more (-v shows all)\n", count - shown);
    free(sorted);
}

static void show_group(const report *r, const results_comparison *c, uint32_t group,
                       model_case *cases) {
    static const char *const colors[] = {"\033[31m", "\033[32m", "\033[33m"};
    const change_group *g = &c->groups[group];
    for (size_t i = 0; i < c->count; i++)
        cases[i].failed = c->cases[i].kind != CHANGE_NONE && c->cases[i].group == group;
    char *common = case_features_words(cases, c->count);
    printf("%s%-7s%s %" PRIu64 "  ", r->color ? colors[g->kind] : "", change_kind_name(g->kind),
           r->color ? "\033[0m" : "", g->count);
    text_show(stdout, g->what);
    putchar('\n');
    if (*common && g->count > 1)
        printf("        all of them have: %s\n", common);
    show_cases(c, cases, g->count, r->settings->verbose ? g->count : CASES_SHOWN);
    free(common);
}

static void show_only(const char *title, const results_merge *in, const results_merge *other) {
    for (size_t i = 0; i < in->results->names.count; i++)
        if (!name_set_has(&other->results->names, in->cases[i].name))
            printf("only in %s  %s\n", title, in->cases[i].name);
}

static void show_text(const report *r, const results_comparison *c) {
    model_case *cases = report_model_changes(c);
    const uint32_t most = r->settings->verbose ? c->group_count : GROUPS_SHOWN;
    show_summary(c);
    for (uint32_t i = 0; i < c->group_count && i < most; i++)
        if (c->groups[i].kind == CHANGE_WORSE || !r->settings->quiet)
            show_group(r, c, i, cases);
    if (c->group_count > most)
        printf("and %" PRIu32 " more kinds of changes (-v shows all)\n", c->group_count - most);
    if (r->settings->verbose) {
        show_only("A", c->a, c->b);
        show_only("B", c->b, c->a);
    }
    free(cases);
}

/* The record of a case without what is there in any case. */
static json_object *side_object(const results_case *result) {
    json_object *record = results_record(result);
    json_object *object = json_make_object();
    fields_text(object, "state", sweep_state_name(result->outcome));
    json_object_object_foreach(record, key, value) {
        if (strcmp(key, "event") != 0 && strcmp(key, "name") != 0 && strcmp(key, "state") != 0 &&
            strcmp(key, "outcome") != 0)
            json_put_member(object, key, json_object_get(value));
    }
    json_object_put(record);
    return object;
}

static void json_case(const char *change, const char *name, const char *what, json_object *a,
                      json_object *b) {
    json_object *object = report_event("change");
    fields_text(object, "change", change);
    fields_text(object, "name", name);
    if (what)
        fields_text(object, "what", what);
    if (a)
        json_put_member(object, "a", a);
    if (b)
        json_put_member(object, "b", b);
    report_json_line(object);
}

static void json_only(const char *change, const results_merge *in, const results_merge *other) {
    for (size_t i = 0; i < in->results->names.count; i++)
        if (!name_set_has(&other->results->names, in->cases[i].name))
            json_case(change, in->cases[i].name, NULL, NULL, NULL);
}

static void show_json(const results_comparison *c) {
    json_object *object = report_event("comparison");
    for (int kind = 0; kind < CHANGE_KINDS; kind++)
        fields_count(object, change_kind_name((change_kind)kind), c->counts[kind]);
    fields_count(object, "onlyA", c->only_a);
    fields_count(object, "onlyB", c->only_b);
    json_put_member(object, "a", json_object_get(c->a->header));
    json_put_member(object, "b", json_object_get(c->b->header));
    report_json_line(object);
    for (size_t i = 0; i < c->count; i++) {
        const case_change *change = &c->cases[i];
        if (change->kind != CHANGE_NONE) {
            json_case(change_kind_name(change->kind), change->name, c->groups[change->group].what,
                      side_object(change->a), side_object(change->b));
        }
    }
    json_only("only-a", c->a, c->b);
    json_only("only-b", c->b, c->a);
}

static void compare(report *r, const tool_options *options, const results_merge *a,
                    const results_merge *b) {
    results_comparison c;
    tool_error error;
    results_compare_begin(&c, a, b);
    r->failed = c.counts[CHANGE_WORSE];
    r->passed = c.count - r->failed;
    r->skipped = c.only_a + c.only_b;
    if (r->settings->json)
        show_json(&c);
    else
        show_text(r, &c);
    if (options->html && html_comparison(&c, options->html, &error) != TOOL_OK)
        report_error(r, TOOL_ENVIRONMENT, NULL, error.message);
    results_compare_end(&c);
}

tool_status command_compare(const tool_options *options) {
    report r;
    tool_error error;
    sweep_results files[2] = {{0}, {0}};
    if (options->file_count != 2)
        return command_usage_error(options, "two files of results are needed, %zu %s given",
                                   options->file_count, options->file_count == 1 ? "is" : "are");
    tool_status status = report_begin(&r, &options->report, &error);
    if (status != TOOL_OK) {
        report_error(&r, status, NULL, error.message);
        return report_end_quietly(&r);
    }
    const bool good_a = read_results(&r, options, options->files[0], &files[0]);
    const bool good_b = read_results(&r, options, options->files[1], &files[1]);
    if (good_a && good_b) {
        results_merge a;
        results_merge b;
        results_merge_begin(&a, &files[0]);
        results_merge_begin(&b, &files[1]);
        if (same_acceptance(&r, &a, &b))
            compare(&r, options, &a, &b);
        results_merge_end(&a);
        results_merge_end(&b);
    }
    sweep_results_free(&files[0]);
    sweep_results_free(&files[1]);
    return report_end_quietly(&r);
}
