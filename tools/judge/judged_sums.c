/* SPDX-License-Identifier: MIT */
/* Reads the axes of --sum, and asks the oracle about sums over axes. */
#include "judged_sums.h"

#include <stdlib.h>
#include <string.h>

tool_status sum_axes_read(const char *text, uint32_t rank, uint32_t *axes, uint32_t *count,
                          tool_error *error) {
    const bool all = !strcmp(text, "all");
    for (*count = 0; all && *count < rank; ++*count)
        axes[*count] = *count;
    char *end = NULL;
    for (const char *at = text; !all && (!end || *end); at = end + 1) {
        const long axis = strtol(at, &end, 10);
        if (end == at || (*end && *end != ',') || *count == CUMSUM_MAX_DIMENSIONS)
            return tool_fail(error, TOOL_MALFORMED,
                             "option --sum: '%.100s' is no list of up to 8 axes, "
                             "like 0,2, nor all",
                             text);
        axes[(*count)++] = (uint32_t)(axis < 0 ? axis + (long)rank : axis);
    }
    return TOOL_OK;
}

cumsum_status judged_sums_ask(judged_output *o, const cumsum_sums_desc *desc,
                              const unsigned char *input, uint64_t input_in_bytes,
                              const unsigned char *sums, uint64_t sums_in_bytes,
                              cumsum_diagnostic *diagnostic) {
    cumsum_sums_judgement found;
    o->tensor = layout_of(desc->input_tensor->desc);
    o->sums = desc;
    cumsum_status status = judged_output_read_profile(o, diagnostic);
    if (status == CUMSUM_OK)
        status = cumsum_judge_sums(desc, input, input_in_bytes, sums, sums_in_bytes, &o->options,
                                   NULL, &found, diagnostic);
    if (status != CUMSUM_OK)
        return status;
    o->judgement = found.judgement;
    o->closer = found.closer;
    o->input = input;
    o->input_in_bytes = input_in_bytes;
    o->output = sums;
    o->output_in_bytes = sums_in_bytes;
    o->measure = o->options.power;
    judged_output_explain(o);
    return CUMSUM_OK;
}
