/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_BENCH_DATA_H
#define CUMSUM_BENCH_DATA_H

/* Inputs for measurements, the same in every run and on every machine; clocks and medians. */

#include <cumsum/cumsum.h>
#include <stdbool.h>
#include <stdint.h>

typedef enum bench_pattern {
    BENCH_NORMAL,    /* floating point: sums of twelve uniform numbers minus six. Prefix sums do not
                        overflow, and kernels have no short cut as for small integers */
    BENCH_UNIFORM,   /* floating point: between 0 and 1 */
    BENCH_INTEGERS,  /* floating point: small whole numbers; integers: all bits */
    BENCH_CANCELLING /* floating point: each large term is cancelled by the next */
} bench_pattern;

/* Integers have one pattern. */
bool bench_suits(bench_pattern pattern, cumsum_data_type type);

/* Fills count elements in lines of line_length. No sum of a line overflows. */
void bench_fill(bench_pattern pattern, cumsum_data_type type, unsigned char *bytes, uint64_t count,
                uint64_t line_length);

/* Seconds on a clock that only goes forward. */
double bench_now(void);

/* Processor time of all threads of this process, in seconds. */
double bench_processor_now(void);

/* The median; sorts the array. count is 1 or more. */
double bench_median(double *values, uint32_t count);

#endif
