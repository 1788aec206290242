/* SPDX-License-Identifier: MIT */
/*
 * What failing cases have in common.
 *
 * A condition is a word that all failed cases have, or the least or the greatest of their numbers.
 * A conjunction takes up to three of them, each the one that leaves the fewest passed cases. It is
 * told if at least SOME cases failed, and of the passed cases a tenth at most meets it, and no more
 * than failed.
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

/* Conditions of a conjunction. */
#define MOST_CONDITIONS 3

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
    c->cases[c->count++] = (conjunction_case){case_features_of(&spec), failed};
}

/* Conditions are numbered: the words, then for each number its least and its greatest value. */
#define CONDITIONS (FEATURE_WORDS + 2 * FEATURE_NUMBERS)

/* What all failed cases share. A set of conditions has a bit for each. */
typedef struct shared_features {
    case_features least; /* of the failed cases; the words are those of one of them */
    case_features most;
} shared_features;

static bool meets(const shared_features *shared, int condition, const case_features *one) {
    if (condition < FEATURE_WORDS)
        return !strcmp(shared->least.words[condition], one->words[condition]);
    const int number = (condition - FEATURE_WORDS) / 2;
    return (condition - FEATURE_WORDS) % 2 == 0
               ? one->numbers[number] >= shared->least.numbers[number]
               : one->numbers[number] <= shared->most.numbers[number];
}

static bool meets_all(const shared_features *shared, uint32_t set, const case_features *one) {
    for (int condition = 0; condition < CONDITIONS; condition++)
        if (set >> condition & 1 && !meets(shared, condition, one))
            return false;
    return true;
}

/* Some case has failed. */
static shared_features features_of_failed(const conjunction *c) {
    size_t first = 0;
    while (!c->cases[first].failed)
        first++;
    shared_features shared = {c->cases[first].features, c->cases[first].features};
    for (size_t n = first + 1; n < c->count; n++) {
        const case_features *one = &c->cases[n].features;
        for (int i = 0; i < FEATURE_NUMBERS && c->cases[n].failed; i++) {
            if (one->numbers[i] < shared.least.numbers[i])
                shared.least.numbers[i] = one->numbers[i];
            if (one->numbers[i] > shared.most.numbers[i])
                shared.most.numbers[i] = one->numbers[i];
        }
    }
    return shared;
}

/* How many failed or passed cases meet all conditions of a set. */
static uint64_t count_cases(const conjunction *c, const shared_features *shared, uint32_t set,
                            bool failed) {
    uint64_t count = 0;
    for (size_t n = 0; n < c->count; n++)
        count += c->cases[n].failed == failed && meets_all(shared, set, &c->cases[n].features);
    return count;
}

/* The conditions of all failed cases that some passed case does not meet. */
static uint32_t shared_conditions(const conjunction *c, const shared_features *shared,
                                  uint64_t failed) {
    const uint64_t passed = c->count - failed;
    uint32_t set = 0;
    for (int condition = 0; condition < CONDITIONS; condition++) {
        const uint32_t one = UINT32_C(1) << condition;
        if (count_cases(c, shared, one, true) == failed &&
            count_cases(c, shared, one, false) < passed)
            set |= one;
    }
    return set;
}

/* Adds the condition of `from` that leaves the fewest passed cases: *passed, which becomes fewer.
 */
static uint32_t add_condition(const conjunction *c, const shared_features *shared, uint32_t from,
                              uint32_t set, uint64_t *passed) {
    uint32_t best = set;
    for (int condition = 0; condition < CONDITIONS; condition++) {
        const uint32_t more = set | (from & UINT32_C(1) << condition);
        const uint64_t left = more == set ? *passed : count_cases(c, shared, more, false);
        if (left < *passed) {
            *passed = left;
            best = more;
        }
    }
    return best;
}

/* The conjunction of conditions of `from`, 0 if none is told. *cases: how many meet it. */
static uint32_t best_conjunction(const conjunction *c, const shared_features *shared, uint32_t from,
                                 uint64_t failed, uint64_t *cases) {
    const uint64_t all = c->count - failed;
    uint64_t passed = all;
    uint32_t set = 0;
    for (int size = 0; size < MOST_CONDITIONS; size++)
        set = add_condition(c, shared, from, set, &passed);
    const bool told = set && failed >= SOME && passed <= failed && passed <= all / 10;
    *cases = told ? failed + passed : c->count;
    return told ? set : 0;
}

static void add_text(json_object *texts, char *text) {
    json_put_element(texts, json_make_string(text));
    free(text);
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
    for (int f = 0; f < FEATURE_WORDS; f++)
        if (set >> f & 1)
            add_text(texts,
                     text_format("%s%s", f == FEATURE_WORDS - 1 ? "data " : "",
                                 shared->least.words[f])); /* others say what they are about */
    for (int number = 0; number < FEATURE_NUMBERS; number++) {
        const uint32_t bounds = set >> (FEATURE_WORDS + 2 * number);
        if (bounds & 3)
            add_text(texts, bounds_text(shared, number, bounds & 1, bounds & 2));
    }
    return texts;
}

static json_object *record_of(const conjunction *c, uint64_t failed) {
    json_object *record = json_make_object();
    const shared_features shared = features_of_failed(c);
    const uint32_t all = shared_conditions(c, &shared, failed);
    uint64_t cases;
    const uint32_t best = best_conjunction(c, &shared, all, failed, &cases);
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

static char *joined(json_object *texts, const char *separator, const char *end) {
    text_buffer buffer;
    text_buffer_open(&buffer);
    for (size_t i = 0; texts && i < json_object_array_length(texts); i++)
        fprintf(buffer.stream, "%s%s", i ? separator : "", json_item_text(texts, i));
    fputs(end, buffer.stream);
    return text_buffer_close(&buffer);
}

char *conjunction_words(json_object *record) {
    json_object *conditions = json_find(record, "conditions", json_type_array);
    char counts[64];
    if (!conditions || !json_object_array_length(conditions))
        return NULL;
    snprintf(counts, sizeof counts, ": %" PRIu64 " of %" PRIu64,
             json_find_number(record, "failed", 0), json_find_number(record, "of", 0));
    return joined(conditions, " and ", counts);
}

char *conjunction_shared(json_object *record) {
    return joined(json_find(record, "shared", json_type_array), "; ", "");
}
