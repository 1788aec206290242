/* SPDX-License-Identifier: MIT */
#include "failure_features.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

#define FEATURE_TEXT 48

/* What a feature is called, and its value of a case. */
typedef struct feature_kind {
    const char *title;
    void (*value)(char text[FEATURE_TEXT], const case_spec *spec);
} feature_kind;

extern const feature_kind feature_kinds[CASE_FEATURES];

static void count(case_feature *feature, const char *text, const model_case *one) {
    name_set_add(&feature->texts, text);
    size_t index = name_set_find(&feature->texts, text);
    if (feature->texts.count > feature->room) {
        size_t room = feature->room ? 2 * feature->room : 16;
        feature->values = tool_realloc(feature->values, room, sizeof *feature->values);
        memset(feature->values + feature->room, 0,
               (room - feature->room) * sizeof *feature->values);
        feature->room = room;
    }
    feature->values[index].text = feature->texts.names[index];
    case_counts_add(&feature->values[index].counts, one);
}

static double share(const case_counts *counts) {
    return (double)counts->failed / (double)counts->ran;
}

static int by_share(const void *a, const void *b) {
    const feature_value *x = a;
    const feature_value *y = b;
    double difference = share(&y->counts) - share(&x->counts);
    return difference < 0 ? -1 : difference > 0 ? 1 : strcmp(x->text, y->text);
}

/* What is not known of a coin that falls on one side `failed` times of `ran`, in nats. */
static double uncertainty(double failed, double ran) {
    double passed = ran - failed;
    return failed <= 0 || passed <= 0 ? 0
                                      : -failed * log(failed / ran) - passed * log(passed / ran);
}

static void rate(case_feature *feature) {
    double left = 0;
    case_counts all = {0};
    for (size_t i = 0; i < feature->texts.count; i++) {
        const case_counts *counts = &feature->values[i].counts;
        left += uncertainty((double)counts->failed, (double)counts->ran);
        all.ran += counts->ran;
        all.failed += counts->failed;
    }
    double before = uncertainty((double)all.failed, (double)all.ran);
    feature->telling = before > 0 ? 1 - left / before : 0;
    if (feature->texts.count)
        qsort(feature->values, feature->texts.count, sizeof *feature->values, by_share);
}

static int by_telling(const void *a, const void *b) {
    const case_feature *x = a;
    const case_feature *y = b;
    double difference = y->telling - x->telling;
    return difference < 0 ? -1 : difference > 0 ? 1 : strcmp(x->title, y->title);
}

void case_features_of(case_feature features[CASE_FEATURES], const report_model *model) {
    char text[FEATURE_TEXT];
    for (int f = 0; f < CASE_FEATURES; f++) {
        features[f] = (case_feature){.title = feature_kinds[f].title};
        for (size_t i = 0; i < model->count; i++) {
            if (model->cases[i].ran) {
                feature_kinds[f].value(text, &model->cases[i].spec);
                count(&features[f], text, &model->cases[i]);
            }
        }
        rate(&features[f]);
    }
    qsort(features, CASE_FEATURES, sizeof *features, by_telling);
}

void case_features_free(case_feature features[CASE_FEATURES]) {
    for (int f = 0; f < CASE_FEATURES; f++) {
        name_set_free(&features[f].texts);
        free(features[f].values);
    }
}

const feature_value *case_feature_shared(const case_feature *feature) {
    const feature_value *shared = NULL;
    for (size_t i = 0; i < feature->texts.count; i++) {
        if (feature->values[i].counts.failed && shared)
            return NULL;
        shared = feature->values[i].counts.failed ? &feature->values[i] : shared;
    }
    return feature->texts.count > 1 ? shared : NULL;
}

static void of_type(char text[FEATURE_TEXT], const case_spec *c) {
    snprintf(text, FEATURE_TEXT, "%s", case_type_word(c->type));
}

static void of_numerics(char text[FEATURE_TEXT], const case_spec *c) {
    snprintf(text, FEATURE_TEXT, "%s", case_numerics_word(c->type, c->numerics));
}

static void of_direction(char text[FEATURE_TEXT], const case_spec *c) {
    snprintf(text, FEATURE_TEXT, "%s", c->decreasing ? "decreasing" : "increasing");
}

static void of_sum(char text[FEATURE_TEXT], const case_spec *c) {
    snprintf(text, FEATURE_TEXT, "%s", c->exclusive ? "exclusive" : "inclusive");
}

static void of_rank(char text[FEATURE_TEXT], const case_spec *c) {
    snprintf(text, FEATURE_TEXT, "%" PRIu32, c->rank);
}

static void of_axis(char text[FEATURE_TEXT], const case_spec *c) {
    bool last = c->axis + 1 == c->rank;
    snprintf(text, FEATURE_TEXT, "%s",
             c->rank == 1   ? "the only dimension"
             : last         ? "the last dimension"
             : c->axis == 0 ? "the first dimension"
                            : "one in the middle");
}

/* Where implementations change their way: vectors, blocks, tiles, groups of threads. */
static void of_length(char text[FEATURE_TEXT], const case_spec *c) {
    uint32_t length = c->sizes[c->axis];
    static const uint32_t ends[] = {1, 16, 64, 256, 1024, 65536};
    uint32_t first = 1;
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        if (length <= ends[i]) {
            snprintf(text, FEATURE_TEXT, first == ends[i] ? "%" PRIu32 : "%" PRIu32 " to %" PRIu32,
                     first, ends[i]);
            return;
        }
        first = ends[i] + 1;
    }
    snprintf(text, FEATURE_TEXT, "above %" PRIu32, first - 1);
}

static void of_lines(char text[FEATURE_TEXT], const case_spec *c) {
    uint64_t lines = 1;
    for (uint32_t d = 0; d < c->rank; d++)
        lines *= d == c->axis ? 1 : c->sizes[d];
    snprintf(text, FEATURE_TEXT, "%s", lines == 1 ? "1" : lines <= 64 ? "2 to 64" : "above 64");
}

/* A stride of 0 repeats an element, where the size is not 1. */
static bool repeats(const case_spec *c, const case_tensor *tensor) {
    for (uint32_t d = 0; d < c->rank && tensor->strided; d++)
        if (tensor->strides[d] == 0 && c->sizes[d] > 1)
            return true;
    return false;
}

static void of_input(char text[FEATURE_TEXT], const case_spec *c) {
    snprintf(text, FEATURE_TEXT, "%s",
             !c->input.strided       ? "packed"
             : repeats(c, &c->input) ? "strides, some 0"
                                     : "strides");
}

static void of_output(char text[FEATURE_TEXT], const case_spec *c) {
    snprintf(text, FEATURE_TEXT, "%s",
             c->in_place         ? "in place"
             : c->output.strided ? "strides"
                                 : "packed");
}

static void of_offset(char text[FEATURE_TEXT], const case_spec *c) {
    bool output = !c->in_place && c->output.offset;
    snprintf(text, FEATURE_TEXT, "%s",
             c->input.offset && output ? "both tensors"
             : c->input.offset         ? "the input"
             : output                  ? "the output"
                                       : "none");
}

static void of_data(char text[FEATURE_TEXT], const case_spec *c) {
    snprintf(text, FEATURE_TEXT, "%s", c->data->name);
}

const feature_kind feature_kinds[CASE_FEATURES] = {{"data type", of_type},
                                                   {"numerics", of_numerics},
                                                   {"direction", of_direction},
                                                   {"sum", of_sum},
                                                   {"dimensions", of_rank},
                                                   {"axis", of_axis},
                                                   {"length of the lines", of_length},
                                                   {"lines", of_lines},
                                                   {"input", of_input},
                                                   {"output", of_output},
                                                   {"offset in the buffer", of_offset},
                                                   {"data", of_data}};
