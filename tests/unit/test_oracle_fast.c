/* SPDX-License-Identifier: MIT */
/*
 * The screen decides nothing: a judgement, and the verdict on each output, are those of the loop
 * that judges one output at a time.
 *
 * test_oracle_fast [OUTPUTS [SEED]] judges at least that many outputs, beginning with that seed.
 */
#include "judge_steps.h"
#include "judge_trial.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    const uint64_t outputs = argc > 1 ? strtoull(argv[1], NULL, 10) : 6000000;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    uint64_t judged = 0, trials = 0, counts[CUMSUM_VERDICT_COUNT] = {0};
    const char *difference = NULL;
    for (; judged < outputs && !difference; seed++, trials++) {
        judge_trial t = judge_trial_begin(seed);
        judge_answer fast = judge_trial_judge(&t, cumsum_judge);
        judge_answer slow = judge_trial_judge(&t, cumsum_judge_slowly);
        difference = judge_trial_difference(&t, seed, &fast, &slow);
        judged += (uint64_t)t.lines * t.n;
        for (int v = 0; v < CUMSUM_VERDICT_COUNT && slow.status == CUMSUM_OK; v++)
            counts[v] += slow.judgement.counts[v];
        free(fast.verdicts);
        free(slow.verdicts);
        judge_trial_end(&t);
    }
    if (difference)
        puts(difference);
    printf("%" PRIu64 " outputs of %" PRIu64 " tensors\n", judged, trials);
    for (int v = 0; v < CUMSUM_VERDICT_COUNT; v++) {
        printf("%s %" PRIu64 "\n", cumsum_verdict_name((cumsum_verdict)v), counts[v]);
        if (judged >= 100000 && !counts[v])
            difference = "no output has this verdict";
    }
    return difference != NULL;
}
