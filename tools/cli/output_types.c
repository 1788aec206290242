/* SPDX-License-Identifier: MIT */
/* The types that libraries give sums, and sums that leave the range of their type. */
#include "output_types.h"

#include "element.h"
#include "layout.h"

const word_row type_rule_words[] = {{"numpy", RULE_NUMPY},
                                    {"torch", RULE_TORCH},
                                    {"array-api", RULE_ARRAY_API},
                                    {"onnx", RULE_ONNX},
                                    {NULL, 0}};

/* numpy.cumsum, torch.cumsum, cumulative_sum of the array API standard 2023.12, and ONNX's CumSum:
 * floating-point types stay; integers become the library's default ones, where these are wider. */
cumsum_data_type type_of_sums(type_rule rule, cumsum_data_type input, bool boolean) {
    if (element_is_float(input) || rule == RULE_ONNX)
        return input;
    const bool is_signed = boolean || element_is_signed(input) || rule == RULE_TORCH;
    return is_signed ? CUMSUM_DATA_TYPE_INT64 : CUMSUM_DATA_TYPE_UINT64;
}

/* A sum of 128 bits, in two's complement. */
typedef struct wide_integer {
    uint64_t low;
    uint64_t high;
} wide_integer;

static void add_element(wide_integer *sum, uint64_t bits, cumsum_data_type type) {
    const uint64_t low = element_integer(type, bits);
    sum->low += low;
    sum->high += (sum->low < low) + (element_is_signed(type) && low >> 63 ? UINT64_MAX : 0);
}

static bool is_in_range(const wide_integer *sum, cumsum_data_type type) {
    const uint64_t sign = element_sign(type);
    if (!element_is_signed(type))
        return sum->high == 0 && sum->low <= (sign - 1) * 2 + 1;
    /* From -sign to sign - 1: moved up by sign, from 0 to 2 sign - 1. */
    const uint64_t moved = sum->low + sign;
    return sum->high + (moved < sign) == 0 && moved <= (sign - 1) * 2 + 1;
}

/* Of the line whose element with the axis' index 0 is at `line`. */
static uint64_t line_out_of_range(const cumsum_operator_desc *desc, const layout *tensor,
                                  const unsigned char *line) {
    const uint64_t length = tensor->sizes[desc->axis];
    const uint64_t step = tensor->strides[desc->axis] * tensor->element_size;
    const bool decreasing = desc->axis_direction == CUMSUM_AXIS_DIRECTION_DECREASING;
    wide_integer sum = {0, 0};
    uint64_t count = 0;
    for (uint64_t k = 0; k < length; k++) {
        const unsigned char *element = line + (decreasing ? length - 1 - k : k) * step;
        count += desc->has_exclusive_sum && !is_in_range(&sum, tensor->type);
        add_element(&sum, element_load(element, tensor->type), tensor->type);
        count += !desc->has_exclusive_sum && !is_in_range(&sum, tensor->type);
    }
    return count;
}

uint64_t sums_out_of_range(const cumsum_operator_desc *desc, const unsigned char *input) {
    const layout tensor = layout_of(desc->input_tensor->desc);
    layout lines = tensor;
    uint32_t at[CUMSUM_MAX_DIMENSIONS] = {0};
    uint64_t count = 0;
    if (element_is_float(tensor.type))
        return 0;
    lines.sizes[desc->axis] = 1;
    do
        count += line_out_of_range(desc, &tensor, input + layout_offset(&tensor, at));
    while (layout_next(&lines, at));
    return count;
}
