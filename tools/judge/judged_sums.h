/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_JUDGED_SUMS_H
#define CUMSUM_TOOLS_JUDGED_SUMS_H

/* Sums over axes, which have no order along a line: how they are named, and judged. */

#include <cumsum/sums.h>

#include "error.h"
#include "judged_output.h"

typedef struct sum_axes {
    uint32_t list[CUMSUM_MAX_DIMENSIONS];
    uint32_t count;
    uint32_t set; /* a bit for each */
} sum_axes;

/* The axes that "0,2", "-1" or "all" name, as --sum has them. TOOL_MALFORMED for another text, and
 * for axes that tensors of this rank do not have; rank 0: for any tensor. */
tool_status sum_axes_read(const char *text, uint32_t rank, sum_axes *out, tool_error *error);

/* "FLOAT32 2x3 sum over 1", which the caller frees. over: the axes. */
char *sum_words(const cumsum_buffer_tensor_desc *input, const char *over);

/* A line with the number of sums that are closer to the exact sum than some order of additions
 * gives; nothing if there are none. */
void show_closer_sums(FILE *out, const judged_output *o);

/* Asks the oracle about sums over axes, and explains its answer. o: with options and the text of a
 * profile, or NULL; it points to the other arguments afterwards. Statuses as of cumsum_profile_read
 * and cumsum_judge_sums. */
cumsum_status judged_sums_ask(judged_output *o, const cumsum_sums_desc *desc,
                              const unsigned char *input, uint64_t input_in_bytes,
                              const unsigned char *sums, uint64_t sums_in_bytes,
                              cumsum_diagnostic *diagnostic);

#endif
