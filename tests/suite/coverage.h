/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_COVERAGE_H
#define CUMSUM_TESTS_COVERAGE_H

/* The state of coverage_table while it prints its page, and functions that its two files
 * share. */

#include <stdio.h>

#include "rule_cases.h"

typedef struct coverage {
    const char *root;
    rule_cases cases;
    name_set traced; /* the rules that a statement names */
    FILE *out;
    int problems;
} coverage;

/* Prints a problem on stderr and counts it. */
void coverage_problem(coverage *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The text of ROOT/name, for memory_free. Ends the program if it cannot be read. */
char *coverage_read(const coverage *c, const char *name);

/* Prints `first` and the text, wrapped in whole words and further lines indented by two. */
void coverage_print(const coverage *c, const char *first, const char *text);

/* Prints the statements of the documents with their rules, as lists/rules.txt traces them. */
void coverage_trace(coverage *c);

#endif
