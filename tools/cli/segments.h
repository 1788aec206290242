/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_SEGMENTS_H
#define CUMSUM_TOOLS_SEGMENTS_H

/* --segments and --initial: where the lines of an array are cut, and the number before each sum. */

#include <cumsum/segments.h>

#include "judged_output.h"
#include "options.h"

typedef struct given_segments {
    cumsum_segments segments; /* points to what follows */
    uint64_t *ends;
    uint64_t *per_line;
    uint64_t initial; /* the bytes of an element */
} given_segments;

/* Reads what the options say for an operator. complex_parts: its last dimension has the parts of
 * complex numbers. segments_free in any case. TOOL_MALFORMED for a file
 * or a number that does not fit it. */
tool_status segments_read(const tool_options *options, const cumsum_operator_desc *desc,
                          bool complex_parts, given_segments *out, tool_error *error);
void segments_free(given_segments *segments);

/* What was read; NULL if no option says anything, so that lines are whole. */
const cumsum_segments *segments_given(const given_segments *segments);

/* TOOL_MALFORMED if one of the options is given for standard input, or beside an option that is for
 * whole lines. */
tool_status segments_check(const tool_options *options, tool_error *error);

/* ", 12 segments, from an initial value" */
void segments_describe(FILE *out, const cumsum_segments *segments);

/* Of an output that fails or is suspect: which segment the first finding is in, and what it is
 * there; or that whole lines, or sums without the initial value, would be right. Whole lines. */
void segments_explain(FILE *out, const judged_output *o);

#endif
