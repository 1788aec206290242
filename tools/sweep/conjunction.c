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
 *
 * Features are ranked by how well their value predicts whether a case fails: by Theil's uncertainty
 * coefficient (H. Theil, "On the Estimation of Relationships Involving Qualitative Variables",
 * 1970), which is the mutual information of value and outcome, divided by the outcome's entropy.
 */
#include "conjunction.h"

#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json_print.h"
#include "memory.h"
#include "report.h"
#include "text.h"

#define EVIDENCE 5

/* Features below this coefficient are not in the record, nor more features than this. */
#define COEFFICIENT_MIN 0.03
#define FEATURES_MAX    6

void conjunction_add(conjunction *c, const char *name, bool failed) {
    case_spec spec;
    if (case_parse(name, &spec, NULL) != TOOL_OK)
        return;
    c->cases = tool_grow(c->cases, c->count, sizeof *c->cases);
    c->cases[c->count++] = (conjunction_case){case_features_of(&spec), failed};
}

/* Cases that ran, and those of them that failed. */
typedef struct case_counts {
    uint64_t ran;
    uint64_t failed;
} case_counts;

static void count_case(case_counts *counts, bool failed) {
    counts->ran++;
    counts->failed += failed;
}

typedef struct feature_value {
    const char *text;
    case_counts counts;
} feature_value;

/* Distributions have the most values. */
#define VALUES_MAX 64

typedef struct feature_table {
    int feature;
    feature_value values[VALUES_MAX];
    size_t count;
    double coefficient; /* 0 to 1: how well the value tells whether a case fails */
} feature_table;

static void count_value(feature_table *table, const char *text, bool failed) {
    size_t i = 0;
    while (i < table->count && strcmp(table->values[i].text, text) != 0)
        i++;
    if (i == VALUES_MAX)
        return;
    if (i == table->count)
        table->values[table->count++] = (feature_value){.text = text};
    count_case(&table->values[i].counts, failed);
}

/* The entropy, in nats, of the outcomes of these cases. */
static double entropy(const case_counts *counts) {
    const double ran = (double)counts->ran;
    const double failed = (double)counts->failed;
    const double passed = ran - failed;
    return failed <= 0 || passed <= 0 ? 0
                                      : -failed * log(failed / ran) - passed * log(passed / ran);
}

static double failed_share(const case_counts *counts) {
    return (double)counts->failed / (double)counts->ran;
}

static int by_share(const void *a, const void *b) {
    const feature_value *x = a;
    const feature_value *y = b;
    const double difference = failed_share(&y->counts) - failed_share(&x->counts);
    return difference < 0 ? -1 : difference > 0 ? 1 : strcmp(x->text, y->text);
}

static int by_coefficient(const void *a, const void *b) {
    const feature_table *x = a;
    const feature_table *y = b;
    const double difference = y->coefficient - x->coefficient;
    return difference < 0 ? -1 : difference > 0 ? 1 : x->feature - y->feature;
}

static void fill_table(feature_table *table, const conjunction *c, const case_counts *all) {
    double within = 0;
    for (size_t i = 0; i < c->count; i++)
        count_value(table, c->cases[i].features.words[table->feature], c->cases[i].failed);
    for (size_t i = 0; i < table->count; i++)
        within += entropy(&table->values[i].counts);
    table->coefficient = entropy(all) > 0 ? 1 - within / entropy(all) : 0;
    qsort(table->values, table->count, sizeof *table->values, by_share);
}

/* Conditions are numbered: the words, then for each number its least and its greatest value. */
#define CONDITIONS (FEATURE_LENGTH + 2 * FEATURE_NUMBERS)

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
    return (condition - FEATURE_LENGTH) / 2;
}

static bool is_least(int condition) {
    return (condition - FEATURE_LENGTH) % 2 == 0;
}

static bool meets(const condition_list *list, int condition, const case_features *one) {
    if (condition < FEATURE_LENGTH)
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

static void list_conditions(condition_list *list, const conjunction *c,
                            const feature_table *tables) {
    take_bounds(list, c);
    for (int condition = 0; condition < CONDITIONS; condition++) {
        const bool word = condition < FEATURE_LENGTH;
        bool all_failed = true;
        bool all = true;
        for (size_t n = 0; n < c->count; n++) {
            const bool met = meets(list, condition, &c->cases[n].features);
            all = all && met;
            all_failed = all_failed && (met || !c->cases[n].failed);
        }
        if (all_failed && !all) {
            list->bits[list->count] =
                log2(word ? (double)tables[condition].count : (double)c->count);
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

static candidate best_conjunction(const condition_list *list, const case_counts *all) {
    candidate best = {.bits = bits_of_choice((double)all->ran, (double)all->failed) - EVIDENCE,
                      .cases = all->ran};
    for (int a = 0; a < list->count; a++) {
        consider(&best, list, 1U << a, 1, all->failed);
        for (int b = a + 1; b < list->count; b++) {
            consider(&best, list, 1U << a | 1U << b, 2, all->failed);
            for (int d = b + 1; d < list->count; d++)
                consider(&best, list, 1U << a | 1U << b | 1U << d, 3, all->failed);
        }
    }
    return best;
}

static void add_text(json_object *texts, text_buffer *buffer) {
    char *text = text_buffer_close(buffer);
    json_put_element(texts, json_make_string(text));
    free(text);
}

/* Most words say what they are about. */
static void add_word(json_object *texts, int feature, const char *word) {
    text_buffer buffer;
    text_buffer_open(&buffer);
    fprintf(buffer.stream, "%s%s", feature == FEATURE_DATA ? "data " : "", word);
    add_text(texts, &buffer);
}

/* "lines of 513 elements or more", "2 to 5 lines", "1 dimension" */
static void add_bounds(json_object *texts, const condition_list *list, int number, bool least,
                       bool most) {
    static const char *const before[] = {"lines of ", "", ""};
    static const char *const behind[] = {"element", "line", "dimension"};
    const uint64_t from = list->least.numbers[number];
    const uint64_t to = list->most.numbers[number];
    const bool exactly = most && (to == 1 || (least && from == to));
    text_buffer buffer;
    text_buffer_open(&buffer);
    fprintf(buffer.stream, "%s%" PRIu64, before[number], least ? from : to);
    if (least && most && !exactly)
        fprintf(buffer.stream, " to %" PRIu64, to);
    fprintf(buffer.stream, " %s%s", behind[number], exactly && to == 1 ? "" : "s");
    if (least != most && !exactly)
        fputs(least ? " or more" : " or fewer", buffer.stream);
    add_text(texts, &buffer);
}

static json_object *texts_of(const condition_list *list, uint32_t set) {
    json_object *texts = json_make_array();
    bool chosen[CONDITIONS] = {false};
    for (int i = 0; i < list->count; i++)
        chosen[list->numbers[i]] = set >> i & 1;
    for (int f = 0; f < FEATURE_LENGTH; f++)
        if (chosen[f])
            add_word(texts, f, list->least.words[f]);
    for (int number = 0; number < FEATURE_NUMBERS; number++) {
        const int least = FEATURE_LENGTH + 2 * number;
        if (chosen[least] || chosen[least + 1])
            add_bounds(texts, list, number, chosen[least], chosen[least + 1]);
    }
    return texts;
}

static void add_conditions(json_object *record, const conjunction *c, const feature_table *tables,
                           const case_counts *all) {
    condition_list list = {.count = 0};
    list_conditions(&list, c, tables);
    const candidate best = best_conjunction(&list, all);
    fields_count(record, "failed", all->failed);
    fields_count(record, "of", best.cases);
    json_put_member(record, "conditions", texts_of(&list, best.set));
    json_put_member(record, "shared", texts_of(&list, UINT32_MAX));
    free(list.passed);
}

static json_object *table_object(const feature_table *table) {
    json_object *object = json_make_object();
    json_object *values = json_make_array();
    fields_text(object, "title", case_feature_title(table->feature));
    for (size_t i = 0; i < table->count; i++) {
        json_object *value = json_make_array();
        json_put_element(value, json_make_string(table->values[i].text));
        json_put_element(value, json_make_count(table->values[i].counts.failed));
        json_put_element(value, json_make_count(table->values[i].counts.ran));
        json_put_element(values, value);
    }
    json_put_member(object, "values", values);
    return object;
}

static json_object *record_of(const conjunction *c, const case_counts *all) {
    json_object *record = json_make_object();
    json_object *features = json_make_array();
    feature_table *tables = tool_calloc(CASE_FEATURES, sizeof *tables);
    for (int f = 0; f < CASE_FEATURES; f++) {
        tables[f].feature = f;
        fill_table(&tables[f], c, all);
    }
    add_conditions(record, c, tables, all);
    qsort(tables, CASE_FEATURES, sizeof *tables, by_coefficient);
    for (int f = 0; f < FEATURES_MAX && tables[f].coefficient > COEFFICIENT_MIN; f++)
        json_put_element(features, table_object(&tables[f]));
    json_put_member(record, "features", features);
    free(tables);
    return record;
}

json_object *conjunction_end(conjunction *c) {
    case_counts all = {0};
    for (size_t i = 0; i < c->count; i++)
        count_case(&all, c->cases[i].failed);
    json_object *record = all.failed ? record_of(c, &all) : NULL;
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
