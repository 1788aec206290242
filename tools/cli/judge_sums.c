/* SPDX-License-Identifier: MIT */
/* cumsum judge --sum: judges an array of sums over axes. */
#include <cumsum/sums.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "executor.h"
#include "json_tree.h"
#include "judge.h"
#include "judged_sums.h"
#include "pieces.h"
#include "report.h"

/* An array as a tensor. One of no dimensions has one element in one. */
static void tensor_of_array(npy_array *array, cumsum_buffer_tensor_desc *buffer) {
    if (array->rank == 0)
        array->rank = array->sizes[0] = array->strides[0] = 1;
    *buffer = tensor_of(array->type, array->rank, array->sizes, array->strides);
}

static void report_sums(judge_report *to, const judged_output *o,
                        const cumsum_buffer_tensor_desc *input) {
    const tool_options *options = to->options;
    char *what = sum_words(input, options->sum);
    report_record record;
    report_record_init(&record, "sums", options->recorded, "sum");
    fields_text(record.fields, "sum", options->sum);
    FILE *detail = judge_put_verdict(to, &record, o);
    fprintf(detail, "%s\n", what);
    free(what);
    show_closer_sums(detail, o);
    judge_report_verdict(to, &record, o);
}

/* The sums have the axes that are summed with the size 1, or lack them. */
static tool_status check_shape(const tool_options *options, const npy_array *input,
                               const npy_array *sums, uint32_t summed, tool_error *error) {
    uint32_t kept[CUMSUM_MAX_DIMENSIONS], left[CUMSUM_MAX_DIMENSIONS], rank = 0;
    char given[LAYOUT_TEXT], whole[LAYOUT_TEXT], shape[LAYOUT_TEXT], short_shape[LAYOUT_TEXT];
    for (uint32_t d = 0; d < input->rank; d++) {
        kept[d] = summed >> d & 1 ? 1 : input->sizes[d];
        if (!(summed >> d & 1))
            left[rank++] = input->sizes[d];
    }
    if (rank == 0)
        left[rank++] = 1;
    if ((sums->rank == input->rank && !memcmp(sums->sizes, kept, sums->rank * sizeof *kept)) ||
        (sums->rank == rank && !memcmp(sums->sizes, left, rank * sizeof *left)))
        return TOOL_OK;
    layout_sizes_text(given, sums->rank, sums->sizes);
    layout_sizes_text(whole, input->rank, input->sizes);
    layout_sizes_text(shape, input->rank, kept);
    layout_sizes_text(short_shape, rank, left);
    return tool_fail(error, TOOL_MALFORMED,
                     "%.300s: the shape is %s; the rule: %s or %s, as %.300s has the shape %s and "
                     "is summed over %s",
                     options->recorded, given, shape, short_shape, options->input, whole,
                     options->sum);
}

static tool_status judge_arrays(judge_report *to, npy_array *input, npy_array *sums,
                                tool_error *error) {
    const tool_options *options = to->options;
    cumsum_buffer_tensor_desc from, output;
    sum_axes axes;
    cumsum_diagnostic diagnostic = {0};
    tensor_of_array(input, &from);
    tensor_of_array(sums, &output);
    tool_status usage = sum_axes_read(options->sum, from.dimension_count, &axes, error);
    if (usage == TOOL_OK)
        usage = check_shape(options, input, sums, axes.set, error);
    if (usage != TOOL_OK)
        return usage;
    const cumsum_tensor_desc tensors[2] = {{CUMSUM_TENSOR_TYPE_BUFFER, &from},
                                           {CUMSUM_TENSOR_TYPE_BUFFER, &output}};
    const cumsum_sums_desc desc = {&tensors[0], &tensors[1], axes.count, axes.list};
    judged_output o = {.options = judge_oracle_options(to), .profile = judge_profile(to)};
    const cumsum_status status =
        judged_sums_ask(&o, &desc, input->bytes, input->size, sums->bytes, sums->size, &diagnostic);
    if (status != CUMSUM_OK)
        return library_fail(error, status, options->recorded, &diagnostic);
    report_sums(to, &o, &from);
    return TOOL_OK;
}

tool_status judge_sums(judge_report *to, tool_error *error) {
    const tool_options *options = to->options;
    npy_array input = {0}, sums = {0};
    tool_status status = read_array(options, options->input, &input, error);
    if (status == TOOL_OK)
        status = read_array(options, options->recorded, &sums, error);
    if (status == TOOL_OK)
        status = npy_widen(&input, sums.type, options->input, error);
    if (status == TOOL_OK)
        status = judge_arrays(to, &input, &sums, error);
    npy_free(&input);
    npy_free(&sums);
    return status;
}
