/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_CASE_DATA_H
#define CUMSUM_TOOLS_CASE_DATA_H

#include "case_name.h"

/* Elements that depend on their random bits alone. Drawing them takes longer than all else that is
 * done with them, and most cases of a list take the same few seeds: what was drawn is kept. */

/* The first `count` elements of the case's data, in memory of this module: they stay until the next
 * call. For one thread. */
const unsigned char *data_drawn(const case_spec *c, uint64_t count);

/* Random bits repeat after so many elements. It is a prime, so that no offset that is wrong by a
 * power of two finds the same element. */
#define DATA_PERIOD UINT64_C(1048573)

/* Writes every element of the case's input. `first` is the element with all indices 0; where
 * elements share an address, the last one in row-major order stays. draw_missing() must be NULL. */
void case_fill(const case_spec *c, unsigned char *first);

/* What lies between the elements: a quiet NaN or 0x5A in every byte in an input, and something else
 * in an output. */
uint64_t case_input_gap(cumsum_data_type type);
uint64_t case_output_gap(cumsum_data_type type);

/* Writes `bits` to each of count elements. */
void case_fill_gap(cumsum_data_type type, uint64_t bits, unsigned char *bytes, uint64_t count);

#endif
