/* SPDX-License-Identifier: MIT */
/*
 * Planted defects of the oracle (judge_defects.cmake): each must change an answer that
 * unit.test_oracle_fast or unit.test_judging compares, within the trials that this test runs
 * always.
 *
 * test_oracle_defects [NAME [OUTPUTS]] looks for one of them, among OUTPUTS outputs.
 */
#include "pieces_trial.h"
#include "vector_trial.h"

#include <inttypes.h>
#include <pthreadpool.h>
#include <stdlib.h>

#include "planted_list.h"

static bool is_of_another_test(size_t i) {
    return defect_begins(i, "sum-") || defect_begins(i, "rule-") || defect_begins(i, "levels-");
}

/* The right answers of a trial. */
typedef struct right_answers {
    judge_answer whole;
    judge_answer pieces; /* and merged ones */
} right_answers;

/* Does a trial show the defect? */
static bool shows(size_t number, judge_trial *t, const right_answers *right, pthreadpool_t pool) {
    const bool merged = defect_begins(number - 1, "merged-");
    const bool pieces = merged || defect_begins(number - 1, "pieces-");
    t->options.thread_pool = defect_begins(number - 1, "threads-") ? pool : NULL;
    cumsum_planted = (int)number;
    judge_answer wrong = judge_trial_judge(
        t, merged ? judge_trial_merged : (pieces ? judge_trial_pieces : cumsum_judge));
    cumsum_planted = 0;
    const bool differs =
        judge_trial_difference(t, pieces ? &right->pieces : &right->whole, &wrong) != NULL;
    free(wrong.verdicts);
    return differs;
}

/* Marks the defects that a trial shows. Those that were found are not tried again. */
static void try_all(judge_trial *t, const char *only, bool *found, pthreadpool_t pool) {
    right_answers right = {judge_trial_judge(t, cumsum_judge),
                           judge_trial_judge(t, judge_trial_pieces)};
    for (size_t i = 0; i < DEFECTS; i++)
        if (!found[i] && defects[i].there && !is_of_another_test(i) &&
            (!only || !strcmp(only, defects[i].name)))
            found[i] = shows(i + 1, t, &right, pool);
    free(right.whole.verdicts);
    free(right.pieces.verdicts);
}

/* Marks the defects that make results of vectors wrong. */
static void try_vectors(const char *only, bool *found) {
    for (size_t i = 0; i < DEFECTS; i++)
        if (defect_begins(i, "vectors-") && (!only || !strcmp(only, defects[i].name))) {
            cumsum_planted = (int)i + 1;
            found[i] = vector_trial_differs();
            cumsum_planted = 0;
        }
}

/* The fewest that have to be found. */
#define FEWEST 144

/* Is what was found of a defect wrong? Says so. */
static bool complain(size_t i, bool found, uint64_t judged) {
    const bool right = defect_begins(i, "right-");
    const bool there = defect_is_there(i);
    if (there && right && found)
        printf("%s: another judgement\n", defects[i].name);
    else if (there && !right && !found)
        printf("%s: not found among %" PRIu64 " outputs\n", defects[i].name, judged);
    return !there || found == right;
}

int main(int argc, char **argv) {
    const char *only = argc > 1 ? argv[1] : NULL;
    const uint64_t outputs = argc > 2 ? strtoull(argv[2], NULL, 10) : JUDGE_TRIAL_OUTPUTS;
    pthreadpool_t pool = pthreadpool_create(3);
    const bool threads = pool && pthreadpool_get_threads_count(pool) > 1;
    bool found[DEFECTS] = {false};
    uint64_t judged = 0;
    int complaints = 0, all = 0;
    const bool short_parts = vector_trial_has_short_parts();
    try_vectors(only, found);
    for (uint64_t seed = 1; judged < outputs; seed++) {
        judge_trial t = judge_trial_begin(seed);
        try_all(&t, only, found, pool);
        judged += (uint64_t)t.lines * t.n;
        judge_trial_end(&t);
    }
    for (size_t i = 0; i < DEFECTS; i++) {
        const bool tried = !is_of_another_test(i) && (threads || !defect_begins(i, "threads-")) &&
                           (short_parts || !defect_begins(i, "vectors-"));
        if ((only && strcmp(only, defects[i].name) != 0) || (defects[i].there && !tried))
            continue;
        complaints += complain(i, found[i], judged);
        all += found[i];
    }
    printf("%d of %zu defects found, %d complaints\n", all, DEFECTS, complaints);
    pthreadpool_destroy(pool);
    return complaints != 0 || (!only && all < FEWEST);
}
