/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_RANDOM_CASE_H
#define CUMSUM_TESTS_RANDOM_CASE_H

/* Random cases that DirectML accepts: every type, word and distribution, 1 to 8 dimensions, every
 * kind of layout. */

#include "case_name.h"

/* Any number but 0 to start with. */
typedef uint64_t random_state;

uint64_t random_below(random_state *state, uint64_t limit);

/* Sizes are such that the tensor has at most `elements` elements. */
void random_case(random_state *state, uint64_t elements, case_spec *out);

#endif
