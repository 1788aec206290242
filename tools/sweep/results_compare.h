/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_RESULTS_COMPARE_H
#define CUMSUM_TOOLS_RESULTS_COMPARE_H

/* The results of two sweeps, A and B, case by case: where B is worse, better, or just another. */

#include <stdio.h>

#include "judged_output.h"
#include "results.h"

typedef enum change_kind {
    CHANGE_WORSE,
    CHANGE_BETTER,
    CHANGE_OTHER, /* other bits, another order: neither better nor worse */
    CHANGE_NONE,
    CHANGE_KINDS
} change_kind;

/* "worse", "better", "changed", "same" */
const char *change_kind_name(change_kind kind);

/* A case that is in A and in B. */
typedef struct case_change {
    const char *name;
    const results_case *a;
    const results_case *b;
    change_kind kind;
    uint32_t group; /* unless the kind is CHANGE_NONE */
} case_change;

/* The cases that changed in the same way. */
typedef struct change_group {
    change_kind kind;
    const char *what; /* "pass -> fail"; parts of it may come from the files */
    uint64_t count;
} change_group;

typedef struct results_comparison {
    const sweep_results *a;
    const sweep_results *b;
    case_change *cases; /* sorted */
    size_t count;
    change_group *groups; /* by kind; of a kind the largest first */
    uint32_t group_count;
    name_set descriptions;
    uint64_t counts[CHANGE_KINDS];
    uint64_t only_a; /* cases that B does not have */
    uint64_t only_b;
} results_comparison;

/*
 * A case is worse by the first of these that differs:
 *   1. its outcome: pass, flaky pass, not-supported, doubtful, fail or unstable, crash or timeout;
 *   2. the class of its outputs, if the oracle judged them;
 *   3. of a failure: the bytes written between the elements, the outputs that no order gives, then
 *      those that are doubtful.
 * Otherwise it may have another outcome of the same rank, verdict, order, bits or remark. What
 * `accept` takes is a pass, also in sweeps that accepted less.
 */
void results_compare_init(results_comparison *comparison, const sweep_results *a,
                          const sweep_results *b, accept_choice accept);
void results_compare_free(results_comparison *comparison);

/* What the cases of a group have in common that other compared cases have not: a record of
 * conjunction.h, whose failed cases are those of the group. The caller puts it. */
json_object *results_compare_common(const results_comparison *comparison, uint32_t group);

/* Writes a JSON object a line: "comparison", a "group" each, a "change" for each case that changed
 * and for each that is in A or B alone (docs/command-line.md). */
void results_compare_print(const results_comparison *comparison, FILE *out);

#endif
