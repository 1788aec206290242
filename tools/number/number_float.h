/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_NUMBER_FLOAT_H
#define CUMSUM_TOOLS_NUMBER_FLOAT_H

/*
 * Floating-point numbers from decimal text, each rounded once, to nearest even. Too large a number
 * becomes infinity and too small a one zero, as IEEE 754 says; -0 keeps its sign.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* text: length bytes of a JSON number. False only when out of memory (a very long text). */
bool number_to_double(const char *text, size_t length, double *value);
bool number_to_float(const char *text, size_t length, float *value);
bool number_to_half(const char *text, size_t length, uint16_t *bits);

#endif
