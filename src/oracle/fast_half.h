/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_ORACLE_FAST_HALF_H
#define CUMSUM_ORACLE_FAST_HALF_H

/*
 * The fast path of FLOAT16 lines: judges blocks of outputs as the loop over elements would.
 */

#include "judge_output.h"

/* Judges outputs of the current line from a position on, of which `l` has the terms before, and
 * appends their terms. Returns the first position that is left for the loop over elements, which
 * may be the same one. */
uint64_t cumsum_judge_half_blocks(judge_state *s, line_sum *l, uint64_t position);

#endif
