/* SPDX-License-Identifier: MIT */
/*
 * The screen decides nothing: a judgement is that of the loop that judges one output at a time, and
 * the verdict on each output that of the exact rule, applied to it by itself.
 *
 * test_oracle_fast [OUTPUTS [SEED]] judges at least that many outputs, beginning with that seed.
 */
#include "check.h"
#include "judge_state.h"
#include "judge_steps.h"
#include "judge_trial.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Are the verdicts those of the rule, and the models those that fit every output by it? What is
 * suspect passes it. */
static bool rule_agrees(const judge_trial *t, const judge_answer *a) {
    static double values[REACH_ROOM];
    cumsum_judgement none;
    judge_state s = {.options = t->options, .judgement = &none};
    scan_case packed;
    s.options.profile = t->by_profile ? &t->profile : NULL;
    s.problem.type = t->type;
    cumsum_stream_begin(&s);
    s.how.values = t->options.reachable ? values : NULL;
    judge_trial_describe(t, t->sizes, NULL, &packed);
    uint32_t models = s.how.allowed;
    for (uint32_t line = 0; line < t->lines; line++) {
        const uint64_t *x = t->x + (size_t)line * t->n, *y = t->y + (size_t)line * t->n;
        exact_prefix p = exact_prefix_of(t->format, s.how.profile);
        for (uint32_t k = 0; k < t->n; k++) {
            const size_t at = judge_trial_offset(t, packed.strides[1], t->n, line, k);
            if (k + !t->exclusive > p.terms)
                cumsum_exact_prefix_add(&p, x[p.terms]);
            if (a->verdicts[at] == CUMSUM_VERDICT_COUNT) /* a later line has written it */
                continue;
            const rule_result r = cumsum_rule(&p, y[k], &s.how);
            const cumsum_verdict verdict = r.verdict;
            models &= r.models;
            if (a->verdicts[at] == CUMSUM_VERDICT_SUSPECT ? verdict >= CUMSUM_VERDICT_MAY_OVERFLOW
                                                          : verdict != a->verdicts[at]) {
                printf("line %u, output %u: %s, by the rule %s\n", line, k,
                       cumsum_verdict_name((cumsum_verdict)a->verdicts[at]),
                       cumsum_verdict_name(verdict));
                return false;
            }
        }
    }
    if (models != a->judgement.models)
        printf("models %x, by the rule %x\n", a->judgement.models, models);
    return models == a->judgement.models;
}

static cumsum_status judge_slowly(const cumsum_operator_desc *desc, const void *input,
                                  uint64_t input_in_bytes, const void *actual,
                                  uint64_t actual_in_bytes, const cumsum_judge_options *options,
                                  uint8_t *verdicts, cumsum_judgement *judgement,
                                  cumsum_diagnostic *diagnostic) {
    judge_state s = {.input = input,
                     .actual = actual,
                     .verdicts = verdicts,
                     .judgement = judgement,
                     .slowly = true};
    return cumsum_judge_scans(&s, desc, input_in_bytes, actual_in_bytes, options, diagnostic);
}

static int compare_with_slow(int argc, char **argv) {
    const uint64_t outputs = argc > 1 ? strtoull(argv[1], NULL, 10) : 6000000;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    uint64_t judged = 0, trials = 0, counts[CUMSUM_VERDICT_COUNT] = {0};
    const char *difference = NULL;
    for (; judged < outputs && !difference; seed++, trials++) {
        judge_trial t = judge_trial_begin(seed);
        judge_answer fast = judge_trial_judge(&t, cumsum_judge);
        judge_answer slow = judge_trial_judge(&t, judge_slowly);
        difference = judge_trial_difference(&t, seed, &fast, &slow);
        if (!difference && seed % 2 && t.format && slow.status == CUMSUM_OK &&
            !rule_agrees(&t, &slow)) {
            printf("seed %" PRIu64 ", %s\n", seed, cumsum_data_type_name(t.type));
            difference = "the rule";
        }
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

CHECK_MAIN(test_oracle_fast, compare_with_slow);
