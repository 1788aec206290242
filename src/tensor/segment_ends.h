/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TENSOR_SEGMENT_ENDS_H
#define CUMSUM_TENSOR_SEGMENT_ENDS_H

/* The check of cumsum_segments, and which ends belong to a line. */

#include "problem.h"

#include <cumsum/segments.h>

/* Checks the rules of cumsum_segments. Returns CUMSUM_OK or CUMSUM_INVALID_ARGUMENT. */
cumsum_status cumsum_segments_check(const cumsum_segments *segments, const cumsum_problem *problem,
                                    cumsum_diagnostic *diagnostic);

/* The segments of whole lines: those of the caller, or where these have no ends one that is ended
 * by *length, which must stay where it is. */
cumsum_segments cumsum_segments_of(const cumsum_segments *segments, const uint64_t *length);

/* The ends of the segments of each line, or those of one line. */
typedef struct segment_ends {
    const uint64_t *ends;
    uint64_t count;
} segment_ends;

/* Those of line number `line`, which are those of all lines without per_line; before: those of the
 * line before it, or NULL. Without `before` it counts the segments of all lines before. */
segment_ends cumsum_segment_ends(const cumsum_segments *segments, uint64_t line,
                                 const segment_ends *before);

#endif
