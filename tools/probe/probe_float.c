/* SPDX-License-Identifier: MIT */
/* Subnormals, zeros, NaN and infinities. */
#include "probe_questions.h"
#include "probe_run.h"

#define FLOAT32 CUMSUM_DATA_TYPE_FLOAT32

/* FLOAT32 bits: 2^-126 is the smallest normal number. */
#define SMALLEST_NORMAL    0x00800000u
#define THREE_HALVES_OF_IT 0x00C00000u
#define HALF_OF_IT         0x00400000u
#define MINUS              0x80000000u

/* Whether it is kept shows in a normal sum, 2^-126 + 2^-127, which no flushing of sums can touch;
 * what becomes of a negative one alone is evidence. */
void probe_subnormal_inputs(prober *p, const probe_question *q, probe_result *r) {
    const uint64_t input[] = {SMALLEST_NORMAL, HALF_OF_IT, MINUS | HALF_OF_IT, 0};
    uint64_t output[4];
    if (!probe_few(p, q, 2, 2, false, input, output, r))
        return;
    probe_answer(r, PROBE_ANSWERED,
                 output[1] == THREE_HALVES_OF_IT ? "kept"
                 : output[1] == SMALLEST_NORMAL  ? "flushed"
                                                 : "neither kept nor flushed");
    probe_evidence_value(r, "2^-126 + 2^-127 =", FLOAT32, output[1]);
    probe_evidence_value(r, "-2^-127 alone =", FLOAT32, output[2]);
}

void probe_subnormal_sums(prober *p, const probe_question *q, probe_result *r) {
    const uint64_t input[] = {THREE_HALVES_OF_IT, MINUS | SMALLEST_NORMAL,
                              MINUS | THREE_HALVES_OF_IT, SMALLEST_NORMAL};
    uint64_t output[4];
    if (!probe_few(p, q, 2, 2, false, input, output, r))
        return;
    const bool zero = output[1] == 0 && (output[3] & ~(uint64_t)MINUS) == 0;
    probe_answer(r, PROBE_ANSWERED,
                 output[1] == HALF_OF_IT && output[3] == (MINUS | HALF_OF_IT) ? "kept"
                 : zero && output[3] ? "flushed to a zero of its sign"
                 : zero              ? "flushed to +0"
                                     : "neither kept nor flushed");
    probe_evidence_value(r, "1.5 * 2^-126 - 2^-126 =", FLOAT32, output[1]);
    probe_evidence_value(r, "the negative of it:", FLOAT32, output[3]);
}

/* Bits of either floating-point type. */
typedef struct special {
    uint64_t one, minus_zero, infinity, minus_infinity, nan;
} special;

static special special_of(cumsum_data_type type) {
    return type == FLOAT32
               ? (special){0x3F800000u, 0x80000000u, 0x7F800000u, 0xFF800000u, 0x7FC00000u}
               : (special){0x3C00u, 0x8000u, 0x7C00u, 0xFC00u, 0x7E00u};
}

static bool is_nan(cumsum_data_type type, uint64_t bits) {
    const special s = special_of(type);
    return (bits & ~s.minus_zero) > s.infinity;
}

void probe_signed_zero(prober *p, const probe_question *q, probe_result *r) {
    const special s = special_of(q->type);
    const uint64_t input[] = {s.minus_zero, s.minus_zero};
    uint64_t output[2];
    if (!probe_few(p, q, 1, 2, false, input, output, r))
        return;
    probe_answer(r, PROBE_ANSWERED,
                 output[0] == 0              ? "+0"
                 : output[0] == s.minus_zero ? "-0"
                                             : "no zero at all");
    r->outcome = output[0] & ~s.minus_zero ? PROBE_WRONG : PROBE_ANSWERED;
    probe_evidence_value(r, "-0 alone:", q->type, output[0]);
    probe_evidence_value(r, "-0 + -0 =", q->type, output[1]);
}

void probe_nan(prober *p, const probe_question *q, probe_result *r) {
    const special s = special_of(q->type);
    const uint64_t input[] = {s.one, s.nan, s.one, s.infinity};
    uint64_t output[4];
    if (!probe_few(p, q, 1, 4, false, input, output, r))
        return;
    bool right = output[0] == s.one;
    for (int i = 1; i < 4; i++)
        right = right && is_nan(q->type, output[i]);
    probe_answer(r, right ? PROBE_ANSWERED : PROBE_WRONG, right ? "yes" : "no");
    probe_evidence_value(r, "1:", q->type, output[0]);
    probe_evidence_value(r, "+ nan:", q->type, output[1]);
    probe_evidence_value(r, "+ 1:", q->type, output[2]);
    probe_evidence_value(r, "+ inf:", q->type, output[3]);
}

void probe_infinity(prober *p, const probe_question *q, probe_result *r) {
    const special s = special_of(q->type);
    const uint64_t input[] = {s.one, s.infinity, s.one, s.minus_infinity, s.one};
    uint64_t output[5];
    if (!probe_few(p, q, 1, 5, false, input, output, r))
        return;
    const bool right = output[0] == s.one && output[1] == s.infinity && output[2] == s.infinity &&
                       is_nan(q->type, output[3]) && is_nan(q->type, output[4]);
    probe_answer(r, right ? PROBE_ANSWERED : PROBE_WRONG, right ? "yes" : "no");
    probe_evidence_value(r, "1 + inf =", q->type, output[1]);
    probe_evidence_value(r, "+ 1:", q->type, output[2]);
    probe_evidence_value(r, "- inf:", q->type, output[3]);
    probe_evidence_value(r, "+ 1:", q->type, output[4]);
}

/* The exact sum of the three is the largest number again. */
void probe_overflow(prober *p, const probe_question *q, probe_result *r) {
    const uint64_t largest = 0x7F7FFFFFu;
    const uint64_t input[] = {largest, largest, MINUS | largest};
    uint64_t output[3];
    if (!probe_few(p, q, 1, 3, false, input, output, r))
        return;
    probe_answer(r, PROBE_ANSWERED,
                 output[2] == special_of(FLOAT32).infinity ? "yes"
                 : output[2] == largest                    ? "no: later sums are right again"
                                                           : "no: later sums are wrong");
    r->outcome = output[2] == largest || output[2] == special_of(FLOAT32).infinity ? PROBE_ANSWERED
                                                                                   : PROBE_WRONG;
    probe_evidence_value(r, "max + max =", FLOAT32, output[1]);
    probe_evidence_value(r, "- max:", FLOAT32, output[2]);
}
