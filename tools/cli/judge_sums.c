/* SPDX-License-Identifier: MIT */
/* cumsum judge --sum: judges an array of sums or means over axes. */
#include <cumsum/sums.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json_print.h"
#include "judge.h"

/* The axes that "0,2", "-1" or "all" name. The oracle checks them. */
static tool_status read_sum_axes(const char *text, uint32_t rank, uint32_t *axes, uint32_t *count,
                                 tool_error *error) {
    const bool all = !strcmp(text, "all");
    for (*count = 0; all && *count < rank; ++*count)
        axes[*count] = *count;
    char *end = NULL;
    for (const char *at = text; !all && (!end || *end); at = end + 1) {
        const long axis = strtol(at, &end, 10);
        if (end == at || (*end && *end != ',') || *count == CUMSUM_MAX_DIMENSIONS)
            return tool_fail(error, TOOL_MALFORMED,
                             "option --sum: '%.100s' is no list of up to 8 axes, like 0,2, nor all",
                             text);
        axes[(*count)++] = (uint32_t)(axis < 0 ? axis + (long)rank : axis);
    }
    return TOOL_OK;
}

/* An array as a tensor. One of no dimensions has one element in one. */
static void tensor_of_array(npy_array *array, cumsum_buffer_tensor_desc *buffer) {
    if (array->rank == 0)
        array->rank = array->sizes[0] = array->strides[0] = 1;
    *buffer = (cumsum_buffer_tensor_desc){.data_type = array->type,
                                          .dimension_count = array->rank,
                                          .sizes = array->sizes,
                                          .strides = array->strides,
                                          .total_tensor_size_in_bytes = (array->size + 3) / 4 * 4};
}

static void report_sums(judge_report *to, const judged_output *o,
                        const cumsum_sums_judgement *found, const npy_array *input) {
    const tool_options *options = to->options;
    const char *kind = options->mean ? "mean" : "sum";
    char sizes[LAYOUT_TEXT];
    report_record record;
    report_begin(&record, "sums", options->actuals.list[0].text, kind);
    FILE *summary = record.summary.stream, *detail = record.detail.stream;
    layout_sizes_text(sizes, input->rank, input->sizes);
    show_judgement(summary, o, options->orders != ORDERS_NONE && !options->mean);
    for (int form = CUMSUM_MEAN_DIVIDED_SUM; form < CUMSUM_MEAN_COUNT; form++)
        if (found->means >> form & 1)
            fprintf(summary, ", %s", cumsum_mean_name((cumsum_mean)form));
    fprintf(summary, "  %s %s %s over %s", cumsum_data_type_name(input->type), sizes, kind,
            options->sum);
    fields_text(record.fields, kind, options->sum);
    fields_move(record.fields, judgement_object(o));
    fields_count(record.fields, "closer", found->closer);
    if (found->closer)
        fprintf(detail, "%" PRIu64 " of these: closer to the exact sum than some order gives\n",
                found->closer);
    json_object *unmet = judge_unmet(to, o, record.fields);
    const bool pass = o->judgement.pass && json_object_array_length(unmet) == 0;
    const bool doubtful = !o->judgement.pass && judgement_is_doubtful(&o->judgement);
    for (size_t i = 0; i < json_object_array_length(unmet); i++)
        fprintf(detail, "%s\n", json_item_text(unmet, i));
    if (!o->judgement.pass)
        show_findings(detail, o);
    report_result(to->report, &record,
                  pass       ? RESULT_PASS
                  : doubtful ? RESULT_DOUBTFUL
                             : RESULT_FAIL);
    report_end(&record);
    json_object_put(unmet);
}

static tool_status judge_arrays(judge_report *to, npy_array *input, npy_array *sums,
                                tool_error *error) {
    const tool_options *options = to->options;
    cumsum_buffer_tensor_desc buffers[2];
    uint32_t axes[CUMSUM_MAX_DIMENSIONS], count;
    cumsum_sums_judgement found;
    cumsum_diagnostic diagnostic = {0};
    tensor_of_array(input, &buffers[0]);
    tensor_of_array(sums, &buffers[1]);
    const tool_status usage = read_sum_axes(options->sum, input->rank, axes, &count, error);
    if (usage != TOOL_OK)
        return usage;
    const cumsum_tensor_desc tensors[2] = {{CUMSUM_TENSOR_TYPE_BUFFER, &buffers[0]},
                                           {CUMSUM_TENSOR_TYPE_BUFFER, &buffers[1]}};
    const cumsum_sums_desc desc = {&tensors[0], &tensors[1], count, axes,
                                   options->mean ? CUMSUM_MEAN_ANY : CUMSUM_MEAN_NONE};
    judged_output o = {.options = judge_oracle_options(to),
                       .profile = options->profile,
                       .tensor = layout_of(&buffers[0])};
    cumsum_status status = judged_output_read_profile(&o, &diagnostic);
    if (status == CUMSUM_OK)
        status = cumsum_judge_sums(&desc, input->bytes, input->size, sums->bytes, sums->size,
                                   &o.options, NULL, &found, &diagnostic);
    if (status != CUMSUM_OK)
        return tool_fail(error, status == CUMSUM_OUT_OF_MEMORY ? TOOL_ENVIRONMENT : TOOL_MALFORMED,
                         "%s: %s", options->actuals.list[0].text, diagnostic.message);
    o.judgement = found.judgement;
    for (int v = 0; v < CUMSUM_VERDICT_COUNT; v++)
        to->counts[v] += found.judgement.counts[v];
    report_sums(to, &o, &found, input);
    return TOOL_OK;
}

tool_status judge_sums(judge_report *to, tool_error *error) {
    const tool_options *options = to->options;
    npy_array input = {0}, sums = {0};
    tool_status status = npy_read_as(options->input, options->type, &input, error);
    if (status == TOOL_OK)
        status = npy_read_as(options->actuals.list[0].text, options->type, &sums, error);
    if (status == TOOL_OK)
        status = npy_widen(&input, sums.type, options->input, error);
    if (status == TOOL_OK)
        status = judge_arrays(to, &input, &sums, error);
    npy_free(&input);
    npy_free(&sums);
    return status;
}
