/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_ORACLE_SUM_LINE_H
#define CUMSUM_ORACLE_SUM_LINE_H

/* One sum: the last output of its line (judge_state.h). */

#include "doubt_line.h"
#include "judge_state.h"

/* The position that is judged. Behind it all terms are in the exact prefix; of an empty sum none.
 */
static inline uint64_t sum_position(const judge_state *s) {
    return s->problem.line_length - 1;
}

/* Judges and records the output of the current line. */
void cumsum_judge_sum(judge_state *s);

/* The rule of doubt: nothing is known, and the error is larger than that of a balanced tree. */
doubt_of_line cumsum_doubt_sum(judge_state *s, const doubt_arithmetic *how);

#endif
