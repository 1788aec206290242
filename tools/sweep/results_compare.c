/* SPDX-License-Identifier: MIT */
/* Compares the results of two sweeps case by case, and groups the cases that changed alike. */
#include "results.h"

#include <cumsum/oracle.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json_print.h"
#include "memory.h"
#include "report.h"
#include "text.h"

/* Room for what changed; longer texts of a file are cut. */
#define WHAT_ROOM 200

const char *change_kind_name(change_kind kind) {
    static const char *const names[CHANGE_KINDS] = {"worse", "better", "changed", "same"};
    return names[kind];
}

/* One of the two results of a case. */
typedef struct side {
    const results_case *result;
    sweep_state outcome; /* what it is if a pass means what the comparison accepts */
    json_object *record;
    json_object *judgement; /* NULL: not judged */
    const char *class;      /* "": not known */
} side;

/* How bad an outcome is, from 0. A wrong answer is worse than none that is honest. */
static uint64_t badness_of(const side *s) {
    switch (s->outcome) {
    case SWEEP_PASS:
        return s->result->flaky ? 1 : 0;
    case SWEEP_NOT_SUPPORTED:
        return 2;
    case SWEEP_DOUBTFUL:
        return 3;
    case SWEEP_CRASH:
    case SWEEP_TIMEOUT:
        return 5;
    default:
        return 4;
    }
}

static bool has_passed(const side *s) {
    return s->outcome == SWEEP_PASS;
}

static bool side_has_other_bits(const side *s) {
    return s->outcome == SWEEP_FAIL || s->outcome == SWEEP_DOUBTFUL;
}

static const char *outcome_of(const side *s) {
    return s->result->flaky ? "flaky pass" : sweep_state_name(s->outcome);
}

/* CUMSUM_CLASS_FAIL + 1 if the text is no class. */
static int class_number(const char *class) {
    int number = 0;
    while (number <= CUMSUM_CLASS_FAIL &&
           strcmp(class, cumsum_error_class_name((cumsum_error_class)number)) != 0)
        number++;
    return number;
}

static uint64_t outputs_of(const side *s, cumsum_verdict verdict) {
    json_object *counts = json_find(s->judgement, "counts", json_type_object);
    return json_find_number(counts, cumsum_verdict_name(verdict), 0);
}

/* The first order that fits, with its arithmetic: "blocked (float32, toward-zero)". */
static void order_of(const side *s, char text[WHAT_ROOM / 2]) {
    json_object *orders = json_find(s->judgement, "orders", json_type_array);
    bool named = orders && json_object_array_length(orders) > 0;
    json_object *first = named ? json_object_array_get_idx(orders, 0) : NULL;
    text_buffer buffer;
    const char *separator = " (";
    text_buffer_open(&buffer);
    fputs(named          ? json_find_text(first, "order")
          : s->judgement ? "no named order"
                         : "the expected one",
          buffer.stream);
    if (json_object_is_type(first, json_type_object)) {
        json_object_object_foreach(first, key, value) {
            const char *word = value ? json_word(value) : "";
            if (strcmp(key, "order") != 0 && strcmp(word, "preserve") != 0) {
                fprintf(buffer.stream, "%s%s", separator, word);
                separator = ", ";
            }
        }
    }
    fputs(*separator == ',' ? ")" : "", buffer.stream);
    char *words = text_buffer_close(&buffer);
    text_printable(text, WHAT_ROOM / 2, words, strlen(words));
    free(words);
}

static change_kind says(char what[WHAT_ROOM], change_kind kind, const char *title, const char *a,
                        const char *b) {
    char from[WHAT_ROOM / 3];
    char to[WHAT_ROOM / 3];
    snprintf(what, WHAT_ROOM, "%s%s -> %s", title, text_printable(from, sizeof from, a, strlen(a)),
             text_printable(to, sizeof to, b, strlen(b)));
    return kind;
}

static change_kind worse_if(bool worse) {
    return worse ? CHANGE_WORSE : CHANGE_BETTER;
}

/* More, or fewer, of what should not be there at all. */
static change_kind counts_differ(uint64_t a, uint64_t b, const char *things, char what[WHAT_ROOM]) {
    if (a != b)
        snprintf(what, WHAT_ROOM, "%s %s", b > a ? "more" : "fewer", things);
    return a == b ? CHANGE_NONE : worse_if(b > a);
}

static change_kind rank_differs(const side *a, const side *b, char what[WHAT_ROOM]) {
    const uint64_t from = badness_of(a);
    const uint64_t to = badness_of(b);
    const int class_a = class_number(a->class);
    const int class_b = class_number(b->class);
    change_kind kind;
    if (from != to)
        return says(what, worse_if(to > from), "", outcome_of(a), outcome_of(b));
    if (a->outcome == SWEEP_UNSTABLE || b->outcome == SWEEP_UNSTABLE)
        return CHANGE_NONE;
    if (*a->class && *b->class && class_a != class_b)
        return says(what, worse_if(class_b > class_a), "class ", a->class, b->class);
    if (!side_has_other_bits(a))
        return CHANGE_NONE;
    kind = counts_differ(json_find_number(a->record, "strayBytes", 0),
                         json_find_number(b->record, "strayBytes", 0),
                         "bytes between the elements are written", what);
    if (kind == CHANGE_NONE)
        kind = counts_differ(outputs_of(a, CUMSUM_VERDICT_FAIL), outputs_of(b, CUMSUM_VERDICT_FAIL),
                             "outputs are what no order of additions gives", what);
    return kind != CHANGE_NONE ? kind
                               : counts_differ(outputs_of(a, CUMSUM_VERDICT_DOUBTFUL),
                                               outputs_of(b, CUMSUM_VERDICT_DOUBTFUL),
                                               "outputs are doubtful", what);
}

static change_kind other_differs(const side *a, const side *b, char what[WHAT_ROOM]) {
    char from[WHAT_ROOM / 2];
    char to[WHAT_ROOM / 2];
    const char *verdict_a = json_find_text(a->judgement, "verdict");
    const char *verdict_b = json_find_text(b->judgement, "verdict");
    if (a->outcome != b->outcome)
        return says(what, CHANGE_OTHER, "", outcome_of(a), outcome_of(b));
    if (!has_passed(a) && !side_has_other_bits(a))
        return CHANGE_NONE; /* reasons differ from run to run */
    if (*verdict_a && *verdict_b && strcmp(verdict_a, verdict_b) != 0)
        return says(what, CHANGE_OTHER, "verdict ", verdict_a, verdict_b);
    order_of(a, from);
    order_of(b, to);
    if ((a->judgement || b->judgement) && strcmp(from, to) != 0)
        return says(what, CHANGE_OTHER, "order ", from, to);
    if (strcmp(json_find_text(a->record, "digest"), json_find_text(b->record, "digest")) != 0) {
        snprintf(what, WHAT_ROOM, "other bits");
        return CHANGE_OTHER;
    }
    verdict_a = json_find_text(a->record, "reason");
    verdict_b = json_find_text(b->record, "reason");
    if (has_passed(a) && strcmp(verdict_a, verdict_b) != 0)
        return says(what, CHANGE_OTHER, "remark ", *verdict_a ? verdict_a : "none",
                    *verdict_b ? verdict_b : "none");
    return CHANGE_NONE;
}

/* Other bits that passed no more than the sweep had to may pass here. */
static sweep_state outcome_as(const side *s, accept_choice accept) {
    const bool passes = s->judgement && !json_find_number(s->record, "strayBytes", 0) &&
                        !outputs_of(s, CUMSUM_VERDICT_FAIL) &&
                        (accept == ACCEPT_DOUBTFUL ||
                         (accept == ACCEPT_CONFORMANT && !outputs_of(s, CUMSUM_VERDICT_DOUBTFUL)));
    return passes && (s->result->outcome == SWEEP_FAIL || s->result->outcome == SWEEP_DOUBTFUL)
               ? SWEEP_PASS
               : s->result->outcome;
}

static side side_of(const results_case *result, accept_choice accept) {
    side s = {.result = result, .record = results_record(result)};
    s.judgement = json_find(s.record, "judgement", json_type_object);
    s.class = json_find_text(s.judgement, "class");
    s.outcome = outcome_as(&s, accept);
    return s;
}

/* Of a pass with the expected bits the other result may know the class. */
static change_kind change_of(const results_case *from, const results_case *to, accept_choice accept,
                             char what[WHAT_ROOM]) {
    side a = side_of(from, accept);
    side b = side_of(to, accept);
    if (!a.judgement && has_passed(&a))
        a.class = json_find_text(b.record, "expectedClass");
    if (!b.judgement && has_passed(&b))
        b.class = json_find_text(a.record, "expectedClass");
    change_kind kind = rank_differs(&a, &b, what);
    kind = kind != CHANGE_NONE ? kind : other_differs(&a, &b, what);
    json_object_put(a.record);
    json_object_put(b.record);
    return kind;
}

/* A kind and what changed are a group's name in `descriptions`: the kind is its first letter. */
static void add_to_group(results_comparison *c, case_change *change, const char *what) {
    char name[WHAT_ROOM + 1];
    snprintf(name, sizeof name, "%c%.*s", 'a' + (int)change->kind, WHAT_ROOM - 1, what);
    if (name_set_add(&c->descriptions, name)) {
        c->groups = tool_grow(c->groups, c->group_count, sizeof *c->groups);
        c->groups[c->group_count++] = (change_group){
            .kind = change->kind, .what = c->descriptions.names[c->descriptions.count - 1] + 1};
    }
    change->group = (uint32_t)name_set_find(&c->descriptions, name);
    c->groups[change->group].count++;
}

static int by_kind(const void *a, const void *b) {
    const change_group *x = a;
    const change_group *y = b;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    return x->count > y->count ? -1 : x->count < y->count ? 1 : strcmp(x->what, y->what);
}

/* Sorts the groups, and gives the cases the new numbers. */
static void sort_groups(results_comparison *c) {
    uint32_t *places = tool_calloc((size_t)c->group_count + 1, sizeof *places);
    if (c->group_count)
        qsort(c->groups, c->group_count, sizeof *c->groups, by_kind);
    for (uint32_t i = 0; i < c->group_count; i++)
        places[name_set_find(&c->descriptions, c->groups[i].what - 1)] = i;
    for (size_t i = 0; i < c->count; i++)
        if (c->cases[i].kind != CHANGE_NONE)
            c->cases[i].group = places[c->cases[i].group];
    free(places);
}

void results_compare_init(results_comparison *c, const sweep_results *a, const sweep_results *b,
                          accept_choice accept) {
    const size_t count = a->names.count;
    char what[WHAT_ROOM];
    *c = (results_comparison){.a = a, .b = b, .cases = tool_calloc(count + 1, sizeof *c->cases)};
    for (size_t i = 0; i < count; i++) {
        const size_t place = name_set_find(&b->names, a->sorted[i]->name);
        if (place == SIZE_MAX)
            continue;
        case_change *change = &c->cases[c->count++];
        *change =
            (case_change){.name = a->sorted[i]->name, .a = a->sorted[i], .b = &b->cases[place]};
        change->kind = change_of(change->a, change->b, accept, what);
        c->counts[change->kind]++;
        if (change->kind != CHANGE_NONE)
            add_to_group(c, change, what);
    }
    c->only_a = count - c->count;
    c->only_b = b->names.count - c->count;
    sort_groups(c);
}

void results_compare_free(results_comparison *c) {
    name_set_free(&c->descriptions);
    free(c->groups);
    free(c->cases);
    *c = (results_comparison){0};
}

json_object *results_compare_common(const results_comparison *c, uint32_t group) {
    conjunction compared = {0};
    for (size_t i = 0; i < c->count; i++)
        conjunction_add(&compared, c->cases[i].name,
                        c->cases[i].kind != CHANGE_NONE && c->cases[i].group == group);
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

static void print_group(const results_comparison *c, uint32_t group, FILE *out) {
    json_object *object = report_event("group");
    fields_text(object, "change", change_kind_name(c->groups[group].kind));
    fields_text(object, "what", c->groups[group].what);
    fields_count(object, "count", c->groups[group].count);
    json_put_member(object, "common", results_compare_common(c, group));
    report_json_line_to(out, object);
}

/* The record of a case without what the change has. */
static json_object *side_object(const results_case *result) {
    json_object *record = results_record(result);
    json_object_object_del(record, "event");
    json_object_object_del(record, "name");
    return record;
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
        print_group(c, i, out);
    for (size_t i = 0; i < c->count; i++) {
        const case_change *change = &c->cases[i];
        if (change->kind != CHANGE_NONE) {
            print_change(out, change_kind_name(change->kind), change->name,
                         c->groups[change->group].what, side_object(change->a),
                         side_object(change->b));
        }
    }
    print_only(out, "only-a", c->a, c->b);
    print_only(out, "only-b", c->b, c->a);
}
