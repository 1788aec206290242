/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_ORACLE_ERROR_CLASS_H
#define CUMSUM_ORACLE_ERROR_CLASS_H

/*
 * Verdict 2: the class of a tensor is the smallest that holds for all of its outputs, so a class
 * once lost stays lost, and each output needs one comparison: with the limit of the class that
 * still holds.
 */

#include "judge_state.h"

/* Is an output the exact sum, rounded once? */
typedef enum rounded {
    ROUNDED_NO,
    ROUNDED_YES,
    ROUNDED_UNSURE /* too close to a tie for the cheap test */
} rounded;

/* The cheap test, for a finite output y and the distance |y - S|, which may be wrong by `doubt`.
 * `exact`: the sum is held by a single binary64 number, so that the distance of a tie is exact. */
rounded cumsum_is_rounded(const binary_format *f, uint32_t y, double distance, double doubt,
                          bool exact);

/* What an output that does not fail adds. `is_rounded` matters as long as the class is
 * correctly-rounded; unit is u A. An infinity has no distance. */
void cumsum_rate_output(judge_state *s, uint64_t position, uint32_t y, rounded is_rounded,
                        double distance, double unit, unsigned log2_terms);

#endif
