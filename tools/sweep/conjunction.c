/* SPDX-License-Identifier: MIT */
/*
 * What failing cases have in common.
 *
 * A condition is a word that all failed cases have, or the least or the greatest of their numbers.
 * Up to three conditions are a conjunction: all failed cases meet it, and fewer of the others do.
 * The best one gives the shortest description of which cases fail (J. Rissanen, "Modeling by
 * shortest data description", 1978): the bits that name its conditions, and log2 C(n, f), which
 * name the f failed ones of the n cases that meet them. It is told if it saves EVIDENCE bits at
 * least against log2 C(all, f). The names are a prefix code, so by Kraft's inequality failures at
 * random have such a conjunction with a probability of at most 2^-EVIDENCE.
 */
#include "results.h"

#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json_tree.h"
#include "memory.h"
#include "report.h"
#include "text.h"

#define EVIDENCE 5

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

/* Distributions have the most values. */
#define VALUES_MAX 64

static size_t count_words(const conjunction *c, int feature) {
    const char *words[VALUES_MAX];
    size_t count = 0;
    for (size_t n = 0; n < c->count; n++) {
        size_t i = 0;
        while (i < count && strcmp(words[i], c->cases[n].features.words[feature]) != 0)
            i++;
        if (i == count && count < VALUES_MAX)
            words[count++] = c->cases[n].features.words[feature];
    }
    return count;
}

/* Conditions are numbered: the words, then for each number its least and its greatest value. */
#define CONDITIONS (FEATURE_WORDS + 2 * FEATURE_NUMBERS)

/* The conditions of all failed cases that not all cases meet. */
typedef struct condition_list {
    case_features least; /* of the failed cases; the words are those of one of them */
    case_features most;
    int numbers[CONDITIONS];
    double bits[CONDITIONS]; /* that name the value of the condition */
    int count;
    uint32_t *passed; /* how many passed cases meet a set of conditions, a bit for each */
} condition_list;

static int number_of(int condition) {
    return (condition - FEATURE_WORDS) / 2;
}

static bool is_least(int condition) {
    return (condition - FEATURE_WORDS) % 2 == 0;
}

static bool meets(const condition_list *list, int condition, const case_features *one) {
    if (condition < FEATURE_WORDS)
        return !strcmp(list->least.words[condition], one->words[condition]);
    const int number = number_of(condition);
    return is_least(condition) ? one->numbers[number] >= list->least.numbers[number]
                               : one->numbers[number] <= list->most.numbers[number];
}

/* Some case has failed. */
static void take_bounds(condition_list *list, const conjunction *c) {
    size_t first = 0;
    while (!c->cases[first].failed)
        first++;
    list->least = list->most = c->cases[first].features;
    for (size_t n = first + 1; n < c->count; n++) {
        const case_features *one = &c->cases[n].features;
        if (!c->cases[n].failed)
            continue;
        for (int i = 0; i < FEATURE_NUMBERS; i++) {
            if (one->numbers[i] < list->least.numbers[i])
                list->least.numbers[i] = one->numbers[i];
            if (one->numbers[i] > list->most.numbers[i])
                list->most.numbers[i] = one->numbers[i];
        }
    }
}

/* Which of the conditions a case meets, a bit for each. */
static uint32_t met_by(const condition_list *list, const case_features *one) {
    uint32_t met = 0;
    for (int i = 0; i < list->count; i++)
        met |= (uint32_t)meets(list, list->numbers[i], one) << i;
    return met;
}

static void list_conditions(condition_list *list, const conjunction *c) {
    take_bounds(list, c);
    for (int condition = 0; condition < CONDITIONS; condition++) {
        const bool word = condition < FEATURE_WORDS;
        bool all_failed = true;
        bool all = true;
        for (size_t n = 0; n < c->count; n++) {
            const bool met = meets(list, condition, &c->cases[n].features);
            all = all && met;
            all_failed = all_failed && (met || !c->cases[n].failed);
        }
        if (all_failed && !all) {
            list->bits[list->count] = log2((double)(word ? count_words(c, condition) : c->count));
            list->numbers[list->count++] = condition;
        }
    }
    list->passed = tool_calloc((size_t)1 << list->count, sizeof *list->passed);
    for (size_t n = 0; n < c->count; n++)
        if (!c->cases[n].failed)
            list->passed[met_by(list, &c->cases[n].features)]++;
}

static uint64_t count_passed(const condition_list *list, uint32_t wanted) {
    uint64_t passed = 0;
    for (uint32_t met = 0; met < 1U << list->count; met++)
        passed += (met & wanted) == wanted ? list->passed[met] : 0;
    return passed;
}

/* log2 of n! / (k! (n - k)!): the bits that name k of n cases. */
static double bits_of_choice(double n, double k) {
    return (lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)) / log(2);
}

/* A conjunction, as bits for the entries of the list. */
typedef struct candidate {
    uint32_t set; /* 0: none */
    double bits;
    uint64_t cases; /* that meet it */
} candidate;

/* Takes the conjunction if it describes the failures in fewer bits than `best`, and if at least
 * half of the cases that meet it fail. */
static void consider(candidate *best, const condition_list *list, uint32_t set, int size,
                     uint64_t failed) {
    const uint64_t cases = failed + count_passed(list, set);
    double bits = size + bits_of_choice(list->count, size);
    for (int i = 0; i < list->count; i++)
        bits += set >> i & 1 ? list->bits[i] : 0;
    bits += bits_of_choice((double)cases, (double)failed);
    if (bits < best->bits && cases <= 2 * failed)
        *best = (candidate){set, bits, cases};
}

static candidate best_conjunction(const condition_list *list, uint64_t ran, uint64_t failed) {
    candidate best = {.bits = bits_of_choice((double)ran, (double)failed) - EVIDENCE, .cases = ran};
    for (int a = 0; a < list->count; a++) {
        consider(&best, list, 1U << a, 1, failed);
        for (int b = a + 1; b < list->count; b++) {
            consider(&best, list, 1U << a | 1U << b, 2, failed);
            for (int d = b + 1; d < list->count; d++)
                consider(&best, list, 1U << a | 1U << b | 1U << d, 3, failed);
        }
    }
    return best;
}

static void add_text(json_object *texts, char *text) {
    json_put_element(texts, json_make_string(text));
    free(text);
}

/* "lines of 513 elements or more", "2 to 5 lines", "1 dimension" */
static char *bounds_text(const condition_list *list, int number, bool least, bool most) {
    static const char *const before[] = {"lines of ", "", ""};
    static const char *const behind[] = {"element", "line", "dimension"};
    const uint64_t from = list->least.numbers[number];
    const uint64_t to = list->most.numbers[number];
    const char *plural = text_plural(most ? to : 2);
    if (most && (to == 1 || (least && from == to)))
        return text_format("%s%" PRIu64 " %s%s", before[number], to, behind[number], plural);
    if (least && most)
        return text_format("%s%" PRIu64 " to %" PRIu64 " %ss", before[number], from, to,
                           behind[number]);
    return text_format("%s%" PRIu64 " %ss or %s", before[number], least ? from : to, behind[number],
                       least ? "more" : "fewer");
}

static json_object *texts_of(const condition_list *list, uint32_t set) {
    json_object *texts = json_make_array();
    bool chosen[CONDITIONS] = {false};
    for (int i = 0; i < list->count; i++)
        chosen[list->numbers[i]] = set >> i & 1;
    for (int f = 0; f < FEATURE_WORDS; f++)
        if (chosen[f])
            add_text(texts, text_format("%s%s", f == FEATURE_WORDS - 1 ? "data " : "",
                                        list->least.words[f])); /* others say what they are about */
    for (int number = 0; number < FEATURE_NUMBERS; number++) {
        const int least = FEATURE_WORDS + 2 * number;
        if (chosen[least] || chosen[least + 1])
            add_text(texts, bounds_text(list, number, chosen[least], chosen[least + 1]));
    }
    return texts;
}

static json_object *record_of(const conjunction *c, uint64_t failed) {
    json_object *record = json_make_object();
    condition_list list = {.count = 0};
    list_conditions(&list, c);
    const candidate best = best_conjunction(&list, c->count, failed);
    fields_count(record, "failed", failed);
    fields_count(record, "of", best.cases);
    json_put_member(record, "conditions", texts_of(&list, best.set));
    json_put_member(record, "shared", texts_of(&list, UINT32_MAX));
    free(list.passed);
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
