/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_ORDER_MODEL_H
#define CUMSUM_TESTS_ORDER_MODEL_H

/*
 * The orders of docs/numerics.md, written with whole arrays as that page defines them. They share
 * nothing with the kernels and the reference that are compared with them.
 */

#include <stddef.h>

/* fl(a + b), one of those of rounding_model.h. */
typedef float model_addition(float a, float b);

/* tallies[k] receives S(k), for k = 0 to n. */
void order_model_sequential(model_addition *add, const float *x, size_t n, float *tallies);
void order_model_blocked(model_addition *add, const float *x, size_t n, float *tallies);

#endif
