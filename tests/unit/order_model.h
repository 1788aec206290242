/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_ORDER_MODEL_H
#define CUMSUM_TESTS_ORDER_MODEL_H

/* The orders of docs/numerics.md written down with whole arrays, the way they are defined. */

#include <stddef.h>

typedef float model_addition(float a, float b);

/* tallies[k] = S(k) for k = 0..n, n + 1 of them. */
void model_sequential(model_addition *add, const float *x, size_t n, float *tallies);
void model_blocked(model_addition *add, const float *x, size_t n, float *tallies);

#endif
