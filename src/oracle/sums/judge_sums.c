/* SPDX-License-Identifier: MIT */
/*
 * cumsum_judge_sums: checks the arguments, and makes of the sums the lines that a judgement runs
 * over (judge_state.h).
 */
#include <cumsum/sums.h>

#include "diagnose.h"
#include "extent.h"
#include "judge_steps.h"
#include "validate.h"

/* A tensor of the descriptor, where an empty one has the size 1 instead of 0. */
typedef struct sum_tensor {
    cumsum_buffer_tensor_desc buffer;
    uint32_t sizes[CUMSUM_MAX_DIMENSIONS];
    uint32_t strides[CUMSUM_MAX_DIMENSIONS];
    uint32_t given[CUMSUM_MAX_DIMENSIONS]; /* the sizes with their zeros */
    bool is_empty;
} sum_tensor;

/* Everything that concerns one tensor alone. */
static cumsum_status read_tensor(const char *name, const cumsum_tensor_desc *desc, sum_tensor *t,
                                 cumsum_diagnostic *diagnostic) {
    const cumsum_buffer_tensor_desc *from = NULL;
    cumsum_tensor_desc checked;
    memset(t, 0, sizeof *t);
    if (desc && desc->type == CUMSUM_TENSOR_TYPE_BUFFER && desc->desc) {
        t->buffer = *(const cumsum_buffer_tensor_desc *)desc->desc;
        const uint32_t rank = t->buffer.dimension_count;
        for (uint32_t d = 0; t->buffer.sizes && rank <= CUMSUM_MAX_DIMENSIONS && d < rank; d++) {
            const uint32_t size = t->buffer.sizes[d];
            t->is_empty |= size == 0;
            t->sizes[d] = size ? size : 1;
            t->given[d] = size;
        }
        if (t->is_empty) {
            t->buffer.sizes = t->sizes;
            t->buffer.total_tensor_size_in_bytes =
                cumsum_data_type_size(t->buffer.data_type) * CUMSUM_MAX_EXTENT;
        }
        checked = (cumsum_tensor_desc){CUMSUM_TENSOR_TYPE_BUFFER, &t->buffer};
        desc = &checked;
    }
    return cumsum_validate_tensor(name, desc, CUMSUM_LEVEL_JUDGED, &from, diagnostic);
}

/* A rule about the reduction as a whole. The value is a number, or a word that takes its place. A
 * limit below 0 is none that has to be told. */
static cumsum_status broken_reduction(cumsum_diagnostic *diagnostic, const char *tensor,
                                      const char *field, int32_t dimension, uint64_t value,
                                      const char *value_name, int64_t limit, const char *rule) {
    return cumsum_diagnose(diagnostic,
                           &(cumsum_broken_rule){.status = CUMSUM_INVALID_DESCRIPTOR,
                                                 .tensor = tensor,
                                                 .field = field,
                                                 .dimension = dimension,
                                                 .value = value,
                                                 .value_name = value_name,
                                                 .limit = limit >= 0 ? (uint64_t)limit : 0,
                                                 .show_limit = limit >= 0,
                                                 .rule = rule});
}

/* The set of summed axes. */
static cumsum_status read_axes(const cumsum_sums_desc *desc, uint32_t rank, uint32_t *axes,
                               cumsum_diagnostic *diagnostic) {
    *axes = 0;
    if (desc->axis_count > CUMSUM_MAX_DIMENSIONS)
        return broken_reduction(diagnostic, NULL, "AxisCount", -1, desc->axis_count, NULL, -1,
                                "must be from 0 to 8");
    if (desc->axis_count && !desc->axes)
        return broken_reduction(diagnostic, NULL, "Axes", -1, 0, "NULL", -1,
                                "must point to AxisCount axes");
    for (uint32_t i = 0; i < desc->axis_count; i++) {
        const uint32_t axis = desc->axes[i];
        if (axis >= rank)
            return broken_reduction(diagnostic, NULL, "Axes", (int32_t)i, axis, NULL, rank,
                                    "must be below DimensionCount");
        if (*axes >> axis & 1)
            return broken_reduction(diagnostic, NULL, "Axes", (int32_t)i, axis, NULL, -1,
                                    "must be given at most once");
        *axes |= UINT32_C(1) << axis;
    }
    return CUMSUM_OK;
}

/* Gives an output that lacks the summed axes these axes, of size 1. If all are summed, it has one
 * dimension of size 1. Another shape stays as it is. */
static void add_summed_axes(sum_tensor *t, uint32_t rank, uint32_t axes) {
    const sum_tensor lacking = *t;
    const uint32_t given = t->buffer.dimension_count;
    uint32_t kept = 0, packed = 1, next = given;
    for (uint32_t d = 0; d < rank; d++)
        kept += !(axes >> d & 1);
    const bool is_one = kept == 0 && given == 1 && t->given[0] == 1;
    if (given == rank || (given != kept && !is_one))
        return;
    for (uint32_t d = rank; d-- > 0;) {
        const bool summed = axes >> d & 1;
        next -= !summed;
        t->sizes[d] = summed ? 1 : lacking.sizes[next];
        t->given[d] = summed ? 1 : lacking.given[next];
        t->strides[d] = summed ? 0 : (t->buffer.strides ? t->buffer.strides[next] : packed);
        packed *= t->sizes[d];
    }
    t->buffer.dimension_count = rank;
    t->buffer.sizes = t->sizes;
    t->buffer.strides = t->strides;
}

/* The output has the type and the sizes of the input, but 1 in the summed axes. */
static cumsum_status check_output(const sum_tensor *input, const sum_tensor *output, uint32_t axes,
                                  cumsum_diagnostic *diagnostic) {
    const cumsum_buffer_tensor_desc *in = &input->buffer, *out = &output->buffer;
    if (out->data_type != in->data_type)
        return broken_reduction(diagnostic, CUMSUM_OUTPUT_NAME, "DataType", -1,
                                (uint32_t)out->data_type, cumsum_data_type_name(out->data_type), -1,
                                "must equal InputTensor.DataType");
    if (out->dimension_count != in->dimension_count)
        return broken_reduction(diagnostic, CUMSUM_OUTPUT_NAME, "DimensionCount", -1,
                                out->dimension_count, NULL, in->dimension_count,
                                "must equal InputTensor.DimensionCount");
    for (uint32_t d = 0; d < in->dimension_count; d++) {
        const bool summed = axes >> d & 1;
        const uint32_t size = output->given[d], wanted = summed ? 1 : input->given[d];
        if (size != wanted && summed)
            return broken_reduction(diagnostic, CUMSUM_OUTPUT_NAME, "Sizes", (int32_t)d, size, NULL,
                                    -1, "must be 1, since the axis is summed");
        if (size != wanted)
            return broken_reduction(diagnostic, CUMSUM_OUTPUT_NAME, "Sizes", (int32_t)d, size, NULL,
                                    wanted, "must equal InputTensor.Sizes of the same dimension");
    }
    return CUMSUM_OK;
}

/* Appends a summed axis, inside of those before it. */
static void add_axis(sum_layout *sums, uint64_t size, uint64_t stride) {
    if (size == 1)
        return;
    const uint32_t last = sums->rank - 1;
    if (sums->rank && sums->strides[last] == stride * size) {
        sums->sizes[last] *= size;
        sums->strides[last] = stride;
        return;
    }
    sums->sizes[sums->rank] = size;
    sums->strides[sums->rank++] = stride;
}

/* The product of the summed sizes; more than 2^32 - 1 if it is as large as that. */
static uint64_t count_terms(const sum_tensor *input, uint32_t axes) {
    const uint32_t rank = input->buffer.dimension_count;
    uint64_t terms = 1;
    for (uint32_t d = 0; d < rank; d++)
        if ((axes >> d & 1) && input->given[d] == 0)
            return 0;
    for (uint32_t d = 0; d < rank && terms <= CUMSUM_MAX_EXTENT; d++)
        if (axes >> d & 1)
            terms *= input->given[d];
    return terms;
}

static void fill_problem(cumsum_problem *p, sum_layout *sums, const sum_tensor *input,
                         const sum_tensor *output, uint32_t axes, uint64_t terms) {
    uint64_t strides[CUMSUM_MAX_DIMENSIONS] = {0};
    p->type = input->buffer.data_type;
    p->element_size = cumsum_data_type_size(p->type);
    p->rank = input->buffer.dimension_count;
    p->axis = SUM_NO_AXIS;
    cumsum_problem_strides(&input->buffer, strides);
    cumsum_problem_strides(&output->buffer, p->output_strides);
    p->lines = output->is_empty ? 0 : 1;
    for (uint32_t d = 0; d < p->rank; d++) {
        const bool summed = axes >> d & 1;
        p->sizes[d] = summed ? 1 : input->sizes[d];
        p->input_strides[d] = summed ? 0 : strides[d];
        p->lines *= p->sizes[d];
        if (summed && terms)
            add_axis(sums, input->sizes[d], strides[d]);
    }
    p->line_length = terms;
    p->input_extent =
        input->is_empty ? 0 : cumsum_extent(p->rank, input->buffer.sizes, input->buffer.strides);
    p->output_extent =
        output->is_empty ? 0 : cumsum_extent(p->rank, output->buffer.sizes, output->buffer.strides);
    p->output_may_overlap = cumsum_layout_may_overlap(p->rank, p->sizes, p->output_strides);
}

static cumsum_status read_desc(const cumsum_sums_desc *desc, cumsum_problem *p, sum_layout *sums,
                               cumsum_diagnostic *diagnostic) {
    sum_tensor input, output; /* whose buffers may point to their sizes */
    uint32_t axes = 0;
    if (!desc)
        return cumsum_diagnose_argument(diagnostic, "desc", 0, "NULL", "must be given");
    cumsum_status status = read_tensor(CUMSUM_INPUT_NAME, desc->input_tensor, &input, diagnostic);
    if (status == CUMSUM_OK)
        status = read_tensor(CUMSUM_OUTPUT_NAME, desc->output_tensor, &output, diagnostic);
    if (status == CUMSUM_OK)
        status = read_axes(desc, input.buffer.dimension_count, &axes, diagnostic);
    if (status != CUMSUM_OK)
        return status;
    const uint64_t terms = count_terms(&input, axes);
    add_summed_axes(&output, input.buffer.dimension_count, axes);
    status = check_output(&input, &output, axes, diagnostic);
    if (status == CUMSUM_OK && terms > CUMSUM_MAX_EXTENT)
        status = cumsum_diagnose(
            diagnostic, &(cumsum_broken_rule){.status = CUMSUM_INVALID_DESCRIPTOR,
                                              .tensor = CUMSUM_INPUT_NAME,
                                              .field = "Sizes",
                                              .dimension = -1,
                                              .value = terms,
                                              .value_name = "too large",
                                              .limit = CUMSUM_MAX_EXTENT,
                                              .rule = "must give at most 4294967295 terms a sum"});
    if (status == CUMSUM_OK)
        fill_problem(p, sums, &input, &output, axes, terms);
    return status;
}

/* What a scan has and sums do not. */
static void drop_options(cumsum_judge_options *options, uint64_t terms) {
    options->power = false;
    options->near_order = false;
    options->composed_orders = false;
    options->composed = NULL;
    options->no_orders |= terms == 0;
}

cumsum_status cumsum_judge_sums(const cumsum_sums_desc *desc, const void *input,
                                uint64_t input_in_bytes, const void *actual,
                                uint64_t actual_in_bytes, const cumsum_judge_options *options,
                                uint8_t *verdicts, cumsum_sums_judgement *judgement,
                                cumsum_diagnostic *diagnostic) {
    sum_layout sums = {0};
    judge_state s = {.input = input, .actual = actual, .verdicts = verdicts, .sums = &sums};
    if (options)
        s.options = *options;
    s.judgement = judgement ? &judgement->judgement : NULL;
    cumsum_status status = cumsum_judge_check_call(&s, diagnostic);
    if (status == CUMSUM_OK)
        status = read_desc(desc, &s.problem, &sums, diagnostic);
    if (status == CUMSUM_OK)
        status = cumsum_judge_check_tensors(&s, input_in_bytes, actual_in_bytes, diagnostic);
    if (status != CUMSUM_OK || !judgement) /* which was refused */
        return status;
    if (s.problem.lines == 0) {
        *judgement = (cumsum_sums_judgement){.judgement = {.pass = true}};
        return CUMSUM_OK;
    }
    drop_options(&s.options, s.problem.line_length);
    status = cumsum_judge_run(&s, diagnostic);
    judgement->closer = s.closer;
    return status;
}
