/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_RANDOM_CASE_H
#define CUMSUM_TESTS_RANDOM_CASE_H

/* Random cases that validation accepts, for the tests of names and of built cases: every type,
 * numerics and distribution, 1 to 8 dimensions, packed, permuted, padded and repeated. */

#include "case_name.h"
#include "splitmix64.h"

/* Draws a case whose tensors have at most `elements` elements. */
void random_case(uint64_t *state, uint64_t elements, case_spec *out);

#endif
