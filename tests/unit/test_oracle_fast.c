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
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Lines in two dimensions, of which only the inner ones are evenly spaced: the outputs of a plane
 * have `apart` elements behind them, which are no sums. */
static bool planes_differ(uint32_t apart) {
    enum {
        PLANES = 5,
        LINES = 9,
        N = 3
    };
    float x[PLANES * LINES * N], y[PLANES * (LINES * N + 4)];
    const uint32_t sizes[] = {PLANES, LINES, N}, packed[] = {LINES * N, N, 1};
    const uint32_t spaced[] = {LINES * N + apart, N, 1};
    for (int i = 0; i < PLANES * (LINES * N + 4); i++)
        y[i] = 77;
    for (uint32_t plane = 0; plane < PLANES; plane++)
        for (uint32_t i = 0; i < LINES * N; i++) {
            const uint32_t at = plane * LINES * N + i;
            float *out = &y[plane * (LINES * N + apart) + i];
            x[at] = (float)(at * 7919 % 61) * 0.1F;
            *out = (i % N ? out[-1] : 0) + x[at];
        }
    const cumsum_buffer_tensor_desc buffers[2] = {
        {.data_type = CUMSUM_DATA_TYPE_FLOAT32,
         .dimension_count = 3,
         .sizes = sizes,
         .strides = packed,
         .total_tensor_size_in_bytes = sizeof x},
        {.data_type = CUMSUM_DATA_TYPE_FLOAT32,
         .dimension_count = 3,
         .sizes = sizes,
         .strides = spaced,
         .total_tensor_size_in_bytes =
             (uint64_t)sizeof *y * (PLANES * (LINES * N + apart) - apart)}};
    const cumsum_tensor_desc tensors[2] = {{CUMSUM_TENSOR_TYPE_BUFFER, &buffers[0]},
                                           {CUMSUM_TENSOR_TYPE_BUFFER, &buffers[1]}};
    const cumsum_operator_desc desc = {
        .input_tensor = &tensors[0], .output_tensor = &tensors[1], .axis = 2};
    cumsum_judgement fast = {0}, slow = {0};
    const cumsum_status status =
        cumsum_judge(&desc, x, sizeof x, y, sizeof y, NULL, NULL, &fast, NULL);
    const bool differs =
        status != CUMSUM_OK ||
        cumsum_judge_slowly(&desc, x, sizeof x, y, sizeof y, NULL, NULL, &slow, NULL) != status ||
        !fast.pass || fast.error_class != slow.error_class ||
        fabs(fast.h - slow.h) > 0x1p-20 * slow.h ||
        memcmp(fast.counts, slow.counts, sizeof fast.counts) != 0 ||
        memcmp(fast.first.coordinates, slow.first.coordinates, sizeof fast.first.coordinates) != 0;
    if (differs)
        printf("the fast path differs where planes have %u elements between them\n", apart);
    return differs;
}

/* The numbers whose float has these 16 bits in front. */
static uint16_t bfloat16(double value) {
    const float f = (float)value;
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return (uint16_t)((bits + 0x8000) >> 16);
}

/* A line whose error grows to `most` at the 60th of its sums, as that of neighbours may, and stays.
 * Behind the 64th r v is 1/4, and less is allowed. The fast path must not keep the limit before. */
static bool limit_is_kept(double most) {
    enum {
        N = 400,
        FULL = 60
    };
    uint16_t x[N], y[N];
    double sum = 0;
    for (int k = 0; k < N; k++) {
        x[k] = bfloat16(1 + k * 37 % 64 / 64.0);
        sum += 1 + k * 37 % 64 / 64.0;
        const double part = k < FULL ? (double)k / FULL : 1;
        y[k] = bfloat16(sum + most * part * part * part);
    }
    const uint32_t sizes[] = {N};
    const cumsum_buffer_tensor_desc buffer = {.data_type = CUMSUM_DATA_TYPE_BFLOAT16,
                                              .dimension_count = 1,
                                              .sizes = sizes,
                                              .total_tensor_size_in_bytes = sizeof x};
    const cumsum_tensor_desc tensor = {CUMSUM_TENSOR_TYPE_BUFFER, &buffer};
    const cumsum_operator_desc desc = {.input_tensor = &tensor, .output_tensor = &tensor};
    cumsum_judgement fast = {0}, slow = {0};
    if (cumsum_judge(&desc, x, sizeof x, y, sizeof y, NULL, NULL, &fast, NULL) != CUMSUM_OK ||
        cumsum_judge_slowly(&desc, x, sizeof x, y, sizeof y, NULL, NULL, &slow, NULL) != CUMSUM_OK)
        return true;
    const bool differs = memcmp(fast.counts, slow.counts, sizeof fast.counts) != 0 ||
                         slow.counts[CUMSUM_VERDICT_DOUBTFUL] == 0;
    if (differs)
        printf("error %g: %" PRIu64 " outputs are doubtful, %" PRIu64 " if judged slowly\n", most,
               fast.counts[CUMSUM_VERDICT_DOUBTFUL], slow.counts[CUMSUM_VERDICT_DOUBTFUL]);
    return differs;
}

int main(int argc, char **argv) {
    if (planes_differ(0) || planes_differ(4) || limit_is_kept(10) || limit_is_kept(14))
        return 1;
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
