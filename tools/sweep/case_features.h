/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_CASE_FEATURES_H
#define CUMSUM_TOOLS_CASE_FEATURES_H

/* The features of a case, which its name tells: the data type, the length of the lines, ... */

#include <stdbool.h>
#include <stdint.h>

#include "case_name.h"

/* Features that are numbers come last. */
enum {
    FEATURE_LENGTH = 10,
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

/* Does a word say what it is about ("exclusive"), or is the title needed ("lines 1")? */
bool case_feature_is_plain(int feature);

#endif
