/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_ORACLE_JUDGE_STEPS_H
#define CUMSUM_ORACLE_JUDGE_STEPS_H

/*
 * The steps of a judgement, each in a file of its own. judge.c calls them in this order:
 *
 *     1. cumsum_judge_find_last_writers, once
 *     2. cumsum_judge_line_*, for every line: verdicts 1 and 2
 *     3. cumsum_judge_orders, once: verdict 3
 *
 * No step calls another.
 */

#include "judge_state.h"

/* Where elements of the output share addresses: fills in s->last_writer, which the caller frees,
 * counts the overwritten outputs, and marks them in the caller's array of verdicts. Leaves
 * s->last_writer NULL if no two elements meet. Returns CUMSUM_OK or CUMSUM_OUT_OF_MEMORY. */
cumsum_status cumsum_judge_find_last_writers(judge_state *s);

/* Judges and records every output of the current line that is not overwritten. */
void cumsum_judge_line_float(judge_state *s); /* FLOAT32 and FLOAT64 */
void cumsum_judge_line_half(judge_state *s);  /* FLOAT16 and BFLOAT16 */
void cumsum_judge_line_integer(judge_state *s);

/* Floating-point types: appends the named orders that give every bit of the tensor to the
 * judgement. Stops at the first one, unless all are asked for. Returns CUMSUM_OK or
 * CUMSUM_OUT_OF_MEMORY. */
cumsum_status cumsum_judge_orders(judge_state *s);

#endif
