/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_CASE_DATA_H
#define CUMSUM_TOOLS_CASE_DATA_H

/* The input data of a case, element by element, from its distribution and seed. */

#include "case_name.h"

/* The first `count` elements of a distribution that depends on random bits alone, to be freed. */
unsigned char *data_elements(const case_spec *c, uint64_t count);

/* Random bits repeat after this number of elements: a prime, so that an offset that is wrong by a
 * power of two finds another element. */
#define DATA_PERIOD UINT64_C(1048573)

/* Writes every element of the case's input. `first` is the element with all indices 0. Of several
 * elements at one address the last in row-major order stays. draw_missing() must be NULL. */
void case_fill(const case_spec *c, unsigned char *first);

/* The bits between the elements: of an input a quiet NaN, or 0x5A in every byte; of an output
 * -1234, or 0xC3 in every byte. */
uint64_t case_input_gap(cumsum_data_type type);
uint64_t case_output_gap(cumsum_data_type type);

/* Writes `bits` to each of count elements. */
void case_fill_gap(cumsum_data_type type, uint64_t bits, unsigned char *bytes, uint64_t count);

#endif
