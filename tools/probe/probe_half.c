/* SPDX-License-Identifier: MIT */
/* FLOAT16: what sums are kept in, and how one becomes an output. */
#include <string.h>

#include "probe_questions.h"
#include "probe_run.h"

#define FLOAT16       CUMSUM_DATA_TYPE_FLOAT16
#define HALF_INFINITY 0x7C00u
#define HALF_LARGEST  0x7BFFu /* 65504 */

static uint64_t half(float value) {
    return cumsum_half_from_float(value, CUMSUM_HALF_STORE_IEEE);
}

/* 2048 + 1 is halfway between two halves: a sum kept in FLOAT16 never leaves 2048. */
void probe_half_accumulator(prober *p, const probe_question *q, probe_result *r) {
    const uint64_t input[] = {half(2048), half(1), half(1)};
    uint64_t output[3];
    if (!probe_few(p, q, 1, 3, false, input, output, r))
        return;
    probe_answer(r, PROBE_ANSWERED,
                 output[2] == half(2050)   ? "FLOAT32"
                 : output[2] == half(2048) ? "FLOAT16"
                                           : "neither FLOAT32 nor FLOAT16");
    probe_evidence_value(r, "2048 + 1 + 1 =", FLOAT16, output[2]);
}

/* Above 1024 halves are whole numbers. */
typedef struct rounding {
    const char *name;
    float results[5];
} rounding;

#define ROUNDED 5
static const float addends[ROUNDED][2] = {
    {1024, 0.75F}, {-1024, -0.75F}, {1024, 0.5F}, {1025, 0.5F}, {-1025, -0.25F}};
static const rounding roundings[] = {
    {"to nearest even", {1025, -1025, 1024, 1026, -1025}},
    {"toward zero", {1024, -1024, 1024, 1025, -1025}},
    {"to nearest, ties away from zero", {1025, -1025, 1025, 1026, -1025}},
    {"up", {1025, -1024, 1025, 1026, -1025}},
    {"down", {1024, -1025, 1024, 1025, -1026}},
    {"away from zero", {1025, -1025, 1025, 1026, -1026}},
};

static const char *name_rounding(const uint64_t *output) {
    for (size_t i = 0; i < sizeof roundings / sizeof roundings[0]; i++) {
        bool fits = true;
        for (size_t line = 0; line < ROUNDED; line++)
            fits = fits && output[2 * line + 1] == half(roundings[i].results[line]);
        if (fits)
            return roundings[i].name;
    }
    return "in no way that has a name";
}

void probe_half_rounding(prober *p, const probe_question *q, probe_result *r) {
    static const char *const words[ROUNDED] = {
        "1024 + 0.75 =", "-1024 - 0.75 =", "1024 + 0.5 =", "1025 + 0.5 =", "-1025 - 0.25 ="};
    uint64_t input[2 * ROUNDED];
    uint64_t output[2 * ROUNDED];
    for (size_t i = 0; i < (size_t)2 * ROUNDED; i++)
        input[i] = half(addends[i / 2][i % 2]);
    if (!probe_few(p, q, ROUNDED, 2, false, input, output, r))
        return;
    probe_answer(r, PROBE_ANSWERED, name_rounding(output));
    for (size_t i = 0; i < ROUNDED; i++)
        probe_evidence_value(r, words[i], FLOAT16, output[2 * i + 1]);
}

/* IEEE: a sum below 65520 rounds down to the largest half. DirectML's shaders compare with it. */
#define EDGES 5
void probe_half_overflow(prober *p, const probe_question *q, probe_result *r) {
    static const float more[EDGES] = {0, 8, 15.5F, 16, 32};
    static const char *const words[EDGES] = {"65504 + 0 =", "+ 8:", "+ 15.5:", "+ 16:", "+ 32:"};
    uint64_t input[2 * EDGES];
    uint64_t output[2 * EDGES];
    int infinite = 0;
    bool in_order = true;
    for (size_t i = 0; i < EDGES; i++) {
        input[2 * i] = HALF_LARGEST;
        input[2 * i + 1] = half(more[i]);
    }
    if (!probe_few(p, q, EDGES, 2, false, input, output, r))
        return;
    for (size_t i = 0; i < EDGES; i++) {
        const uint64_t sum = output[2 * i + 1];
        infinite += sum == HALF_INFINITY;
        in_order =
            in_order && (sum == HALF_INFINITY ? i > 0 : sum == HALF_LARGEST && infinite == 0);
        probe_evidence_value(r, words[i], FLOAT16, sum);
    }
    probe_answer(r, PROBE_ANSWERED,
                 !in_order       ? "in no way that has a name"
                 : infinite == 4 ? "above 65504"
                 : infinite == 2 ? "from 65520 on"
                 : infinite == 0 ? "never: it stays at 65504"
                                 : "elsewhere between 65504 and 65536");
}

/* The smallest subnormal by itself, and one that is the difference of two normal numbers. */
void probe_half_subnormals(prober *p, const probe_question *q, probe_result *r) {
    const uint64_t input[] = {0x0001, 0x0001, 0x0401, 0x8400};
    uint64_t output[4];
    if (!probe_few(p, q, 2, 2, false, input, output, r))
        return;
    const bool inputs = output[0] == 1 && output[1] == 2;
    const bool sums = output[3] == 1;
    probe_answer(r, PROBE_ANSWERED,
                 inputs && sums ? "kept"
                 : sums         ? "kept in sums, lost from inputs"
                 : inputs       ? "kept from inputs, lost in sums"
                                : "flushed");
    probe_evidence_value(r, "2^-24 + 2^-24 =", FLOAT16, output[1]);
    probe_evidence_value(r, "a difference of 2^-24:", FLOAT16, output[3]);
}
