/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_CASE_FEATURES_H
#define CUMSUM_TOOLS_CASE_FEATURES_H

/* The features of a case, which its name tells: the data type, the length of the lines, ... */

#include <stdbool.h>
#include <stdint.h>

#include "case_name.h"

/* Features that are numbers come last. */
enum {
    FEATURE_DATA = 9,
    FEATURE_LENGTH,
    FEATURE_LINES,
    FEATURE_RANK,
    CASE_FEATURES
};
#define FEATURE_NUMBERS (CASE_FEATURES - FEATURE_LENGTH)

typedef struct case_features {
    const char *words[CASE_FEATURES]; /* static texts; of a number the range that it is in */
    uint64_t numbers[FEATURE_NUMBERS];
} case_features;

case_features case_features_of(const case_spec *spec);

/* "data type" */
const char *case_feature_title(int feature);

#endif
