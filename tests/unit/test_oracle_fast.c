/* SPDX-License-Identifier: MIT */
/*
 * Compares the fast paths of the oracle with the loop that judges one output at a time. Every part
 * of the judgement, and the verdict on each output, must be the same.
 *
 * test_oracle_fast [OUTPUTS [SEED]] judges at least that many outputs, beginning with that seed.
 */
#include "judge_steps.h"
#include "judge_trial.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    const uint64_t outputs = argc > 1 ? strtoull(argv[1], NULL, 10) : JUDGE_TRIAL_OUTPUTS;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    uint64_t judged = 0, passed = 0, trials = 0;
    for (; judged < outputs; seed++, trials++) {
        judge_trial t = judge_trial_begin(seed);
        judge_answer fast = judge_trial_judge(&t, cumsum_judge);
        judge_answer slow = judge_trial_judge(&t, cumsum_judge_slowly);
        const char *difference = judge_trial_difference(&t, &fast, &slow);
        judged += (uint64_t)t.lines * t.n;
        passed += slow.status == CUMSUM_OK && slow.judgement.pass;
        if (difference) {
            printf("the fast path differs in %s\n", difference);
            judge_trial_show(&t, seed);
        }
        free(fast.verdicts);
        free(slow.verdicts);
        judge_trial_end(&t);
        if (difference)
            return 1;
    }
    printf("%" PRIu64 " outputs of %" PRIu64 " tensors, of which %" PRIu64 " pass\n", judged,
           trials, passed);
    return 0;
}
