/* SPDX-License-Identifier: MIT */
#include "case_features.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "feature_values.h"
#include "memory.h"

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
