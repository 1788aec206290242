/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_CONJUNCTION_H
#define CUMSUM_TOOLS_CONJUNCTION_H

/* What the failing ones of many cases have in common. The terminal, the results and the page say
 * the same, from the same record. */

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>

#include "case_name.h"

/* The features of a case, which its name tells: the data type, the sum, ..., and numbers. */
#define FEATURE_WORDS   10
#define FEATURE_NUMBERS 3

typedef struct case_features {
    const char *words[FEATURE_WORDS];  /* static texts */
    uint64_t numbers[FEATURE_NUMBERS]; /* the length of the lines, lines, dimensions */
} case_features;

typedef struct conjunction_case {
    case_features features;
    bool failed;
} conjunction_case;

typedef struct conjunction {
    conjunction_case *cases;
    size_t count;
} conjunction;

/* Adds a case that ran, by its valid name. */
void conjunction_add(conjunction *c, const char *name, bool failed);

/*
 * What they have in common, as a JSON object; NULL if no case failed. Frees what c holds.
 *
 *     "failed", "of"  counts: the failed ones, of the cases that meet all conditions, or of all
 *     "conditions"    up to three that all failed cases meet: ["exclusive", "lines of 513 elements
 *                     or more"]; empty if none tells where the failures are
 *     "shared"        all conditions that all failed cases meet and some other case does not
 */
json_object *conjunction_end(conjunction *c);

/* "exclusive and lines of 513 elements or more: 1307 of 1307", NULL without conditions. The caller
 * frees it. */
char *conjunction_words(json_object *record);

/* "float16; lines of 17 elements or more": what is shared, or "". The caller frees it. */
char *conjunction_shared(json_object *record);

#endif
