/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_BENCH_DATA_H
#define CUMSUM_TOOLS_BENCH_DATA_H

#include <cumsum/cumsum.h>
#include <stdint.h>

#include "error.h"

/* Inputs for measurements: the same on every run and machine. */

typedef enum bench_pattern {
    BENCH_UNIFORM,   /* floating point: between 0 and 1 */
    BENCH_NORMAL,    /* floating point: sums of twelve uniform numbers less six */
    BENCH_INTEGERS,  /* floating point: small whole numbers; integers: all bits */
    BENCH_CANCELLING /* floating point: each large term is taken away by the next */
} bench_pattern;

typedef struct bench_data {
    const char *name;
    bench_pattern pattern;
} bench_data;

/* Ends with a row without a name. */
extern const bench_data bench_data_list[];

bool bench_suits(const bench_data *data, cumsum_data_type type);

/* Fills count elements in lines of line_length. Values stay where no sum of a line overflows. */
void bench_fill(const bench_data *data, cumsum_data_type type, unsigned char *bytes, uint64_t count,
                uint64_t line_length);

/* Seconds on a clock that only goes forward. */
double bench_now(void);

/* Seconds that this process's threads have computed, all together. */
double bench_processor_now(void);

/* The middle value; sorts the array. count is 1 or more. */
double bench_median(double *values, uint32_t count);

/* memcpy that no compiler removes because its result is not read. */
void bench_copy(unsigned char *to, const unsigned char *from, uint64_t size);

/* One measurement of the oracle: an operator with its memory, and the rates on it. */

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
