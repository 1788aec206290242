/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_SEGMENTS_H
#define CUMSUM_TOOLS_SEGMENTS_H

/* --segments and --initial: where the lines of an array are cut, and the number before each sum. */

#include <cumsum/segments.h>

#include "judged_output.h"
#include "options.h"

/* Reads what the options say for an operator; NULL if they say nothing, so that lines are whole.
 * complex_parts: its last dimension has the parts of complex numbers. segments_free in any case.
 * TOOL_MALFORMED for a file or a number that does not fit it. */
tool_status segments_read(const tool_options *options, const cumsum_operator_desc *desc,
                          bool complex_parts, cumsum_segments **out, tool_error *error);
void segments_free(cumsum_segments *segments);

/* TOOL_MALFORMED if one of the options is given for standard input, or beside an option that is for
 * whole lines. */
tool_status segments_check(const tool_options *options, tool_error *error);

/* ", 12 segments, from an initial value" */
void segments_describe(FILE *out, const cumsum_segments *segments);

/* Of an output that fails or is suspect: that whole lines, or sums without the initial value, would
 * be right; or which segment the first finding is in, and what it is there. Whole lines. */
void segments_explain(FILE *out, const judged_output *o);

#endif
