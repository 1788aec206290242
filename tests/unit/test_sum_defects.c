/* SPDX-License-Identifier: MIT */
/*
 * Planted defects in the judgement of sums (judge_defect_list.cmake, `sum-`): the trials of
 * unit.test_oracle_sums must show each of them.
 */
#include <stdio.h>
#include <string.h>

#include "sum_trial.h"

/* The number of the defect that the oracle has now; 0: none. */
int cumsum_planted;

static const struct {
    const char *name;
    const char *file;
    bool there; /* its text stands in the file, once */
} defects[] = {
#include "planted_defects.inc"
};

#define COUNT (sizeof defects / sizeof defects[0])

/* The trials until one shows the defect, at most as many as unit.test_oracle_sums has. */
static bool is_found(int number) {
    sum_trial t = {.state = 1, .quiet = true};
    cumsum_planted = number;
    for (int i = 0; i < 4000 && !t.wrong; i++) {
        sum_trial_all_orders(&t);
        if (i < 1500)
            sum_trial_random_tree(&t);
        if (i < 1000)
            sum_trial_wrong(&t);
        if (i < 500)
            sum_trial_wrong_mean(&t);
    }
    cumsum_planted = 0;
    return t.wrong != 0;
}

int main(void) {
    int complaints = 0, found = 0;
    if (is_found(0)) {
        printf("the trials complain without a defect\n");
        complaints++;
    }
    for (size_t i = 0; i < COUNT; i++) {
        if (strncmp(defects[i].name, "sum-", 4) != 0)
            continue;
        const bool shown = defects[i].there && is_found((int)i + 1);
        if (!shown)
            printf("%s: %s\n", defects[i].name,
                   defects[i].there ? "not found" : "its text does not stand there, or not once");
        complaints += !shown;
        found += shown;
    }
    printf("%d defects found, %d complaints\n", found, complaints);
    return complaints != 0 || found == 0;
}
