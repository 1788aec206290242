/* SPDX-License-Identifier: MIT */
/* Threads share the lines of a tensor: the judgement is that of one thread, in every part. */
#include "check.h"
#include "judge_trial.h"

#include <pthreadpool.h>
#include <stdio.h>
#include <stdlib.h>

static bool same_with(judge_trial *t, pthreadpool_t pool, uint64_t seed) {
    judge_answer alone = judge_trial_judge(t, cumsum_judge);
    t->options.thread_pool = pool;
    judge_answer shared = judge_trial_judge(t, cumsum_judge);
    const char *difference = judge_trial_difference(t, seed, &shared, &alone);
    if (difference)
        puts(difference);
    free(alone.verdicts);
    free(shared.verdicts);
    return pool && !difference;
}

static void any_number_of_threads(void) {
    static const size_t threads[] = {1, 2, 3, 7};
    pthreadpool_t pools[4];
    bool right = true;
    for (int i = 0; i < 4; i++)
        pools[i] = pthreadpool_create(threads[i]);
    for (uint64_t seed = 1; seed < 800 && right; seed++) {
        judge_trial t = judge_trial_begin(seed);
        right = t.lines == 1 || same_with(&t, pools[seed % 4], seed);
        judge_trial_end(&t);
    }
    for (int i = 0; i < 4; i++)
        pthreadpool_destroy(pools[i]);
    assert_true(right);
}

CHECK_GROUP(test_oracle_threads, T(any_number_of_threads));
