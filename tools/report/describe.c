/* SPDX-License-Identifier: MIT */
/* Descriptors and numerics in words. */
#include "describe.h"

#include <inttypes.h>

#include "layout.h"

void describe_operator(FILE *out, const cumsum_operator_desc *desc) {
    const cumsum_buffer_tensor_desc *tensor = desc->output_tensor->desc;
    char sizes[LAYOUT_TEXT];
    layout_sizes_text(sizes, tensor->dimension_count, tensor->sizes);
    fprintf(out, "%s %s axis %" PRIu32 " %s %s", cumsum_data_type_name(tensor->data_type), sizes,
            desc->axis,
            desc->axis_direction == CUMSUM_AXIS_DIRECTION_DECREASING ? "decreasing" : "increasing",
            desc->has_exclusive_sum ? "exclusive" : "inclusive");
}

void describe_numerics(FILE *out, cumsum_data_type type, const cumsum_numerics *numerics) {
    fprintf(out, "order %s", order_name(numerics->order));
    if (type == CUMSUM_DATA_TYPE_FLOAT16 && numerics->order != CUMSUM_ORDER_EXACT) {
        fprintf(out, " accumulator %s", half_accumulator_name(numerics->half_accumulator));
        if (numerics->half_accumulator == CUMSUM_HALF_ACCUMULATOR_FLOAT32)
            fprintf(out, " store %s", half_store_name(numerics->half_store));
    }
    if (type == CUMSUM_DATA_TYPE_FLOAT32 && numerics->denormals != CUMSUM_DENORMALS_PRESERVE)
        fprintf(out, " denormals %s", denormals_name(numerics->denormals));
}

const char *order_name(cumsum_order order) {
    return order == CUMSUM_ORDER_SEQUENTIAL ? "sequential"
           : order == CUMSUM_ORDER_BLOCKED  ? "blocked"
                                            : "exact";
}

const char *half_accumulator_name(cumsum_half_accumulator accumulator) {
    return accumulator == CUMSUM_HALF_ACCUMULATOR_FLOAT32 ? "float32" : "float16";
}

const char *half_store_name(cumsum_half_store store) {
    return store == CUMSUM_HALF_STORE_NEAREST_EVEN  ? "nearest-even"
           : store == CUMSUM_HALF_STORE_TOWARD_ZERO ? "toward-zero"
                                                    : "ieee";
}

const char *denormals_name(cumsum_denormals denormals) {
    return denormals == CUMSUM_DENORMALS_PRESERVE ? "preserve" : "flush";
}
