/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_VECTOR_TRIAL_H
#define CUMSUM_TESTS_VECTOR_TRIAL_H

/* Calls the vectors of the fast paths directly, where a wrong result hardly ever changes a
 * judgement. */

#include <stdbool.h>

/* Is a result wrong? Says which:
 * - the sums of a block of FLOAT16 terms, which only decide whether it is looked at more closely;
 * - of FLOAT32, whether terms are on the finest grid, what rests and remainders do to outputs, and
 *   what lies behind a segment that is judged by steps. */
bool vector_trial_differs(void);

#endif
