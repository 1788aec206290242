/* SPDX-License-Identifier: MIT */
/* Descriptors and numerics in words. */
#include "describe.h"

#include <inttypes.h>

#include "layout.h"
#include "word_table.h"

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
    fprintf(out, "order %s", word_of(order_words, (int)numerics->order));
    if (type == CUMSUM_DATA_TYPE_FLOAT16 && numerics->order != CUMSUM_ORDER_EXACT) {
        fprintf(out, " accumulator %s",
                word_of(half_accumulator_words, (int)numerics->half_accumulator));
        if (numerics->half_accumulator == CUMSUM_HALF_ACCUMULATOR_FLOAT32)
            fprintf(out, " store %s", word_of(half_store_words, (int)numerics->half_store));
    }
    if (type == CUMSUM_DATA_TYPE_FLOAT32 && numerics->denormals != CUMSUM_DENORMALS_PRESERVE)
        fprintf(out, " denormals %s", word_of(denormals_words, (int)numerics->denormals));
}
