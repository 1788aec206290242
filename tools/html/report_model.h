/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_REPORT_MODEL_H
#define CUMSUM_TOOLS_REPORT_MODEL_H

#include <stdint.h>
#include <stdio.h>

#include "case_name.h"
#include "merge.h"
#include "name_set.h"

/* Which rules cases test, as the built-in lists say. */

/* Case `name` (an index of the names) tests rule `rule` (an index of the rules). */
typedef struct rule_link {
    uint32_t rule;
    size_t name;
} rule_link;

typedef struct rule_index {
    name_set rules;   /* in the order of the lists; the last is RULE_NONE */
    rule_link *links; /* by rule, then by name; each once */
    size_t count;
    size_t room;
} rule_index;

/* The rule of cases that are in no built-in list, or below no rule. */
#define RULE_NONE ""

/* For these names. rule_index_free frees it. */
void rule_index_begin(rule_index *index, const name_set *names);
void rule_index_free(rule_index *index);

/* What a report is made of: each case with what its name says, and the rules that it tests. */

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

/* Writes the statements of the documents that a rule tests, each by its first words as
 * lists/rules.txt has them, as paragraphs of a page. */
void rule_statements(FILE *out, const char *rule);

#endif
