/* SPDX-License-Identifier: MIT */
/* Questions that short lines answer: subnormals, zeros, NaN and infinities; how FLOAT16 sums are
 * accumulated and rounded; whether integers wrap. Numbers are written as bits. */
#include "element.h"
#include "probe_question.h"

/* FLOAT32 bits: 2^-126 is the smallest normal number. */
#define SMALLEST_NORMAL    0x00800000u
#define THREE_HALVES_OF_IT 0x00C00000u
#define HALF_OF_IT         0x00400000u
#define MINUS              0x80000000u

/* A subnormal can be lost in three places: as an element, as a sum that is added to, and as an
 * output. Each is asked with a positive and a negative one, and flushing may lose the sign. */
static const char *name_flushing(bool positive, bool negative, bool flushed, const char *zero) {
    return positive && negative ? "kept"
           : flushed            ? zero
           : positive           ? "kept if positive, lost if negative"
           : negative           ? "kept if negative, lost if positive"
                                : "neither kept nor flushed";
}

/* The sum 2^-126 + 2^-127 is normal, so that flushing of sums leaves it alone. */
void probe_subnormal_inputs(prober *p) {
    const uint64_t input[] = {SMALLEST_NORMAL, HALF_OF_IT, MINUS | SMALLEST_NORMAL,
                              MINUS | HALF_OF_IT};
    uint64_t output[4];
    if (!probe_few(p, 2, 2, input, output))
        return;
    probe_answer(p, PROBE_ANSWERED,
                 name_flushing(output[1] == THREE_HALVES_OF_IT,
                               output[3] == (MINUS | THREE_HALVES_OF_IT),
                               output[1] == SMALLEST_NORMAL && output[3] == input[2], "flushed"));
    probe_evidence_value(p, "2^-126 + 2^-127 =", output[1]);
    probe_evidence_value(p, "the negative of it:", output[3]);
}

/* The sum 2^-127, and -2^-127, is added to. With 2^-126 it makes a normal number, and with -0 it
 * shows the sign of a zero that it was flushed to. */
void probe_subnormal_sums(prober *p) {
    const uint64_t input[] = {
        THREE_HALVES_OF_IT,         MINUS | SMALLEST_NORMAL, SMALLEST_NORMAL,
        MINUS | THREE_HALVES_OF_IT, SMALLEST_NORMAL,         MINUS | SMALLEST_NORMAL,
        MINUS | THREE_HALVES_OF_IT, SMALLEST_NORMAL,         MINUS};
    uint64_t output[9];
    if (!probe_few(p, 3, 3, input, output))
        return;
    probe_answer(
        p, PROBE_ANSWERED,
        name_flushing(output[2] == THREE_HALVES_OF_IT, output[5] == (MINUS | THREE_HALVES_OF_IT),
                      output[2] == SMALLEST_NORMAL && output[5] == (MINUS | SMALLEST_NORMAL),
                      output[8] == MINUS ? "flushed to a zero of its sign" : "flushed to +0"));
    probe_evidence_value(p, "1.5 * 2^-126 - 2^-126 + 2^-126 =", output[2]);
    probe_evidence_value(p, "the negative of it:", output[5]);
    probe_evidence_value(p, "-1.5 * 2^-126 + 2^-126 - 0 =", output[8]);
}

void probe_subnormal_outputs(prober *p) {
    const uint64_t input[] = {THREE_HALVES_OF_IT, MINUS | SMALLEST_NORMAL,
                              MINUS | THREE_HALVES_OF_IT, SMALLEST_NORMAL};
    uint64_t output[4];
    if (!probe_few(p, 2, 2, input, output))
        return;
    probe_answer(p, PROBE_ANSWERED,
                 name_flushing(output[1] == HALF_OF_IT, output[3] == (MINUS | HALF_OF_IT),
                               output[1] == 0 && (output[3] & ~(uint64_t)MINUS) == 0,
                               output[3] ? "flushed to a zero of its sign" : "flushed to +0"));
    probe_evidence_value(p, "1.5 * 2^-126 - 2^-126 =", output[1]);
    probe_evidence_value(p, "the negative of it:", output[3]);
}

/* Bits of either floating-point type. */
typedef struct special {
    uint64_t one, minus_zero, infinity, minus_infinity, nan;
} special;

static special special_of(cumsum_data_type type) {
    return type == CUMSUM_DATA_TYPE_FLOAT32
               ? (special){0x3F800000u, 0x80000000u, 0x7F800000u, 0xFF800000u, 0x7FC00000u}
               : (special){0x3C00u, 0x8000u, 0x7C00u, 0xFC00u, 0x7E00u};
}

void probe_signed_zero(prober *p) {
    const special s = special_of(p->question->type);
    const uint64_t input[] = {s.minus_zero, s.minus_zero};
    uint64_t output[2];
    if (!probe_few(p, 1, 2, input, output))
        return;
    probe_answer(p, PROBE_ANSWERED,
                 output[0] == 0              ? "+0"
                 : output[0] == s.minus_zero ? "-0"
                                             : "no zero at all");
    p->result->outcome = output[0] & ~s.minus_zero ? PROBE_WRONG : PROBE_ANSWERED;
    probe_evidence_value(p, "-0 alone:", output[0]);
    probe_evidence_value(p, "-0 + -0 =", output[1]);
}

void probe_nan(prober *p) {
    const special s = special_of(p->question->type);
    const uint64_t input[] = {s.one, s.nan, s.one, s.infinity};
    uint64_t output[4];
    if (!probe_few(p, 1, 4, input, output))
        return;
    bool right = output[0] == s.one;
    for (int i = 1; i < 4; i++)
        right = right && element_is_nan(p->question->type, output[i]);
    probe_answer(p, right ? PROBE_ANSWERED : PROBE_WRONG, right ? "yes" : "no");
    probe_evidence_value(p, "1:", output[0]);
    probe_evidence_value(p, "+ nan:", output[1]);
    probe_evidence_value(p, "+ 1:", output[2]);
    probe_evidence_value(p, "+ inf:", output[3]);
}

void probe_infinity(prober *p) {
    const special s = special_of(p->question->type);
    const uint64_t input[] = {s.one, s.infinity, s.one, s.minus_infinity, s.one};
    uint64_t output[5];
    if (!probe_few(p, 1, 5, input, output))
        return;
    const bool right = output[0] == s.one && output[1] == s.infinity && output[2] == s.infinity &&
                       element_is_nan(p->question->type, output[3]) &&
                       element_is_nan(p->question->type, output[4]);
    probe_answer(p, right ? PROBE_ANSWERED : PROBE_WRONG, right ? "yes" : "no");
    probe_evidence_value(p, "1 + inf =", output[1]);
    probe_evidence_value(p, "+ 1:", output[2]);
    probe_evidence_value(p, "- inf:", output[3]);
    probe_evidence_value(p, "+ 1:", output[4]);
}

/* The exact sum of the three is the largest number again: an implementation with a wider
 * accumulator recovers from the overflow. */
void probe_overflow(prober *p) {
    const uint64_t largest = 0x7F7FFFFFu;
    const uint64_t input[] = {largest, largest, MINUS | largest};
    uint64_t output[3];
    if (!probe_few(p, 1, 3, input, output))
        return;
    probe_answer(p, PROBE_ANSWERED,
                 output[2] == special_of(p->question->type).infinity ? "yes"
                 : output[2] == largest ? "no: later sums are right again"
                                        : "no: later sums are wrong");
    p->result->outcome = output[2] == largest || output[2] == special_of(p->question->type).infinity
                             ? PROBE_ANSWERED
                             : PROBE_WRONG;
    probe_evidence_value(p, "max + max =", output[1]);
    probe_evidence_value(p, "- max:", output[2]);
}

/* FLOAT16. */
#define HALF_INFINITY 0x7C00u
#define HALF_LARGEST  0x7BFFu /* 65504 */

static uint64_t half(float value) {
    return cumsum_half_from_float(value, CUMSUM_HALF_STORE_IEEE);
}

/* 2048 + 1 is halfway between two FLOAT16 numbers: a FLOAT16 accumulator stays at 2048. */
void probe_half_accumulator(prober *p) {
    const uint64_t input[] = {half(2048), half(1), half(1)};
    uint64_t output[3];
    if (!probe_few(p, 1, 3, input, output))
        return;
    probe_answer(p, PROBE_ANSWERED,
                 output[2] == half(2050)   ? "FLOAT32"
                 : output[2] == half(2048) ? "FLOAT16"
                                           : "neither FLOAT32 nor FLOAT16");
    probe_evidence_value(p, "2048 + 1 + 1 =", output[2]);
}

/* Sums of two numbers above 1024, where FLOAT16 numbers are whole, and what each way to
 * round makes of them. */
#define ROUNDED 5
typedef struct rounding {
    const char *name;
    float results[ROUNDED];
} rounding;

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

void probe_half_rounding(prober *p) {
    static const char *const words[ROUNDED] = {
        "1024 + 0.75 =", "-1024 - 0.75 =", "1024 + 0.5 =", "1025 + 0.5 =", "-1025 - 0.25 ="};
    uint64_t input[2 * ROUNDED];
    uint64_t output[2 * ROUNDED];
    for (size_t i = 0; i < (size_t)2 * ROUNDED; i++)
        input[i] = half(addends[i / 2][i % 2]);
    if (!probe_few(p, ROUNDED, 2, input, output))
        return;
    probe_answer(p, PROBE_ANSWERED, name_rounding(output));
    for (size_t i = 0; i < ROUNDED; i++)
        probe_evidence_value(p, words[i], output[2 * i + 1]);
}

/* IEEE 754 rounds a sum below 65520 to the largest number, 65504. DirectML's shaders make every sum
 * above 65504 infinite. */
#define EDGES 5
void probe_half_overflow(prober *p) {
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
    if (!probe_few(p, EDGES, 2, input, output))
        return;
    for (size_t i = 0; i < EDGES; i++) {
        const uint64_t sum = output[2 * i + 1];
        infinite += sum == HALF_INFINITY;
        in_order =
            in_order && (sum == HALF_INFINITY ? i > 0 : sum == HALF_LARGEST && infinite == 0);
        probe_evidence_value(p, words[i], sum);
    }
    probe_answer(p, PROBE_ANSWERED,
                 !in_order       ? "in no way that has a name"
                 : infinite == 4 ? "above 65504"
                 : infinite == 2 ? "from 65520 on"
                 : infinite == 0 ? "never: it stays at 65504"
                                 : "elsewhere between 65504 and 65536");
}

/* The smallest subnormal as an input, and as the difference of two normal numbers, of each sign. */
void probe_half_subnormals(prober *p) {
    const uint64_t input[] = {0x0001, 0x0001, 0x8001, 0x8001, 0x0401, 0x8400, 0x8401, 0x0400};
    uint64_t output[8];
    if (!probe_few(p, 4, 2, input, output))
        return;
    const bool inputs =
        output[0] == 1 && output[1] == 2 && output[2] == 0x8001 && output[3] == 0x8002;
    const bool sums = output[5] == 1 && output[7] == 0x8001;
    probe_answer(p, PROBE_ANSWERED,
                 inputs && sums ? "kept"
                 : sums         ? "kept in sums, lost from inputs"
                 : inputs       ? "kept from inputs, lost in sums"
                                : "flushed");
    probe_evidence_value(p, "2^-24 + 2^-24 =", output[1]);
    probe_evidence_value(p, "the negative of it:", output[3]);
    probe_evidence_value(p, "a difference of 2^-24:", output[5]);
    probe_evidence_value(p, "the negative of it:", output[7]);
}

/* Carries out of the low 32 bits, and out of the word. */
void probe_wrap(prober *p) {
    const bool wide = cumsum_data_type_size(p->question->type) == 8;
    const uint64_t mask = wide ? UINT64_MAX : UINT32_MAX;
    const uint64_t input[] = {mask, 1, UINT32_MAX >> 1, 1, mask >> 1, mask >> 1, UINT32_MAX, 3};
    uint64_t output[8];
    uint64_t sum = 0;
    bool right = true;
    uint64_t masked[8];
    for (int i = 0; i < 8; i++)
        masked[i] = input[i] & mask;
    if (!probe_few(p, 1, 8, masked, output))
        return;
    for (int i = 0; i < 8; i++) {
        sum = (sum + masked[i]) & mask;
        right = right && output[i] == sum;
    }
    probe_answer(p, right ? PROBE_ANSWERED : PROBE_WRONG,
                 !right ? "no"
                 : wide ? "modulo 2^64"
                        : "modulo 2^32");
    probe_evidence_value(p, "all bits set:", output[0]);
    probe_evidence_value(p, "+ 1:", output[1]);
}
