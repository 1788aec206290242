/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_SIMPLE_ELEMENT_H
#define CUMSUM_TOOLS_SIMPLE_ELEMENT_H

/* Elements as sign, odd integer and power of two, and an order of them: which of two values makes
 * the simpler example. */

#include <cumsum/cumsum.h>
#include <stddef.h>

typedef enum element_class {
    ELEMENT_ZERO,
    ELEMENT_FINITE, /* other than zero */
    ELEMENT_INFINITE,
    ELEMENT_NAN
} element_class;

/* A finite value is odd * 2^exponent, with its sign. */
typedef struct element_parts {
    element_class kind;
    bool negative;
    uint64_t odd;
    int exponent;
} element_parts;

element_parts element_take_apart(cumsum_data_type type, uint64_t bits);

/* The inverse for a finite value; here odd may be even or 0. Returns false if the type has no such
 * value. */
bool element_put_together(cumsum_data_type type, const element_parts *parts, uint64_t *bits);

/* The number of binary digits; 0 for 0. */
int element_digits(uint64_t number);

/* From simple to complex: 0, 1, other integers up to 16, powers of two, integers up to 2048, other
 * numbers by their digits and the ones among these, infinity, NaN. A positive value is simpler than
 * the negative one. */
uint32_t element_complexity(cumsum_data_type type, uint64_t bits);

#define SIMPLER_ELEMENTS 40

/* Fills in simpler values, the simplest first, some of them near the value. Returns how many. */
size_t element_simpler(cumsum_data_type type, uint64_t bits, uint64_t simpler[SIMPLER_ELEMENTS]);

#endif
