/* SPDX-License-Identifier: MIT */
/* Compares results with earlier ones, or with passes, and groups the cases that changed alike: as
 * JSON, and as text. */
#include "results.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json_tree.h"
#include "memory.h"
#include "report.h"
#include "text.h"

/* Groups that are shown without --verbose. */
#define GROUPS_SHOWN 20

/* The words that cases of a group share: numbers and places are left out. */
static void write_cause(const results_case *one, char *text) {
    json_object *record = results_record(one);
    json_object *judgement = json_find(record, "judgement", json_type_object);
    json_object *instead = json_find(judgement, "explanation", json_type_object);
    json_object *doubt = json_find(judgement, "doubt", json_type_object);
    const char *verdict = json_find_text(judgement, "verdict");
    const char *reason = json_find_text(record, "reason");
    const bool certain = json_is_true(json_find(instead, "certain", json_type_boolean));
    const char *state = one->state == SWEEP_WORSE ? "" : sweep_state_name(one->state);
    const int used = snprintf(text, CHANGE_WHAT_ROOM, "%s%s", state, *state ? ": " : "");
    const size_t room = CHANGE_WHAT_ROOM - (size_t)used;
    text += used;
    if (!*state)
        snprintf(text, room, "%s", json_find_text(record, "change"));
    else if (instead)
        snprintf(text, room, "%s '%s'", certain ? "explained by" : "could be",
                 json_find_text(instead, "hypothesis"));
    else if (doubt)
        snprintf(text, room, "%s", json_find_text(doubt, "reason"));
    else if (strcmp(verdict, "FAIL") == 0)
        snprintf(text, room, "bits that no order of additions gives");
    else if (*verdict)
        snprintf(text, room, "other bits, %s", verdict);
    else if (json_find_number(record, "strayBytes", 0))
        snprintf(text, room, "bytes that belong to no element were written");
    else
        snprintf(text, room, "%s", *reason ? reason : "other bits");
    json_object_put(record);
}

/* Adds a case to its group, whose description it returns. A kind and what changed are a group's
 * name in `descriptions`: the kind is its first letter. */
static const char *add_to_group(results_comparison *c, change_kind kind, const char *what) {
    char name[CHANGE_WHAT_ROOM + 1];
    snprintf(name, sizeof name, "%c%.*s", 'a' + (int)kind, CHANGE_WHAT_ROOM - 1, what);
    if (name_set_add(&c->descriptions, name)) {
        c->groups = tool_grow(c->groups, c->group_count, sizeof *c->groups);
        c->groups[c->group_count++] = (change_group){
            .kind = kind, .what = c->descriptions.names[c->descriptions.count - 1] + 1};
    }
    change_group *group = &c->groups[name_set_find(&c->descriptions, name)];
    group->count++;
    return group->what;
}

static int by_kind(const void *a, const void *b) {
    const change_group *x = a;
    const change_group *y = b;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    return x->count > y->count ? -1 : x->count < y->count ? 1 : strcmp(x->what, y->what);
}

/* The name was valid when the results were read. */
static uint64_t elements_in_case(const char *name) {
    case_spec spec = {.rank = 0};
    (void)case_parse(name, &spec, NULL);
    return case_lines(&spec) * spec.sizes[spec.axis];
}

static void add_case(results_comparison *c, const results_case *a, const results_case *b,
                     change_kind kind, const char *what) {
    c->counts[kind]++;
    c->cases[c->count++] =
        (case_change){.a = a,
                      .b = b,
                      .kind = kind,
                      .what = kind == CHANGE_NONE ? NULL : add_to_group(c, kind, what),
                      .elements = elements_in_case(b->name)};
}

static int by_elements(const void *a, const void *b) {
    const case_change *x = a;
    const case_change *y = b;
    return x->elements != y->elements ? x->elements < y->elements ? -1 : 1
                                      : strcmp(x->b->name, y->b->name);
}

static void compare_cases(results_comparison *c, accept_choice accept) {
    char what[CHANGE_WHAT_ROOM];
    for (size_t i = 0; i < c->a->names.count; i++) {
        const results_case *from = &c->a->cases[i];
        const results_case *to = sweep_results_find(c->b, from->name);
        if (to)
            add_case(c, from, to, case_change_of(from, to, accept, what), what);
    }
    c->only_a = c->a->names.count - c->count;
    c->only_b = c->b->names.count - c->count;
}

static void take_failures(results_comparison *c) {
    char what[CHANGE_WHAT_ROOM];
    for (size_t i = 0; i < c->b->names.count; i++) {
        const results_case *one = &c->b->cases[i];
        const bool fails = sweep_state_fails_sweep(one->state);
        if (fails)
            write_cause(one, what);
        if (fails || one->outcome != SWEEP_NOT_SUPPORTED)
            add_case(c, NULL, one, fails ? CHANGE_WORSE : CHANGE_NONE, what);
    }
}

void results_compare_init(results_comparison *c, const sweep_results *a, const sweep_results *b,
                          accept_choice accept) {
    const size_t most = a ? a->names.count : b->names.count;
    *c = (results_comparison){.a = a, .b = b, .cases = tool_calloc(most + 1, sizeof *c->cases)};
    if (a)
        compare_cases(c, accept);
    else
        take_failures(c);
    qsort(c->cases, c->count, sizeof *c->cases, by_elements);
    if (c->group_count)
        qsort(c->groups, c->group_count, sizeof *c->groups, by_kind);
}

void results_compare_free(results_comparison *c) {
    name_set_free(&c->descriptions);
    free(c->groups);
    free(c->cases);
    *c = (results_comparison){0};
}

/* What the cases of a group have in common that other compared cases have not: a record of
 * conjunction_end, whose failed cases are those of the group. */
static json_object *common_of(const results_comparison *c, const change_group *group) {
    conjunction compared = {0};
    for (size_t i = 0; i < c->count; i++)
        conjunction_add(&compared, c->cases[i].b->name, c->cases[i].what == group->what);
    return conjunction_end(&compared);
}

static void print_comparison(const results_comparison *c, FILE *out) {
    json_object *object = report_event("comparison");
    for (int kind = 0; kind < CHANGE_KINDS; kind++)
        fields_count(object, change_kind_name((change_kind)kind), c->counts[kind]);
    fields_count(object, "onlyA", c->only_a);
    fields_count(object, "onlyB", c->only_b);
    fields_text(object, "fileA", c->a->files[0].path);
    fields_text(object, "fileB", c->b->files[0].path);
    json_put_member(object, "a", json_object_get(c->a->header));
    json_put_member(object, "b", json_object_get(c->b->header));
    json_put_member(object, "endA", json_object_get(c->a->footer));
    json_put_member(object, "endB", json_object_get(c->b->footer));
    report_json_line_to(out, object);
}

static void print_group(const results_comparison *c, const change_group *group, FILE *out) {
    json_object *object = report_event("group");
    fields_text(object, "change", change_kind_name(group->kind));
    fields_text(object, "what", group->what);
    fields_count(object, "count", group->count);
    json_put_member(object, "common", common_of(c, group));
    report_json_line_to(out, object);
}

static void print_change(FILE *out, const char *change, const char *name, const char *what,
                         json_object *a, json_object *b) {
    json_object *object = report_event("change");
    fields_text(object, "change", change);
    fields_text(object, "name", name);
    if (what)
        fields_text(object, "what", what);
    if (a)
        json_put_member(object, "a", a);
    if (b)
        json_put_member(object, "b", b);
    report_json_line_to(out, object);
}

static void print_only(FILE *out, const char *change, const sweep_results *in,
                       const sweep_results *other) {
    for (size_t i = 0; i < in->names.count; i++)
        if (!name_set_has(&other->names, in->sorted[i]->name))
            print_change(out, change, in->sorted[i]->name, NULL, NULL, NULL);
}

void results_compare_print(const results_comparison *c, FILE *out) {
    print_comparison(c, out);
    for (uint32_t i = 0; i < c->group_count; i++)
        print_group(c, &c->groups[i], out);
    for (size_t i = 0; i < c->count; i++) {
        const case_change *change = &c->cases[i];
        if (change->kind != CHANGE_NONE)
            print_change(out, change_kind_name(change->kind), change->b->name, change->what,
                         results_record(change->a), results_record(change->b));
    }
    print_only(out, "only-a", c->a, c->b);
    print_only(out, "only-b", c->b, c->a);
}

static void show_side(const char *title, const sweep_results *r) {
    char *subject = results_subject(r->header);
    text_show(stdout, "%s  %s: %s, cumsum %s, %zu case%s\n", title, r->files[0].path, subject,
              json_find_text(r->header, "version"), r->names.count, text_plural(r->names.count));
    free(subject);
}

static void show_compared(const results_comparison *c) {
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
    text_show(stdout, "           %s%s\n", title, words);
    free(words);
}

static void show_cases(const results_comparison *c, const change_group *group, uint64_t shown) {
    uint64_t left = shown;
    for (size_t i = 0; i < c->count && left; i++) {
        const case_change *change = &c->cases[i];
        if (change->what != group->what)
            continue;
        left--;
        printf("        %s\n", change->b->name);
        if (c->a)
            show_result("A  ", change->a);
        show_result(c->a ? "B  " : "", change->b);
    }
    if (group->count > shown)
        printf("        and %" PRIu64 " more (-v shows all)\n", group->count - shown);
}

static void show_group(const report *r, const results_comparison *c, const change_group *g,
                       uint64_t shown) {
    static const char *const colors[] = {"\033[31m", "\033[32m", "\033[33m"};
    json_object *record = common_of(c, g);
    char *common = conjunction_shared(record);
    printf("%s%-7s%s %" PRIu64 "  ", r->color ? colors[g->kind] : "",
           c->a ? change_kind_name(g->kind) : "", r->color ? "\033[0m" : "", g->count);
    text_show(stdout, "%s\n", g->what);
    if (*common && g->count > 1)
        printf("        all of them have: %s\n", common);
    show_cases(c, g, r->settings->verbose ? g->count : shown);
    free(common);
    json_object_put(record);
}

static void show_only(const char *title, const sweep_results *in, const sweep_results *other) {
    for (size_t i = 0; i < in->names.count; i++)
        if (!name_set_has(&other->names, in->sorted[i]->name))
            printf("only in %s  %s\n", title, in->sorted[i]->name);
}

void results_compare_show(const results_comparison *c, const report *r, uint64_t shown) {
    const uint32_t most = r->settings->verbose ? c->group_count : GROUPS_SHOWN;
    if (c->a)
        show_compared(c);
    for (uint32_t i = 0; i < c->group_count && i < most; i++)
        if (c->groups[i].kind == CHANGE_WORSE || !r->settings->quiet)
            show_group(r, c, &c->groups[i], shown);
    if (c->group_count > most)
        printf("and %" PRIu32 " more kinds of %s (-v shows all)\n", c->group_count - most,
               c->a ? "changes" : "failures");
    if (r->settings->verbose && c->a) {
        show_only("A", c->a, c->b);
        show_only("B", c->b, c->a);
    }
}
