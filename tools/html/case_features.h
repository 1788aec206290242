/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_CASE_FEATURES_H
#define CUMSUM_TOOLS_CASE_FEATURES_H

/* What some of many cases, the failed ones say, have in common that others do not have: the data
 * type, the length of the lines, ... */

#include "name_set.h"
#include "report_model.h"

#define CASE_FEATURES 12

/* A value of a feature ("float16" of the data type), and how many cases have it. */
typedef struct feature_value {
    const char *text;
    case_counts counts;
} feature_value;

typedef struct case_feature {
    const char *title;
    name_set texts;
    feature_value *values; /* of cases that ran, by the share that failed, descending */
    double coefficient;    /* 0 to 1: how well the value tells whether a case fails */
} case_feature;

/* Counts cases by the values of their features, of which the one with the highest coefficient comes
 * first. case_features_end frees them. */
void case_features_begin(case_feature features[CASE_FEATURES], const model_case *cases,
                         size_t count);
void case_features_end(case_feature features[CASE_FEATURES]);

/* What all failed cases have in common: "data type float16; dimensions 2", or "". The caller frees
 * it. */
char *case_features_words(const model_case *cases, size_t count);

/* The one value that all failed cases have; NULL if they have several, or if no other value ran. */
const char *case_feature_shared(const case_feature *feature);

#endif
