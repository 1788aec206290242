/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_SIMPLE_ELEMENT_H
#define CUMSUM_TOOLS_SIMPLE_ELEMENT_H

#include <cumsum/cumsum.h>
#include <stddef.h>

/* An element of any type as sign, odd integer and power of two. */

typedef enum element_class {
    ELEMENT_ZERO,
    ELEMENT_FINITE, /* other than zero */
    ELEMENT_INFINITE,
    ELEMENT_NAN
} element_class;

/* Of a finite one the value is odd * 2^exponent, with its sign. */
typedef struct element_parts {
    element_class kind;
    bool negative;
    uint64_t odd;
    int exponent;
} element_parts;

element_parts element_take_apart(cumsum_data_type type, uint64_t bits);

/* The other way round, of a finite one, where odd may be even and 0; false where the type has no
 * such value. */
bool element_put_together(cumsum_data_type type, const element_parts *parts, uint64_t *bits);

/* How many binary digits a number has; 0 of 0. */
int element_digits(uint64_t number);

/* Which of two values a person would rather see in an example. */

/* 0 for 0, then 1, the other integers to 16, powers of two, integers to 2048, others by the digits
 * they need and how many of them are 1, infinity, NaN; positive ones before negative ones. */
uint32_t element_complexity(cumsum_data_type type, uint64_t bits);

#define SIMPLER_ELEMENTS 40

/* Values that are simpler, the simplest first, and not far away; returns how many. */
size_t element_simpler(cumsum_data_type type, uint64_t bits, uint64_t simpler[SIMPLER_ELEMENTS]);

#endif
