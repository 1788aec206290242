/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_SMALL_CASES_H
#define CUMSUM_TESTS_SMALL_CASES_H

/* The smallest cases in which some of the wrong implementations can be seen. */

#include <stdint.h>

/* The case and its first eight values, as a person would write them down; NULL where none is said.
 */
const char *small_case_of(const char *mutant);

/* How many elements it takes; 0 where it is not said. */
uint64_t small_count_of(const char *mutant);

#endif
