/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_ROUNDING_MODEL_H
#define CUMSUM_TESTS_ROUNDING_MODEL_H

/*
 * Rounding to binary16 by real arithmetic: a binary64 number is divided by the distance of
 * neighbouring binary16 numbers at its magnitude, rounded to an integer, and multiplied again. That
 * distance is a power of two, so only the rounding rounds. The method has nothing in common with
 * the bit arithmetic that is compared with it.
 */

#include <cumsum/cumsum.h>

/* The value, rounded to binary16, as a number. */
double model_round_to_half(double value, cumsum_half_store store);

/* The bits of a number that binary16 holds. */
uint16_t model_half_bits(double value);

/* The number that these bits stand for. */
double model_half_value(uint16_t bits);

/* fl(a + b) in binary32 with subnormals flushed, and in binary16. */
float model_add_flush(float a, float b);
float model_add_half(float a, float b);

#endif
