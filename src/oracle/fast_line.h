/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_ORACLE_FAST_LINE_H
#define CUMSUM_ORACLE_FAST_LINE_H

/* The segments of a FLOAT32 line, and accepting all outputs of one at once: docs/oracle.md, "Fast
 * path". */

#include "fast_segment.h"
#include "judge_state.h"
#include "line_sum.h"

/* The end of the segment that begins with this term. They are short at the start of a line, where
 * bounds change from one output to the next. */
static inline uint64_t fast_segment_end(uint64_t begin) {
    return begin == 0 ? 8 : (begin < FAST_SEGMENT ? 4 * begin : begin + FAST_SEGMENT);
}

/*
 * Adds the terms of a segment, and judges the outputs that they complete, if that is certain to do
 * no more than to count them as conformant. If not, returns false and changes nothing.
 *
 * l   the terms before the segment, settled
 */
bool cumsum_fast_line_accept(judge_state *s, line_sum *l, uint64_t begin, uint64_t end);

/*
 * Counts an output that surely fails, if its finding is neither the first nor the worst, or is the
 * worst and can be worked out later. If that is not certain, returns false and changes nothing.
 *
 * l          the terms of the output, more than those of which every order is tried
 * distance   |y - S| as the sums have it
 */
bool cumsum_fast_fail(judge_state *s, const line_sum *l, uint64_t position, uint64_t y,
                      double distance);

#endif
