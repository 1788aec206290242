/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_MADE_DATA_H
#define CUMSUM_TESTS_MADE_DATA_H

/* The elements of a distribution, for its tests: as doubles, which hold every FLOAT16 and FLOAT32,
 * and as bits. */

#include "case_build.h"

typedef struct made_data {
    suite_case built;
    uint32_t lines;
    uint32_t length;
} made_data;

/* Makes a packed tensor of `lines` x `length`, scanned along its rows. Fails the test if it cannot.
 */
void make_data(made_data *out, cumsum_data_type type, const char *data, uint64_t seed,
               uint32_t lines, uint32_t length);
void free_data(made_data *made);

uint64_t bits_at(const made_data *made, uint32_t line, uint32_t k);
double value_at(const made_data *made, uint32_t line, uint32_t k);

/* The same element of the output that the reference computed. */
double expected_at(const made_data *made, uint32_t line, uint32_t k);

#endif
