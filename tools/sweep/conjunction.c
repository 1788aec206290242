/* SPDX-License-Identifier: MIT */
/*
 * What failing cases have in common.
 *
 * A condition is a word that all failed cases have, or the least or the greatest of their numbers,
 * if some passed case does not meet it. A conjunction is as few of the conditions as leave out the
 * same passed cases as all of them do. It is told if at least SOME cases failed, and if at most a
 * tenth of the passed cases meet it, and no more cases than failed.
 */
#include "results.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json_tree.h"
#include "memory.h"
#include "report.h"
#include "text.h"

/* Fewer failed cases have something in common by accident. */
#define SOME 4

static const char *axis_name(const case_spec *c) {
    return c->rank == 1             ? "along the only dimension"
           : c->axis + 1 == c->rank ? "along the last dimension"
           : c->axis == 0           ? "along the first dimension"
                                    : "along a middle dimension";
}

/* A stride of 0 repeats an element if the size is not 1. */
static const char *repetition(const case_spec *c) {
    for (uint32_t d = 0; d < c->rank; d++)
        if (c->input.strided && c->input.strides[d] == 0 && c->sizes[d] > 1)
            return "the input repeats elements";
    return "the input repeats nothing";
}

static const char *offset_tensors(const case_spec *c) {
    const bool output = !c->in_place && c->output.offset;
    return c->input.offset && output ? "offsets of both tensors"
           : c->input.offset         ? "offset of the input"
           : output                  ? "offset of the output"
                                     : "no offset";
}

static case_features case_features_of(const case_spec *c) {
    const uint64_t length = c->sizes[c->axis];
    const uint64_t lines = case_lines(c);
    return (case_features){
        .words = {case_type_word(c->type), case_numerics_word(c->type, c->numerics),
                  c->decreasing ? "decreasing" : "increasing",
                  c->exclusive ? "exclusive" : "inclusive", axis_name(c),
                  c->input.strided ? "input with strides" : "input packed", repetition(c),
                  c->in_place         ? "output in place"
                  : c->output.strided ? "output with strides"
                                      : "output packed",
                  offset_tensors(c), c->data->name},
        .numbers = {length, lines, c->rank}};
}

void conjunction_add(conjunction *c, const char *name, bool failed) {
    case_spec spec;
    if (case_parse(name, &spec, NULL) != TOOL_OK)
        return;
    c->cases = tool_grow(c->cases, c->count, sizeof *c->cases);
    c->cases[c->count++] = (conjunction_case){case_features_of(&spec), failed, 0};
}

/* Conditions are numbered: the words, then for each number its least and its greatest value. A set
 * of conditions has a bit for each. */
#define CONDITIONS (FEATURE_WORDS + 2 * FEATURE_NUMBERS)

/* What the failed cases have: words are those of one of them. */
typedef struct shared_features {
    case_features least;
    case_features most;
} shared_features;

/* Some case has failed. */
static shared_features features_of_failed(const conjunction *c) {
    shared_features shared = {.least = {.words = {NULL}}};
    for (size_t n = 0; n < c->count; n++) {
        const case_features *one = &c->cases[n].features;
        if (!c->cases[n].failed)
            continue;
        if (!shared.least.words[0])
            shared = (shared_features){*one, *one};
        for (int i = 0; i < FEATURE_NUMBERS; i++) {
            if (one->numbers[i] < shared.least.numbers[i])
                shared.least.numbers[i] = one->numbers[i];
            if (one->numbers[i] > shared.most.numbers[i])
                shared.most.numbers[i] = one->numbers[i];
        }
    }
    return shared;
}

/* The conditions that a case meets. */
static uint32_t conditions_of(const shared_features *shared, const case_features *one) {
    uint32_t met = 0;
    for (int i = 0; i < FEATURE_WORDS; i++)
        met |= (uint32_t)!strcmp(shared->least.words[i], one->words[i]) << i;
    for (int i = 0; i < FEATURE_NUMBERS; i++) {
        const int condition = FEATURE_WORDS + 2 * i;
        met |= (uint32_t)(one->numbers[i] >= shared->least.numbers[i]) << condition;
        met |= (uint32_t)(one->numbers[i] <= shared->most.numbers[i]) << (condition + 1);
    }
    return met;
}

/* How many passed cases meet all conditions of a set. */
static uint64_t count_passed(const conjunction *c, uint32_t set) {
    uint64_t count = 0;
    for (size_t n = 0; n < c->count; n++)
        count += !c->cases[n].failed && (c->cases[n].met & set) == set;
    return count;
}

/* The conditions of all failed cases that some passed case does not meet. */
static uint32_t shared_conditions(conjunction *c, const shared_features *shared) {
    uint32_t of_failed = UINT32_MAX, of_passed = UINT32_MAX;
    for (size_t n = 0; n < c->count; n++) {
        conjunction_case *one = &c->cases[n];
        one->met = conditions_of(shared, &one->features);
        *(one->failed ? &of_failed : &of_passed) &= one->met;
    }
    return of_failed & ~of_passed;
}

/* The conjunction of conditions of `from`, 0 if none is told. *cases: how many meet it. Words
 * outlast numbers. */
static uint32_t best_conjunction(const conjunction *c, uint32_t from, uint64_t failed,
                                 uint64_t *cases) {
    const uint64_t passed = count_passed(c, from);
    uint32_t set = from;
    *cases = c->count;
    if (!from || failed < SOME || passed > failed || passed > (c->count - failed) / 10)
        return 0;
    for (int condition = CONDITIONS - 1; condition >= 0; condition--) {
        const uint32_t fewer = set & ~(UINT32_C(1) << condition);
        set = count_passed(c, fewer) == passed ? fewer : set;
    }
    *cases = failed + passed;
    return set;
}

/* "lines of 513 elements or more", "2 to 5 lines", "1 dimension" */
static char *bounds_text(const shared_features *shared, int number, bool least, bool most) {
    static const char *const before[] = {"lines of ", "", ""};
    static const char *const behind[] = {"element", "line", "dimension"};
    const uint64_t from = shared->least.numbers[number];
    const uint64_t to = shared->most.numbers[number];
    const char *plural = text_plural(most ? to : 2);
    if (most && (to == 1 || (least && from == to)))
        return text_format("%s%" PRIu64 " %s%s", before[number], to, behind[number], plural);
    if (least && most)
        return text_format("%s%" PRIu64 " to %" PRIu64 " %ss", before[number], from, to,
                           behind[number]);
    return text_format("%s%" PRIu64 " %ss or %s", before[number], least ? from : to, behind[number],
                       least ? "more" : "fewer");
}

static json_object *texts_of(const shared_features *shared, uint32_t set) {
    json_object *texts = json_make_array();
    for (int f = 0; f < FEATURE_WORDS; f++) /* only the last doesn't say what it is about */
        if (set >> f & 1)
            json_put_text(texts, text_format("%s%s", f == FEATURE_WORDS - 1 ? "data " : "",
                                             shared->least.words[f]));
    for (int number = 0; number < FEATURE_NUMBERS; number++) {
        const uint32_t bounds = set >> (FEATURE_WORDS + 2 * number);
        if (bounds & 3)
            json_put_text(texts, bounds_text(shared, number, bounds & 1, bounds & 2));
    }
    return texts;
}

static json_object *record_of(conjunction *c, uint64_t failed) {
    json_object *record = json_make_object();
    const shared_features shared = features_of_failed(c);
    const uint32_t all = shared_conditions(c, &shared);
    uint64_t cases;
    const uint32_t best = best_conjunction(c, all, failed, &cases);
    fields_count(record, "failed", failed);
    fields_count(record, "of", cases);
    json_put_member(record, "conditions", texts_of(&shared, best));
    json_put_member(record, "shared", texts_of(&shared, all));
    return record;
}

json_object *conjunction_end(conjunction *c) {
    uint64_t failed = 0;
    for (size_t i = 0; i < c->count; i++)
        failed += c->cases[i].failed;
    json_object *record = failed ? record_of(c, failed) : NULL;
    free(c->cases);
    *c = (conjunction){0};
    return record;
}

char *conjunction_words(json_object *record) {
    json_object *conditions = json_find(record, "conditions", json_type_array);
    if (!json_length(conditions))
        return NULL;
    char *joined = json_list_text(conditions, " and ");
    char *words =
        text_format("%s: %" PRIu64 " of %" PRIu64, joined, json_find_number(record, "failed", 0),
                    json_find_number(record, "of", 0));
    free(joined);
    return words;
}

char *conjunction_shared(json_object *record) {
    return json_list_text(json_find(record, "shared", json_type_array), "; ");
}
