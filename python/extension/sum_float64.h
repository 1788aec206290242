/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_PYTHON_SUM_FLOAT64_H
#define CUMSUM_PYTHON_SUM_FLOAT64_H

/* Sums of FLOAT64, which the operator does not have: in sequence, by the rules of docs/numerics.md
 * for FLOAT32, or exact, by the oracle. */

#include "array_layout.h"

/* Sums one or more elements, whatever the strides, by the calling thread. The arrays are apart, or
 * the same elements. False with NotImplementedError for another order, flushed denormals or a
 * kernel other than the reference; with ValueError or MemoryError otherwise. */
bool sum_float64(array_sum *sum, const cumsum_plan_options *options);

#endif
