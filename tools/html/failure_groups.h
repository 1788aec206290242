/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_FAILURE_GROUPS_H
#define CUMSUM_TOOLS_FAILURE_GROUPS_H

#include "report_model.h"

/* The failing cases by the rules that they test. Rules of which the same cases fail are one group.
 */

typedef struct failure_rule {
    const char *name;   /* belongs to the model */
    case_counts counts; /* of all its cases */
} failure_rule;

typedef struct failure_group {
    failure_rule *rules;
    size_t rule_count;
    const model_case **cases; /* those that are shown, the smallest first */
    size_t count;
} failure_group;

typedef struct failure_groups {
    failure_group *list;
    size_t count;
} failure_groups;

void failure_groups_begin(failure_groups *groups, const report_model *model);
void failure_groups_free(failure_groups *groups);

#endif
