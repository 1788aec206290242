/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_BENCH_TIME_H
#define CUMSUM_TOOLS_BENCH_TIME_H

#include <stdint.h>

/* Seconds on a clock that only goes forward. */
double bench_now(void);

/* Seconds that this process's threads have computed, all together. */
double bench_processor_now(void);

/* The middle value; sorts the array. count is 1 or more. */
double bench_median(double *values, uint32_t count);

/* memcpy that no compiler removes because its result is not read. */
void bench_copy(unsigned char *to, const unsigned char *from, uint64_t size);

#endif
