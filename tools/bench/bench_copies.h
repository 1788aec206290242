/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_BENCH_COPIES_H
#define CUMSUM_TOOLS_BENCH_COPIES_H

#include <stdint.h>

#include "workload.h"

/* The fastest way to move bytes that no cache holds: stores that do not read what they overwrite.
 */

/* Copies size bytes; `to` is aligned to 64. The widest streaming stores that this processor has, on
 * x86-64 with gcc or clang; elsewhere memcpy. What it wrote is visible to other threads after it.
 */
void bench_streaming_copy(unsigned char *to, const unsigned char *from, uint64_t size);

/* "AVX-512", "AVX", "SSE2", or "memcpy" where there are no streaming stores. */
const char *bench_streaming_name(void);

/* A copy from one layout to another, as nested loops write it: what a sum of these layouts is
 * compared with, since memcpy never leaves a cache line half used. */

/* The elements whose index in dimension 0 is one of `count` from `start` on. */
void bench_strided_copy(const workload_operator *op, uint64_t start, uint64_t count);

#endif
