/* SPDX-License-Identifier: MIT */
#include "probe_questions.h"
#include "probe_run.h"

/* Carries out of each half of the word, and out of the word. */
void probe_wrap(prober *p, const probe_question *q, probe_result *r) {
    const bool wide = cumsum_data_type_size(q->type) == 8;
    const uint64_t mask = wide ? UINT64_MAX : UINT32_MAX;
    const uint64_t input[] = {mask, 1, UINT32_MAX >> 1, 1, mask >> 1, mask >> 1, UINT32_MAX, 3};
    uint64_t output[8];
    uint64_t sum = 0;
    bool right = true;
    uint64_t masked[8];
    for (int i = 0; i < 8; i++)
        masked[i] = input[i] & mask;
    if (!probe_few(p, q, 1, 8, false, masked, output, r))
        return;
    for (int i = 0; i < 8; i++) {
        sum = (sum + masked[i]) & mask;
        right = right && output[i] == sum;
    }
    probe_answer(r, right ? PROBE_ANSWERED : PROBE_WRONG,
                 !right ? "no"
                 : wide ? "modulo 2^64"
                        : "modulo 2^32");
    probe_evidence_value(r, "all bits set:", q->type, output[0]);
    probe_evidence_value(r, "+ 1:", q->type, output[1]);
}
