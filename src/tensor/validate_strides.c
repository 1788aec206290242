/* SPDX-License-Identifier: MIT */
/*
 * The rule for the strides of an output: docs/validation.md, "The rules". It is DirectML's test,
 * which is weaker than a test for overlap: sizes 5x5 with strides 3,4 pass, although (4,0) and
 * (0,3) lie at the same address. Dimensions of size 1 are left out: their strides are never used.
 */
#include "extent.h"
#include "validate.h"

static cumsum_status broken_stride(cumsum_diagnostic *diagnostic, uint32_t dimension,
                                   uint64_t value, const char *rule, uint64_t limit,
                                   bool show_limit) {
    return cumsum_diagnose(diagnostic, &(cumsum_broken_rule){.status = CUMSUM_INVALID_DESCRIPTOR,
                                                             .tensor = CUMSUM_OUTPUT_NAME,
                                                             .field = "Strides",
                                                             .dimension = (int32_t)dimension,
                                                             .value = value,
                                                             .limit = limit,
                                                             .show_limit = show_limit,
                                                             .rule = rule});
}

/* The first dimension before this one that has the same stride; itself if there is none. */
static uint32_t earlier_twin(const cumsum_buffer_tensor_desc *output, uint32_t dimension) {
    for (uint32_t d = 0; d < dimension; d++)
        if (output->sizes[d] > 1 && output->strides[d] == output->strides[dimension])
            return d;
    return dimension;
}

/* A stride of 0, or one that another dimension has, makes elements share an address at once. */
static cumsum_status check_stride(const cumsum_buffer_tensor_desc *output, uint32_t dimension,
                                  cumsum_diagnostic *diagnostic) {
    if (output->sizes[dimension] == 1)
        return CUMSUM_OK;
    if (output->strides[dimension] == 0)
        return broken_stride(diagnostic, dimension, 0,
                             "must not be 0 on an output where the size is above 1", 1, false);
    const uint32_t twin = earlier_twin(output, dimension);
    if (twin != dimension)
        return broken_stride(diagnostic, dimension, output->strides[dimension],
                             "must not repeat the stride of another dimension", twin, true);
    return CUMSUM_OK;
}

cumsum_status cumsum_validate_output_strides(const cumsum_buffer_tensor_desc *output,
                                             cumsum_diagnostic *diagnostic) {
    if (!output->strides)
        return CUMSUM_OK;
    for (uint32_t d = 0; d < output->dimension_count; d++) {
        const cumsum_status status = check_stride(output, d, diagnostic);
        if (status != CUMSUM_OK)
            return status;
    }
    /* With fewer addresses than elements, some elements must share one. The extent was validated,
     * so it is not 0 here. */
    const uint64_t extent = cumsum_extent(output->dimension_count, output->sizes, output->strides);
    const uint64_t count = cumsum_element_count(output->dimension_count, output->sizes);
    if (extent >= count)
        return CUMSUM_OK;
    return cumsum_diagnose(
        diagnostic, &(cumsum_broken_rule){
                        .status = CUMSUM_INVALID_DESCRIPTOR,
                        .tensor = CUMSUM_OUTPUT_NAME,
                        .field = "Strides",
                        .dimension = -1,
                        .value = extent,
                        .value_name = "too dense",
                        .limit = count,
                        .show_limit = true,
                        .rule = "must span at least as many elements as the sizes multiply to"});
}
