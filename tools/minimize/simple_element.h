/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_SIMPLE_ELEMENT_H
#define CUMSUM_TOOLS_SIMPLE_ELEMENT_H

/* Which of two values a person would rather see in an example. */

#include <cumsum/cumsum.h>
#include <stddef.h>

/* 0 for 0, then 1, the other integers to 16, powers of two, integers to 2048, others by the digits
 * they need and how many of them are 1, infinity, NaN; positive ones before negative ones. */
uint32_t element_complexity(cumsum_data_type type, uint64_t bits);

#define SIMPLER_ELEMENTS 40

/* Values that are simpler, the simplest first, and not far away; returns how many. */
size_t element_simpler(cumsum_data_type type, uint64_t bits, uint64_t simpler[SIMPLER_ELEMENTS]);

#endif
