/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TENSOR_SEGMENT_ENDS_H
#define CUMSUM_TENSOR_SEGMENT_ENDS_H

/* The check of cumsum_segments, and which ends belong to a line. */

#include "problem.h"

#include <cumsum/segments.h>

/* Checks the rules of cumsum_segments, and that no two elements of the output may share an address.
 * Returns CUMSUM_OK, CUMSUM_INVALID_ARGUMENT or CUMSUM_UNSUPPORTED. */
cumsum_status cumsum_segments_check(const cumsum_segments *segments, const cumsum_problem *problem,
                                    cumsum_diagnostic *diagnostic);

/* The caller's segments; if they have no ends, a whole line as one segment, whose end is *length.
 * The result points to `length`. */
cumsum_segments cumsum_segments_of(const cumsum_segments *segments, const uint64_t *length);

/* The ends of a line's segments. */
typedef struct segment_ends {
    const uint64_t *ends;
    uint64_t count;
} segment_ends;

/* The ends of line number `line`. before: the ends of the line before it, or NULL: then the
 * segments of all earlier lines are counted. */
segment_ends cumsum_segment_ends(const cumsum_segments *segments, uint64_t line,
                                 const segment_ends *before);

#endif
