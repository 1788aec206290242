/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_FAILURE_GROUPS_H
#define CUMSUM_TOOLS_FAILURE_GROUPS_H

/* The failures of a sweep in groups of the same state and the same cause. */

#include <stdio.h>

#include "results.h"

/* Shows each group, the largest first: the state, how many cases it has, the cause, what all of
 * them have that other cases which ran have not, and the name of the first. names: all cases in the
 * order of the sweep; some may have no result. */
void failure_groups_show(FILE *out, const sweep_results *results, const name_set *names);

#endif
