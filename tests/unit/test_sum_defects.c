/* SPDX-License-Identifier: MIT */
/*
 * Planted defects in the judgement of sums (judge_defect_list.cmake, `sum-`): the trials of
 * unit.test_oracle_sums must show each of them.
 */
#include "planted_list.h"
#include "sum_trial.h"

/* The trials until one shows a defect, at most as many as unit.test_oracle_sums has. */
static bool trials_show(void) {
    sum_trial t = {.state = 1, .quiet = true};
    for (int i = 0; i < 4000 && !t.wrong; i++) {
        sum_trial_all_orders(&t);
        if (i < 1500)
            sum_trial_random_tree(&t);
        if (i < 1000)
            sum_trial_wrong(&t);
        if (i < 500)
            sum_trial_wrong_mean(&t);
    }
    return t.wrong != 0;
}

int main(void) {
    return plant_each("sum-", trials_show);
}
