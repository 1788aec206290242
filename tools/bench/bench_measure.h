/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_BENCH_MEASURE_H
#define CUMSUM_TOOLS_BENCH_MEASURE_H

/* One measurement of the oracle: an operator with its memory, and the rates on it. */

#include <cumsum/cumsum.h>

#include "error.h"

/* What is measured, in outputs a second. */
typedef struct bench_rates {
    double judge;   /* as `cumsum judge` does it: verdicts and a named order */
    double verdict; /* without looking for an order */
    double copy;    /* memcpy of the output */
} bench_rates;

typedef struct bench_case {
    cumsum_buffer_tensor_desc buffer;
    cumsum_tensor_desc tensor;
    cumsum_operator_desc desc;
    uint64_t outputs;
    uint64_t size;
    unsigned char *input;
    unsigned char *output;
    unsigned char *copy;
} bench_case;

/* An inclusive sum along the second of two sizes. The case must stay where it is. */
void bench_make_case(bench_case *c, cumsum_data_type type, const uint32_t *sizes);
void bench_free_case(bench_case *c);

/* Fills in the outputs that are to be judged: what the library computes. */
tool_status bench_compute(const bench_case *c, tool_error *error);

/* Medians over the repetitions. TOOL_MISMATCH where the oracle fails the outputs. */
tool_status bench_measure(const bench_case *c, uint32_t repetitions, bench_rates *rates,
                          tool_error *error);

#endif
