/* SPDX-License-Identifier: MIT */
/*
 * The rules that concern the operator as a whole, and the order in which all rules are checked:
 * docs/validation.md, "The rules". Which rule is reported first is part of the behaviour.
 */
#include "validate.h"

/* The output differs from the input, whose value is the limit. */
static cumsum_status must_equal_input(cumsum_diagnostic *diagnostic, const char *field,
                                      int32_t dimension, uint64_t value, uint64_t limit,
                                      const char *rule) {
    return cumsum_diagnose(diagnostic, &(cumsum_broken_rule){.status = CUMSUM_INVALID_DESCRIPTOR,
                                                             .tensor = CUMSUM_OUTPUT_NAME,
                                                             .field = field,
                                                             .dimension = dimension,
                                                             .value = value,
                                                             .limit = limit,
                                                             .show_limit = true,
                                                             .rule = rule});
}

/* Strides, total sizes and alignments may differ. */
static cumsum_status check_tensors_agree(const cumsum_buffer_tensor_desc *input,
                                         const cumsum_buffer_tensor_desc *output,
                                         cumsum_diagnostic *diagnostic) {
    if (output->data_type != input->data_type)
        return must_equal_input(diagnostic, "DataType", -1, (uint32_t)output->data_type,
                                (uint32_t)input->data_type, "must equal InputTensor.DataType");
    if (output->dimension_count != input->dimension_count)
        return must_equal_input(diagnostic, "DimensionCount", -1, output->dimension_count,
                                input->dimension_count, "must equal InputTensor.DimensionCount");
    for (uint32_t d = 0; d < input->dimension_count; d++)
        if (output->sizes[d] != input->sizes[d])
            return must_equal_input(diagnostic, "Sizes", (int32_t)d, output->sizes[d],
                                    input->sizes[d],
                                    "must equal InputTensor.Sizes of the same dimension");
    return CUMSUM_OK;
}

/* An axis that the caller counted from the end, as NumPy does. NULL: it is no such number. */
static const char *negative_axis(uint32_t axis) {
    static const char *const names[CUMSUM_MAX_DIMENSIONS] = {"-1", "-2", "-3", "-4",
                                                             "-5", "-6", "-7", "-8"};
    const uint32_t last = UINT32_MAX - axis;
    return last < CUMSUM_MAX_DIMENSIONS ? names[last] : NULL;
}

/* HasExclusiveSum has no rule: it is a BOOL, and every value but 0 is true. */
static cumsum_status check_attributes(const cumsum_operator_desc *desc, uint32_t rank,
                                      cumsum_diagnostic *diagnostic) {
    if (desc->axis >= rank)
        return cumsum_diagnose(diagnostic,
                               &(cumsum_broken_rule){.status = CUMSUM_INVALID_DESCRIPTOR,
                                                     .field = "Axis",
                                                     .dimension = -1,
                                                     .value = desc->axis,
                                                     .value_name = negative_axis(desc->axis),
                                                     .limit = rank,
                                                     .show_limit = true,
                                                     .rule = "must be below DimensionCount"});
    const uint32_t direction = (uint32_t)desc->axis_direction;
    if (direction > CUMSUM_AXIS_DIRECTION_DECREASING)
        return cumsum_diagnose(
            diagnostic, &(cumsum_broken_rule){.status = CUMSUM_INVALID_DESCRIPTOR,
                                              .field = "AxisDirection",
                                              .dimension = -1,
                                              .value = direction,
                                              .limit = CUMSUM_AXIS_DIRECTION_DECREASING,
                                              .rule = "must be INCREASING (0) or DECREASING (1)"});
    return CUMSUM_OK;
}

/* The level that DEFAULT stands for. A number that is not a level gives DEFAULT, which means none
 * here. */
static cumsum_feature_level resolve_level(cumsum_feature_level level) {
    switch (level) {
    case CUMSUM_FEATURE_LEVEL_DEFAULT:
        return CUMSUM_FEATURE_LEVEL_5_0;
    case CUMSUM_FEATURE_LEVEL_2_1:
    case CUMSUM_FEATURE_LEVEL_4_0:
    case CUMSUM_FEATURE_LEVEL_5_0:
        return level;
    }
    return CUMSUM_FEATURE_LEVEL_DEFAULT;
}

/* Every rule, in order; `table` is what cumsum_validate_tensor takes. */
static cumsum_status check_operator(const cumsum_operator_desc *desc, cumsum_feature_level table,
                                    const cumsum_buffer_tensor_desc **input,
                                    const cumsum_buffer_tensor_desc **output,
                                    cumsum_diagnostic *diagnostic) {
    cumsum_status status =
        cumsum_validate_tensor(CUMSUM_INPUT_NAME, desc->input_tensor, table, input, diagnostic);
    if (status == CUMSUM_OK)
        status = cumsum_validate_tensor(CUMSUM_OUTPUT_NAME, desc->output_tensor, table, output,
                                        diagnostic);
    if (status == CUMSUM_OK)
        status = check_tensors_agree(*input, *output, diagnostic);
    if (status == CUMSUM_OK)
        status = cumsum_validate_output_strides(*output, diagnostic);
    if (status == CUMSUM_OK)
        status = check_attributes(desc, (*input)->dimension_count, diagnostic);
    return status;
}

cumsum_status cumsum_validate_operator(const cumsum_operator_desc *desc, cumsum_feature_level level,
                                       const cumsum_buffer_tensor_desc **input,
                                       const cumsum_buffer_tensor_desc **output,
                                       cumsum_diagnostic *diagnostic) {
    const cumsum_feature_level table = resolve_level(level);
    if (!desc)
        return cumsum_diagnose_argument(diagnostic, "desc", 0, "NULL", "must be given");
    if (table == CUMSUM_FEATURE_LEVEL_DEFAULT)
        return cumsum_diagnose_argument(diagnostic, "feature_level", (uint32_t)level, NULL,
                                        "must be a cumsum_feature_level");
    return check_operator(desc, table, input, output, diagnostic);
}

cumsum_status cumsum_validate_computed(const cumsum_operator_desc *desc, cumsum_feature_level level,
                                       const cumsum_buffer_tensor_desc **input,
                                       const cumsum_buffer_tensor_desc **output,
                                       cumsum_diagnostic *diagnostic) {
    if (desc && level == CUMSUM_FEATURE_LEVEL_DEFAULT)
        return check_operator(desc, CUMSUM_LEVEL_COMPUTED, input, output, diagnostic);
    return cumsum_validate_operator(desc, level, input, output, diagnostic);
}

cumsum_status cumsum_validate_judged(const cumsum_operator_desc *desc,
                                     const cumsum_buffer_tensor_desc **input,
                                     const cumsum_buffer_tensor_desc **output,
                                     cumsum_diagnostic *diagnostic) {
    if (!desc)
        return cumsum_diagnose_argument(diagnostic, "desc", 0, "NULL", "must be given");
    return check_operator(desc, CUMSUM_LEVEL_JUDGED, input, output, diagnostic);
}

cumsum_status cumsum_validate(const cumsum_operator_desc *desc, cumsum_feature_level level,
                              cumsum_diagnostic *diagnostic) {
    const cumsum_buffer_tensor_desc *input = NULL;
    const cumsum_buffer_tensor_desc *output = NULL;
    return cumsum_validate_operator(desc, level, &input, &output, diagnostic);
}
