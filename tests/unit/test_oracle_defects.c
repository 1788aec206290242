/* SPDX-License-Identifier: MIT */
/*
 * Planted defects of the oracle (judge_defects.cmake): each must change an answer that
 * unit.test_oracle_fast or unit.test_judging compares, within the trials that this test runs
 * always.
 *
 * test_oracle_defects [NAME [OUTPUTS]] looks for one of them, among OUTPUTS outputs.
 */
#include "pieces_trial.h"

#include <inttypes.h>
#include <pthreadpool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static bool begins(const char *name, const char *with) {
    return !strncmp(name, with, strlen(with));
}

static bool is_of_another_test(const char *name) {
    return begins(name, "sum-") || begins(name, "rule-") || begins(name, "levels-");
}

/* The right answers of a trial. */
typedef struct right_answers {
    judge_answer whole;
    judge_answer pieces; /* and merged ones */
} right_answers;

/* Does a trial show the defect? */
static bool shows(size_t number, judge_trial *t, const right_answers *right, pthreadpool_t pool) {
    const bool merged = begins(defects[number - 1].name, "merged-");
    const bool pieces = merged || begins(defects[number - 1].name, "pieces-");
    t->options.thread_pool = begins(defects[number - 1].name, "threads-") ? pool : NULL;
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
    for (size_t i = 0; i < COUNT; i++)
        if (!found[i] && defects[i].there && !is_of_another_test(defects[i].name) &&
            (!only || !strcmp(only, defects[i].name)))
            found[i] = shows(i + 1, t, &right, pool);
    free(right.whole.verdicts);
    free(right.pieces.verdicts);
}

/* The fewest that have to be found. */
#define FEWEST 144

/* Is what was found of a defect wrong? Says so. A text is lost where the code changes; the new one
 * belongs in the list. */
static bool complain(size_t i, bool found, uint64_t judged) {
    const bool right = begins(defects[i].name, "right-");
    if (!defects[i].there)
        printf("%s: its text does not stand in src/oracle/%s, or not once\n", defects[i].name,
               defects[i].file);
    else if (right && found)
        printf("%s: another judgement\n", defects[i].name);
    else if (!right && !found)
        printf("%s: not found among %" PRIu64 " outputs\n", defects[i].name, judged);
    return !defects[i].there || found == right;
}

int main(int argc, char **argv) {
    const char *only = argc > 1 ? argv[1] : NULL;
    const uint64_t outputs = argc > 2 ? strtoull(argv[2], NULL, 10) : JUDGE_TRIAL_OUTPUTS;
    pthreadpool_t pool = pthreadpool_create(3);
    const bool threads = pool && pthreadpool_get_threads_count(pool) > 1;
    bool found[COUNT] = {false};
    uint64_t judged = 0;
    int complaints = 0, all = 0;
    for (uint64_t seed = 1; judged < outputs; seed++) {
        judge_trial t = judge_trial_begin(seed);
        try_all(&t, only, found, pool);
        judged += (uint64_t)t.lines * t.n;
        judge_trial_end(&t);
    }
    for (size_t i = 0; i < COUNT; i++) {
        const bool tried = !is_of_another_test(defects[i].name) &&
                           (threads || !begins(defects[i].name, "threads-"));
        if ((only && strcmp(only, defects[i].name) != 0) || (defects[i].there && !tried))
            continue;
        complaints += complain(i, found[i], judged);
        all += found[i];
    }
    printf("%d of %zu defects found, %d complaints\n", all, COUNT, complaints);
    pthreadpool_destroy(pool);
    return complaints != 0 || (!only && all < FEWEST);
}
