/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_SUM_TRIAL_H
#define CUMSUM_TESTS_SUM_TRIAL_H

/*
 * cumsum_judge_sums against programs that add: every tree of a few terms, and random
 * trees of tensors with many. Each function counts the wrong answers, and prints the first one.
 */

#include <stdbool.h>
#include <stdint.h>

typedef struct sum_trial {
    uint64_t state; /* of the random numbers */
    uint64_t wrong;
    uint64_t asked; /* answers that were looked at */
} sum_trial;

/* All orders of up to 4 terms that are not zero, or of up to 6: what one of them gives passes as
 * the model that gives it, and its neighbours that none gives fail. */
void sum_trial_all_orders(sum_trial *t);

/* A tensor of any layout whose sums are added in random trees: none fails. */
void sum_trial_random_tree(sum_trial *t);

/* A tensor of small integers, whose sums are exact: any wrong output fails. */
void sum_trial_wrong(sum_trial *t);

#endif
