/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_BENCH_STRIDED_H
#define CUMSUM_TOOLS_BENCH_STRIDED_H

/* A copy from one layout to another, as nested loops write it: what a sum of these layouts is
 * compared with, since memcpy never leaves a cache line half used. */

#include "workload_operator.h"

/* The elements whose index in dimension 0 is one of `count` from `start` on. */
void bench_strided_copy(const workload_operator *op, uint64_t start, uint64_t count);

#endif
