/* SPDX-License-Identifier: MIT */
/* Reads and checks the axes of --sum, and asks the oracle about sums over axes. */
#include "judged_sums.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

tool_status sum_axes_read(const char *text, uint32_t rank, sum_axes *out, tool_error *error) {
    const bool all = !strcmp(text, "all");
    char *end = NULL;
    *out = (sum_axes){.count = 0};
    for (; all && out->count < rank; out->count++)
        out->list[out->count] = out->count;
    for (const char *at = text; !all && (!end || *end); at = end + 1) {
        const long axis = strtol(at, &end, 10);
        if (end == at || (*end && *end != ',') || out->count == CUMSUM_MAX_DIMENSIONS)
            return tool_fail(error, TOOL_MALFORMED,
                             "option --sum: '%.100s' is no list of up to 8 axes, "
                             "like 0,2, nor all",
                             text);
        out->list[out->count++] = (uint32_t)(axis < 0 ? axis + (long)rank : axis);
    }
    for (uint32_t i = 0; i < out->count && rank; i++) {
        if (out->list[i] >= rank || out->set >> out->list[i] & 1)
            return tool_fail(error, TOOL_MALFORMED,
                             "option --sum: '%.100s'; the rule: axes below the number of "
                             "dimensions, %" PRIu32 ", each once",
                             text, rank);
        out->set |= UINT32_C(1) << out->list[i];
    }
    return TOOL_OK;
}

char *sum_words(const cumsum_buffer_tensor_desc *input, const char *over) {
    char sizes[LAYOUT_TEXT];
    layout_sizes_text(sizes, input->dimension_count, input->sizes);
    return text_format("%s %s sum over %s", cumsum_data_type_name(input->data_type), sizes, over);
}

void show_closer_sums(FILE *out, const judged_output *o) {
    if (o->closer)
        fprintf(out, "%" PRIu64 " of these: closer to the exact sum than some order gives\n",
                o->closer);
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
