/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_FAILURE_FEATURES_H
#define CUMSUM_TOOLS_FAILURE_FEATURES_H

#include "report_model.h"

/* What failing cases have in common: their names say all there is to know of them, taken apart into
 * features, of which those are told that tell failing from passing cases. */

/* A value of a feature ("float16" of the data type), and the cases that have it. */
typedef struct feature_value {
    const char *text; /* belongs to the feature */
    case_counts counts;
} feature_value;

typedef struct case_feature {
    const char *title;
    name_set texts;
    feature_value *values; /* of cases that ran; by the share that failed, the largest first */
    size_t room;
    double telling; /* 0 to 1: how much of "failed or not" the value says */
} case_feature;

enum {
    CASE_FEATURES = 12
};

/* By how telling they are, the most first. case_features_free frees what they hold. */
void case_features_of(case_feature features[CASE_FEATURES], const report_model *model);
void case_features_free(case_feature features[CASE_FEATURES]);

/* The one value that all failed cases have, where others ran too; NULL where there is none. */
const feature_value *case_feature_shared(const case_feature *feature);

#endif
