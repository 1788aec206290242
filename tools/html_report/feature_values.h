/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_FEATURE_VALUES_H
#define CUMSUM_TOOLS_FEATURE_VALUES_H

#include "case_features.h"

#define FEATURE_TEXT 48

/* What a feature is called, and its value of a case. */
typedef struct feature_kind {
    const char *title;
    void (*value)(char text[FEATURE_TEXT], const case_spec *spec);
} feature_kind;

extern const feature_kind feature_kinds[CASE_FEATURES];

#endif
