/* SPDX-License-Identifier: MIT */
/*
 * What some of many cases have in common. A case's name is taken apart into features (data type,
 * length of the lines, ...). For each feature the cases that ran are counted by its value, and
 * features are ranked by how well their value predicts whether a case fails. A feature's rank is
 * Theil's uncertainty coefficient (H. Theil, "On the Estimation of Relationships Involving
 * Qualitative Variables", 1970): the mutual information of value and outcome, divided by the
 * outcome's entropy.
 */
#include "case_features.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "text.h"

typedef enum feature_kind {
    FEATURE_TYPE,
    FEATURE_NUMERICS,
    FEATURE_DIRECTION,
    FEATURE_SUM,
    FEATURE_RANK,
    FEATURE_AXIS,
    FEATURE_LENGTH,
    FEATURE_LINES,
    FEATURE_INPUT,
    FEATURE_OUTPUT,
    FEATURE_OFFSET,
    FEATURE_DATA
} feature_kind;

static const char *const titles[CASE_FEATURES] = {
    "data type",           "numerics", "direction", "sum",    "dimensions",           "axis",
    "length of the lines", "lines",    "input",     "output", "offset in the buffer", "data"};

static const char *axis_name(const case_spec *c) {
    return c->rank == 1             ? "the only dimension"
           : c->axis + 1 == c->rank ? "the last dimension"
           : c->axis == 0           ? "the first dimension"
                                    : "one in the middle";
}

/* Ranges end where implementations change their method: vectors, blocks, tiles, thread groups. */
static const char *length_range(uint32_t length, char text[48]) {
    static const uint32_t ends[] = {1, 16, 64, 256, 1024, 65536};
    uint32_t first = 1;
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        if (length <= ends[i]) {
            snprintf(text, 48, first == ends[i] ? "%" PRIu32 : "%" PRIu32 " to %" PRIu32, first,
                     ends[i]);
            return text;
        }
        first = ends[i] + 1;
    }
    snprintf(text, 48, "above %" PRIu32, first - 1);
    return text;
}

static const char *lines_range(const case_spec *c) {
    const uint64_t lines = case_lines(c);
    return lines == 1 ? "1" : lines <= 64 ? "2 to 64" : "above 64";
}

/* A stride of 0 repeats an element if the size is not 1. */
static const char *input_strides(const case_spec *c) {
    if (!c->input.strided)
        return "packed";
    for (uint32_t d = 0; d < c->rank; d++)
        if (c->input.strides[d] == 0 && c->sizes[d] > 1)
            return "strides, some 0";
    return "strides";
}

static const char *offset_tensors(const case_spec *c) {
    const bool output = !c->in_place && c->output.offset;
    return c->input.offset && output ? "both tensors"
           : c->input.offset         ? "the input"
           : output                  ? "the output"
                                     : "none";
}

/* text: room for a value that is made here. */
static const char *value_of(feature_kind kind, const case_spec *c, char text[48]) {
    switch (kind) {
    case FEATURE_TYPE:
        return case_type_word(c->type);
    case FEATURE_NUMERICS:
        return case_numerics_word(c->type, c->numerics);
    case FEATURE_DIRECTION:
        return c->decreasing ? "decreasing" : "increasing";
    case FEATURE_SUM:
        return c->exclusive ? "exclusive" : "inclusive";
    case FEATURE_RANK:
        snprintf(text, 48, "%" PRIu32, c->rank);
        return text;
    case FEATURE_AXIS:
        return axis_name(c);
    case FEATURE_LENGTH:
        return length_range(c->sizes[c->axis], text);
    case FEATURE_LINES:
        return lines_range(c);
    case FEATURE_INPUT:
        return input_strides(c);
    case FEATURE_OUTPUT:
        return c->in_place ? "in place" : c->output.strided ? "strides" : "packed";
    case FEATURE_OFFSET:
        return offset_tensors(c);
    default:
        return c->data->name;
    }
}

static void count_value(case_feature *feature, const char *text, const model_case *one) {
    if (name_set_add(&feature->texts, text)) {
        const size_t last = feature->texts.count - 1;
        feature->values = tool_grow(feature->values, last, sizeof *feature->values);
        feature->values[last] = (feature_value){.text = NULL};
    }
    size_t index = name_set_find(&feature->texts, text);
    feature->values[index].text = feature->texts.names[index];
    case_counts_add(&feature->values[index].counts, one);
}

/* The entropy, in nats, of the outcomes of `ran` cases of which `failed` failed. */
static double entropy(double failed, double ran) {
    double passed = ran - failed;
    return failed <= 0 || passed <= 0 ? 0
                                      : -failed * log(failed / ran) - passed * log(passed / ran);
}

static void rate(case_feature *feature) {
    double within = 0;
    case_counts all = {0};
    for (size_t i = 0; i < feature->texts.count; i++) {
        const case_counts *counts = &feature->values[i].counts;
        within += entropy((double)counts->failed, (double)counts->ran);
        all.ran += counts->ran;
        all.failed += counts->failed;
    }
    double whole = entropy((double)all.failed, (double)all.ran);
    feature->coefficient = whole > 0 ? 1 - within / whole : 0;
}

static double failed_share(const case_counts *counts) {
    return (double)counts->failed / (double)counts->ran;
}

static int by_share(const void *a, const void *b) {
    const feature_value *x = a;
    const feature_value *y = b;
    double difference = failed_share(&y->counts) - failed_share(&x->counts);
    return difference < 0 ? -1 : difference > 0 ? 1 : strcmp(x->text, y->text);
}

static int by_coefficient(const void *a, const void *b) {
    const case_feature *x = a;
    const case_feature *y = b;
    double difference = y->coefficient - x->coefficient;
    return difference < 0 ? -1 : difference > 0 ? 1 : strcmp(x->title, y->title);
}

void case_features_begin(case_feature features[CASE_FEATURES], const model_case *cases,
                         size_t count) {
    char text[48];
    for (int f = 0; f < CASE_FEATURES; f++) {
        case_feature *feature = &features[f];
        *feature = (case_feature){.title = titles[f]};
        for (size_t i = 0; i < count; i++) {
            const model_case *one = &cases[i];
            if (one->ran)
                count_value(feature, value_of((feature_kind)f, &one->spec, text), one);
        }
        rate(feature);
        if (feature->texts.count)
            qsort(feature->values, feature->texts.count, sizeof *feature->values, by_share);
    }
    qsort(features, CASE_FEATURES, sizeof *features, by_coefficient);
}

void case_features_end(case_feature features[CASE_FEATURES]) {
    for (int f = 0; f < CASE_FEATURES; f++) {
        name_set_free(&features[f].texts);
        free(features[f].values);
    }
}

const char *case_feature_shared(const case_feature *feature) {
    const char *shared = NULL;
    for (size_t i = 0; i < feature->texts.count; i++) {
        if (feature->values[i].counts.failed && shared)
            return NULL;
        shared = feature->values[i].counts.failed ? feature->values[i].text : shared;
    }
    return feature->texts.count > 1 ? shared : NULL;
}

char *case_features_words(const model_case *cases, size_t count) {
    case_feature features[CASE_FEATURES];
    text_buffer buffer;
    const char *separator = "";
    case_features_begin(features, cases, count);
    text_buffer_begin(&buffer);
    for (int f = 0; f < CASE_FEATURES; f++) {
        const char *shared = case_feature_shared(&features[f]);
        if (shared) {
            fprintf(buffer.stream, "%s%s %s", separator, features[f].title, shared);
            separator = "; ";
        }
    }
    case_features_end(features);
    return text_buffer_end(&buffer);
}
