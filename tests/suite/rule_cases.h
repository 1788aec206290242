/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_RULE_CASES_H
#define CUMSUM_TESTS_RULE_CASES_H

/* The rules of the suite, and for each the cases and descriptors that test it. For coverage_table.
 */

#include "error.h"
#include "name_set.h"

typedef enum rule_list {
    RULE_QUICK,
    RULE_MUSTPASS,
    RULE_STRESS,
    RULE_LISTS
} rule_list;

typedef struct rule_row {
    char *rule;
    name_set cases[RULE_LISTS];
    size_t accepted; /* descriptors of lists/invalid.jsonl */
    size_t rejected;
} rule_row;

typedef struct rule_cases {
    rule_row *rows; /* in the order in which the lists name them */
    size_t count;
    name_set names[RULE_LISTS];
} rule_cases;

/* Reads ROOT/lists/{quick,mustpass,stress}.list and invalid.jsonl. */
tool_status rule_cases_read(const char *root, rule_cases *out, tool_error *error);

/* NULL if no list names this rule. */
const rule_row *rule_cases_find(const rule_cases *rules, const char *rule);

void rule_cases_free(rule_cases *rules);

#endif
