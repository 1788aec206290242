/* SPDX-License-Identifier: MIT */
/* cumsum judge --sum: judges an array of sums over axes, or the totals that the process of --exec
 * makes of an array, or of the input of each case that is chosen. */
#include <cumsum/sums.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case_build.h"
#include "case_list.h"
#include "json_tree.h"
#include "judge.h"
#include "judged_sums.h"
#include "memory.h"
#include "pieces.h"
#include "report.h"
#include "sweep_case.h"

/* What is summed. */
typedef struct summed_tensor {
    const char *label; /* a file, or the name of a case */
    const char *over;  /* the axes: those of --sum, or that of the case */
    cumsum_buffer_tensor_desc tensor;
    const unsigned char *bytes;
    uint64_t size;
} summed_tensor;

/* An array as a tensor. One of no dimensions has one element in one. */
static void tensor_of_array(npy_array *array, cumsum_buffer_tensor_desc *buffer) {
    if (array->rank == 0)
        array->rank = array->sizes[0] = array->strides[0] = 1;
    *buffer = tensor_of(array->type, array->rank, array->sizes, array->strides);
}

static void report_sums(judge_report *to, const judged_output *o, const summed_tensor *summed) {
    char *what = sum_words(&summed->tensor, summed->over);
    report_record record;
    report_record_init(&record, "sums", summed->label, "sum");
    FILE *detail = judge_put_verdict(&record, o);
    fprintf(detail, "%s\n", what);
    free(what);
    fields_text(record.fields, "sum", summed->over);
    fields_move(record.fields, judgement_object(o));
    show_closer_sums(detail, o);
    judge_report_verdict(to, &record, o);
}

/* Has the process make the totals over the axes, which *totals receives with their sizes.
 * TOOL_SKIPPED with the reason if it does not. */
static tool_status ask_totals(const judge_report *to, const summed_tensor *summed,
                              const uint32_t *axes, uint32_t count, npy_array *totals,
                              tool_error *error) {
    const layout from = layout_of(&summed->tensor);
    cumsum_buffer_tensor_desc packed = summed->tensor;
    uint32_t set;
    *totals = (npy_array){.type = from.type, .rank = from.rank, .size = from.element_size};
    memcpy(totals->sizes, from.sizes, sizeof from.sizes);
    if (sum_axes_check(summed->over, axes, count, from.rank, &set, error) != TOOL_OK)
        return TOOL_MALFORMED;
    for (uint32_t i = 0; i < count; i++)
        totals->sizes[axes[i]] = 1;
    if (!from.count)
        return tool_fail(error, TOOL_SKIPPED, "no process is asked for sums of an empty array");
    for (uint32_t d = from.rank; d-- > 0; totals->size *= totals->sizes[d])
        totals->strides[d] = (uint32_t)(totals->size / from.element_size);
    totals->bytes = tool_calloc(totals->size / from.element_size, from.element_size);
    unsigned char *elements = tool_calloc(from.count, from.element_size);
    layout_gather(&from, summed->bytes, elements);
    packed.strides = NULL;
    cumsum_diagnostic why = {0};
    const cumsum_status status =
        executor_totals(to->executor, &packed, set, elements, totals->bytes, &why);
    free(elements);
    if (status == CUMSUM_OK)
        return TOOL_OK;
    return tool_fail(error, status == CUMSUM_UNSUPPORTED ? TOOL_SKIPPED : TOOL_ENVIRONMENT,
                     "backend exec: %s", diagnostic_text(status, &why));
}

/* sums: what was recorded; without them the process makes them. */
static tool_status judge_arrays(judge_report *to, const summed_tensor *summed, npy_array *sums,
                                tool_error *error) {
    const tool_options *options = to->options;
    cumsum_buffer_tensor_desc output;
    uint32_t axes[CUMSUM_MAX_DIMENSIONS], count;
    cumsum_diagnostic diagnostic = {0};
    tool_status usage =
        sum_axes_read(summed->over, summed->tensor.dimension_count, axes, &count, error);
    if (usage == TOOL_OK && options->has_backend)
        usage = ask_totals(to, summed, axes, count, sums, error);
    if (usage != TOOL_OK)
        return usage;
    tensor_of_array(sums, &output);
    const cumsum_tensor_desc tensors[2] = {{CUMSUM_TENSOR_TYPE_BUFFER, &summed->tensor},
                                           {CUMSUM_TENSOR_TYPE_BUFFER, &output}};
    const cumsum_sums_desc desc = {&tensors[0], &tensors[1], count, axes};
    judged_output o = {.options = judge_oracle_options(to), .profile = judge_profile(to)};
    const cumsum_status status = judged_sums_ask(&o, &desc, summed->bytes, summed->size,
                                                 sums->bytes, sums->size, &diagnostic);
    if (status != CUMSUM_OK)
        return tool_fail(error, status == CUMSUM_OUT_OF_MEMORY ? TOOL_ENVIRONMENT : TOOL_MALFORMED,
                         "%s: %s", summed->label, diagnostic.message);
    report_sums(to, &o, summed);
    return TOOL_OK;
}

/* Asks the process, unless there is none, and reports a skip. */
static tool_status judge_totals(judge_report *to, const summed_tensor *summed, tool_error *error) {
    const char *reason = executor_reason(to->executor);
    npy_array totals = {0};
    report_record record;
    tool_status status = reason ? tool_fail(error, TOOL_SKIPPED, "backend exec: %s", reason)
                                : judge_arrays(to, summed, &totals, error);
    free(totals.bytes);
    if (status != TOOL_SKIPPED)
        return status;
    report_record_init(&record, "sums", summed->label, "sum");
    text_show(record.summary.stream, error->message);
    fields_text(record.fields, "reason", error->message);
    report_result(to->report, &record, RESULT_SKIP);
    report_record_free(&record);
    return TOOL_OK;
}

static void judge_case(judge_report *to, const char *name) {
    const char *over = to->options->sum;
    char axis[12];
    suite_case c;
    tool_error error, named;
    tool_status status = case_init_unsummed(&c, name, &error);
    if (status == TOOL_OK) {
        const summed_tensor summed = {.label = name,
                                      .over = !strcmp(over, "axis") ? axis : over,
                                      .tensor = c.descriptor.input_buffer,
                                      .bytes = c.input,
                                      .size = c.input_size};
        snprintf(axis, sizeof axis, "%" PRIu32, c.spec.axis);
        status = judge_totals(to, &summed, &error);
        case_free(&c);
    }
    if (status == TOOL_OK)
        return;
    tool_fail(&named, status, "%s: %s", name, error.message);
    report_error(to->report, status, name, named.message);
}

/* Of a case the sums over axes have no direction, no order and no layout: of all that differ in
 * these, one is judged. */
static tool_status judge_cases(judge_report *to, tool_error *error) {
    const tool_options *options = to->options;
    name_set names = {0}, judged = {0};
    char name[CASE_NAME_ROOM];
    tool_status status = TOOL_OK;
    for (size_t i = 0; i < options->file_count && status == TOOL_OK; i++)
        status = case_select(options->files[i], &names, error);
    for (size_t i = 0; i < names.count && status == TOOL_OK; i++) {
        case_spec spec;
        progress_show(i, names.count, names.names[i]);
        status = case_parse(names.names[i], &spec, error);
        if (status != TOOL_OK)
            break;
        sweep_sum_name(name, spec, options->sum);
        if (name_set_add(&judged, name))
            judge_case(to, name);
    }
    progress_clear();
    name_set_free(&names);
    name_set_free(&judged);
    return status;
}

tool_status judge_sums(judge_report *to, tool_error *error) {
    const tool_options *options = to->options;
    const char *actual = options->recorded;
    npy_array input = {0}, sums = {0};
    if (!options->input)
        return judge_cases(to, error);
    tool_status status = read_array(options, options->input, &input, error);
    if (status == TOOL_OK && actual)
        status = read_array(options, actual, &sums, error);
    if (status == TOOL_OK && actual)
        status = npy_widen(&input, sums.type, options->input, error);
    if (status == TOOL_OK) {
        summed_tensor summed = {.label = actual ? actual : options->input,
                                .over = options->sum,
                                .bytes = input.bytes,
                                .size = input.size};
        tensor_of_array(&input, &summed.tensor);
        status =
            actual ? judge_arrays(to, &summed, &sums, error) : judge_totals(to, &summed, error);
    }
    npy_free(&input);
    npy_free(&sums);
    return status;
}
