/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_BLOCK_TRIAL_H
#define CUMSUM_TESTS_BLOCK_TRIAL_H

/* The sums of blocks of FLOAT16 terms (fast_binary16_block.h), which only decide whether a block
 * needs to be looked at more closely: a wrong one hardly ever changes a judgement. */

#include <stdbool.h>

/* Has some block, of any length, other sums than a loop over its terms? Says which. */
bool block_trial_differs(void);

/* Do vectors cut the shortest blocks into parts of fewer than 8 terms? */
bool block_trial_has_short_parts(void);

#endif
