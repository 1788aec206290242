/* SPDX-License-Identifier: MIT */
/* Threads share the lines of a tensor: the judgement is that of one thread, in every part. */
#include "judge_trial.h"

#include <pthreadpool.h>
#include <stdio.h>
#include <stdlib.h>

static bool same(judge_trial *t, const judge_answer *alone, pthreadpool_t pool, uint64_t seed) {
    t->options.thread_pool = pool;
    judge_answer shared = judge_trial_judge(t, cumsum_judge);
    const char *difference = judge_trial_difference(t, alone, &shared);
    free(shared.verdicts);
    if (difference) {
        printf("%zu threads differ from one in %s\n", pthreadpool_get_threads_count(pool),
               difference);
        judge_trial_show(t, seed);
    }
    return !difference;
}

int main(void) {
    static const size_t threads[] = {1, 2, 3, 7};
    pthreadpool_t pools[4];
    bool right = true;
    for (int i = 0; i < 4; i++)
        pools[i] = pthreadpool_create(threads[i]);
    for (uint64_t seed = 1; seed < 800 && right; seed++) {
        judge_trial t = judge_trial_begin(seed);
        if (t.lines > 1) {
            judge_answer alone = judge_trial_judge(&t, cumsum_judge);
            right = pools[seed % 4] && same(&t, &alone, pools[seed % 4], seed);
            free(alone.verdicts);
        }
        judge_trial_end(&t);
    }
    for (int i = 0; i < 4; i++)
        pthreadpool_destroy(pools[i]);
    return !right;
}
