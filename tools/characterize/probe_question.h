/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_PROBE_QUESTION_H
#define CUMSUM_TOOLS_PROBE_QUESTION_H

/* What questions are made of. All functions act on p->question and p->result. */

#include <stdbool.h>

#include "probe.h"

/* A tensor to sum, of rank 1 to 8, inclusive. Strides of NULL: packed. */
typedef struct probe_tensor {
    uint32_t rank;
    const uint32_t *sizes;
    const uint32_t *input_strides;
    const uint32_t *output_strides;
    uint32_t axis;
    bool decreasing;
} probe_tensor;

/* Sums. The buffers are as large as the layouts need. False, with the result filled in, if the
 * execution did not succeed. */
bool probe_run(prober *p, const probe_tensor *tensor, const void *input, void *output);

/* Sums `lines` packed lines of `length` elements, given and returned as bits; at most PROBE_FEW
 * elements in all. False as of probe_run. */
#define PROBE_FEW 64
bool probe_few(prober *p, uint32_t lines, uint32_t length, const uint64_t *input, uint64_t *output);

void probe_answer(prober *p, probe_outcome outcome, const char *answer);
void probe_evidence(prober *p, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Appends "WORDS VALUE" to the evidence, after a comma if there is some already. */
void probe_evidence_value(prober *p, const char *words, uint64_t bits);

/* probe_numbers.c: short lines of special numbers, in FLOAT32, FLOAT16 or both, and integers. */
void probe_subnormal_inputs(prober *p);
void probe_subnormal_sums(prober *p);
void probe_subnormal_outputs(prober *p);
void probe_signed_zero(prober *p);
void probe_nan(prober *p);
void probe_infinity(prober *p);
void probe_overflow(prober *p);
void probe_half_accumulator(prober *p);
void probe_half_rounding(prober *p);
void probe_half_overflow(prober *p);
void probe_half_subnormals(prober *p);
void probe_wrap(prober *p);

/* probe_lines.c: a long line of FLOAT32. */
void probe_order(prober *p);
void probe_causality(prober *p);
void probe_stability(prober *p);
void probe_length(prober *p);
void probe_layouts(prober *p);
void probe_neighbours(prober *p);

#endif
