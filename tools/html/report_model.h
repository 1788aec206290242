/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_REPORT_MODEL_H
#define CUMSUM_TOOLS_REPORT_MODEL_H

/* What the page is made from: every case of the results with its name taken apart, and the rules
 * that the built-in lists say it tests. */

#include <stdint.h>

#include "case_name.h"
#include "merge.h"
#include "name_set.h"
#include "results_compare.h"

typedef struct model_case {
    const char *name;
    const results_case *result;
    case_spec spec;
    uint64_t elements; /* of the output */
    bool ran;          /* the backend supports it */
    bool failed; /* it ran and its result is wrong, whether that is known, waived or neither */
    bool shown;  /* the failure makes the sweep fail: listed under the failing cases */
} model_case;

/* The rule of cases that are in no built-in list, or below no rule in it. */
#define RULE_NONE ""

typedef struct model_rule {
    const char *name;
    const model_case **cases; /* each once, in the order of the model */
    size_t count;
} model_rule;

/* The order of cases is that of merge: names in order, numbers in them by value. */
typedef struct report_model {
    const results_merge *merge;
    model_case *cases;
    size_t count;
    model_rule *rules; /* in the order of the lists, RULE_NONE last; only those that have cases */
    size_t rule_count;
    name_set rule_names;
    const model_case **rule_cases; /* what the rules' `cases` point into */
} report_model;

/* report_model_free frees the model. It has no rules yet: indexing them takes longer than
 * everything else, and the fuzzers do without. */
void report_model_begin(report_model *model, const results_merge *merge);
void report_model_add_rules(report_model *model);
void report_model_free(report_model *model);

/* The cases of a comparison, all of which ran and none of which failed. The caller frees them. */
model_case *report_model_changes(const results_comparison *comparison);

/* How many cases of some kind there are, ran, and failed. */
typedef struct case_counts {
    uint64_t cases;
    uint64_t ran;
    uint64_t failed;
} case_counts;

void case_counts_add(case_counts *counts, const model_case *one);

#endif
