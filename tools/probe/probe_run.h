/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_PROBE_RUN_H
#define CUMSUM_TOOLS_PROBE_RUN_H

#include <stdbool.h>
#include <stddef.h>

#include "probe.h"

/* What the questions are made of: executions, and words for what comes out. */

/* A tensor to sum, of rank 1 to 8. Strides of NULL: packed. */
typedef struct probe_tensor {
    cumsum_data_type type;
    uint32_t rank;
    const uint32_t *sizes;
    const uint32_t *input_strides;
    const uint32_t *output_strides;
    uint32_t axis;
    bool decreasing;
    bool exclusive;
} probe_tensor;

/* Sums. The buffers are as large as the layouts need. False, with the result filled in, where it
 * cannot be done. */
bool probe_run(prober *p, const probe_question *q, const probe_tensor *tensor, const void *input,
               void *output, probe_result *r);

/* `lines` packed lines of `length` elements, given and received as bits. At most PROBE_FEW
 * elements in all. */
#define PROBE_FEW 64
bool probe_few(prober *p, const probe_question *q, uint32_t lines, uint32_t length, bool exclusive,
               const uint64_t *input, uint64_t *output, probe_result *r);

/* The answer, and the evidence. */
void probe_answer(probe_result *r, probe_outcome outcome, const char *answer);
void probe_evidence(probe_result *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Adds "WORDS VALUE" to the evidence, with a comma before it where there is some already. */
void probe_evidence_value(probe_result *r, const char *words, cumsum_data_type type, uint64_t bits);

#endif
