/* SPDX-License-Identifier: MIT */
/* What is worse, better, or just another in a result than in an earlier one of the same case. */
#include <cumsum/oracle.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json_tree.h"
#include "report.h"
#include "results.h"
#include "text.h"

const char *change_kind_name(change_kind kind) {
    static const char *const names[CHANGE_KINDS] = {"worse", "better", "changed", "same"};
    return names[kind];
}

/* One of the two results of a case. */
typedef struct side {
    sweep_state outcome; /* what it is if a pass means what the comparison accepts */
    json_object *record;
    json_object *judgement; /* NULL: not judged */
    const char *class;      /* "": not known */
} side;

/* How bad an outcome is, from 0. A wrong answer is worse than none that is honest. */
static uint64_t badness_of(const side *s) {
    switch (s->outcome) {
    case SWEEP_PASS:
        return 0;
    case SWEEP_NOT_SUPPORTED:
        return 2;
    case SWEEP_SUSPECT:
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
    return s->outcome == SWEEP_FAIL || s->outcome == SWEEP_SUSPECT;
}

/* CUMSUM_CLASS_FAIL + 1 if the text is no class. */
static int class_number(const char *class) {
    int number = 0;
    while (number <= CUMSUM_CLASS_FAIL &&
           strcmp(class, cumsum_error_class_name((cumsum_error_class)number)) != 0)
        number++;
    return number;
}

static uint64_t stray_bytes_of(const side *s) {
    return json_find_number(s->record, "strayBytes", 0);
}

static uint64_t outputs_of(const side *s, cumsum_verdict verdict) {
    json_object *counts = json_find(s->judgement, "counts", json_type_object);
    return json_find_number(counts, cumsum_verdict_name(verdict), 0);
}

/* The first order that fits, with its arithmetic: "blocked (float32, toward-zero)". */
static void order_of(const side *s, char text[CHANGE_WHAT_ROOM / 2]) {
    json_object *orders = json_find(s->judgement, "orders", json_type_array);
    const bool named = json_length(orders) > 0;
    json_object *first = json_element(orders, 0);
    text_buffer buffer;
    const char *separator = " (";
    text_buffer_open(&buffer);
    fputs(named          ? json_find_text(first, "order")
          : s->judgement ? "no named order"
                         : "the expected one",
          buffer.stream);
    json_object_object_foreach(first, key, value) {
        const char *word = value ? json_word(value) : "";
        if (strcmp(key, "order") != 0 && strcmp(word, "preserve") != 0) {
            fprintf(buffer.stream, "%s%s", separator, word);
            separator = ", ";
        }
    }
    fputs(*separator == ',' ? ")" : "", buffer.stream);
    char *words = text_buffer_close(&buffer);
    snprintf(text, CHANGE_WHAT_ROOM / 2, "%s", words);
    free(words);
}

static change_kind says(char what[CHANGE_WHAT_ROOM], change_kind kind, const char *title,
                        const char *a, const char *b) {
    const int most = CHANGE_WHAT_ROOM / 3;
    snprintf(what, CHANGE_WHAT_ROOM, "%s%.*s -> %.*s", title, most, a, most, b);
    return kind;
}

static change_kind worse_if(bool worse) {
    return worse ? CHANGE_WORSE : CHANGE_BETTER;
}

static change_kind rank_differs(const side *a, const side *b, char what[CHANGE_WHAT_ROOM]) {
    const uint64_t from = badness_of(a);
    const uint64_t to = badness_of(b);
    const int class_a = class_number(a->class);
    const int class_b = class_number(b->class);
    if (from != to)
        return says(what, worse_if(to > from), "", sweep_state_name(a->outcome),
                    sweep_state_name(b->outcome));
    if (a->outcome == SWEEP_UNSTABLE || b->outcome == SWEEP_UNSTABLE)
        return CHANGE_NONE;
    if (*a->class && *b->class && class_a != class_b)
        return says(what, worse_if(class_b > class_a), "class ", a->class, b->class);
    /* More, or fewer, of what should not be there at all. */
    const struct {
        uint64_t a, b;
        const char *things;
    } counts[] = {{stray_bytes_of(a), stray_bytes_of(b), "bytes between the elements are written"},
                  {outputs_of(a, CUMSUM_VERDICT_FAIL), outputs_of(b, CUMSUM_VERDICT_FAIL),
                   "outputs are what no order of additions gives"},
                  {outputs_of(a, CUMSUM_VERDICT_SUSPECT), outputs_of(b, CUMSUM_VERDICT_SUSPECT),
                   "outputs are suspect"}};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0] && side_has_other_bits(a); i++) {
        const bool more = counts[i].b > counts[i].a;
        if (counts[i].a == counts[i].b)
            continue;
        snprintf(what, CHANGE_WHAT_ROOM, "%s %s", more ? "more" : "fewer", counts[i].things);
        return worse_if(more);
    }
    return CHANGE_NONE;
}

static change_kind other_differs(const side *a, const side *b, char what[CHANGE_WHAT_ROOM]) {
    char from[CHANGE_WHAT_ROOM / 2];
    char to[CHANGE_WHAT_ROOM / 2];
    const char *verdict_a = json_find_text(a->judgement, "verdict");
    const char *verdict_b = json_find_text(b->judgement, "verdict");
    if (a->outcome != b->outcome)
        return says(what, CHANGE_OTHER, "", sweep_state_name(a->outcome),
                    sweep_state_name(b->outcome));
    if (!has_passed(a) && !side_has_other_bits(a))
        return CHANGE_NONE; /* reasons differ from run to run */
    if (*verdict_a && *verdict_b && strcmp(verdict_a, verdict_b) != 0)
        return says(what, CHANGE_OTHER, "verdict ", verdict_a, verdict_b);
    order_of(a, from);
    order_of(b, to);
    if ((a->judgement || b->judgement) && strcmp(from, to) != 0)
        return says(what, CHANGE_OTHER, "order ", from, to);
    if (strcmp(json_find_text(a->record, "digest"), json_find_text(b->record, "digest")) != 0) {
        snprintf(what, CHANGE_WHAT_ROOM, "other bits");
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
    const bool passes = s->judgement && !stray_bytes_of(s) && !outputs_of(s, CUMSUM_VERDICT_FAIL) &&
                        (accept == ACCEPT_SUSPECT ||
                         (accept == ACCEPT_CONFORMANT && !outputs_of(s, CUMSUM_VERDICT_SUSPECT)));
    return passes && (s->outcome == SWEEP_FAIL || s->outcome == SWEEP_SUSPECT) ? SWEEP_PASS
                                                                               : s->outcome;
}

/* Takes the record. */
static side side_of(json_object *record, sweep_state outcome, accept_choice accept) {
    side s = {.outcome = outcome, .record = record};
    s.judgement = json_find(record, "judgement", json_type_object);
    s.class = json_find_text(s.judgement, "class");
    s.outcome = outcome_as(&s, accept);
    return s;
}

/* Of a pass with the expected bits the other result may know the class. Frees both sides. */
static change_kind change_of(side *a, side *b, char what[CHANGE_WHAT_ROOM]) {
    if (!a->judgement && has_passed(a))
        a->class = json_find_text(b->record, "expectedClass");
    if (!b->judgement && has_passed(b))
        b->class = json_find_text(a->record, "expectedClass");
    change_kind kind = rank_differs(a, b, what);
    kind = kind != CHANGE_NONE ? kind : other_differs(a, b, what);
    json_object_put(a->record);
    json_object_put(b->record);
    return kind;
}

change_kind case_change_of(const results_case *a, const results_case *b, accept_choice accept,
                           char what[CHANGE_WHAT_ROOM]) {
    side from = side_of(results_record(a), a->outcome, accept);
    side to = side_of(results_record(b), b->outcome, accept);
    return change_of(&from, &to, what);
}

sweep_state sweep_results_against(const sweep_results *before, accept_choice accept,
                                  const char *name, sweep_state outcome, json_object *record) {
    const results_case *one = before ? sweep_results_find(before, name) : NULL;
    char what[CHANGE_WHAT_ROOM];
    if (!one)
        return outcome;
    json_object *earlier = results_record(one);
    side a = side_of(json_object_get(earlier), one->outcome, accept);
    side b = side_of(json_object_get(record), outcome, accept);
    const change_kind kind = change_of(&a, &b, what);
    const bool failure = sweep_state_is_failure(outcome);
    const char *waived = json_find_text(earlier, "before");
    const char *reason = *waived ? waived : json_find_text(earlier, "reason");
    const sweep_state state = failure && kind != CHANGE_WORSE    ? SWEEP_KNOWN
                              : !failure && kind == CHANGE_WORSE ? SWEEP_WORSE
                                                                 : outcome;
    if (state != outcome) {
        fields_text(record, "state", sweep_state_name(state));
        fields_text(record, "outcome", sweep_state_name(outcome));
    }
    if (kind != CHANGE_NONE) {
        char *change = text_format("%s: %s", change_kind_name(kind), what);
        fields_text(record, "change", change);
        free(change);
    }
    if (state == SWEEP_KNOWN && *reason)
        fields_text(record, "before", reason);
    json_object_put(earlier);
    return state;
}
