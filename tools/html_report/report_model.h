/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_REPORT_MODEL_H
#define CUMSUM_TOOLS_REPORT_MODEL_H

/* What a report is made of: each case with what its name says, and the rules that it tests. */

#include "case_name.h"
#include "results_merge.h"
#include "rule_index.h"

typedef struct model_case {
    const char *name;
    const results_case *result;
    case_spec spec;
    uint64_t elements; /* of the output */
    bool ran;          /* it is supported */
    bool failed;       /* it ran and did what it must not, known or waived or not */
    bool shown;        /* as one of the failing cases: it fails the sweep by failing */
} model_case;

typedef struct report_model {
    const results_merge *merge;
    model_case *cases; /* in the order of merge */
    size_t count;
    rule_index rules;
    size_t *by_name; /* the case of each of the results' names */
} report_model;

/* How many cases of some kind there are, ran, and failed. */
typedef struct case_counts {
    uint64_t cases;
    uint64_t ran;
    uint64_t failed;
} case_counts;

/* Without the rules, which take longer than everything else. */
void report_model_begin(report_model *model, const results_merge *merge);
void report_model_add_rules(report_model *model);
void report_model_free(report_model *model);

void case_counts_add(case_counts *counts, const model_case *one);

/* The case of a link of the rules. */
const model_case *report_model_linked(const report_model *model, size_t link);

#endif
