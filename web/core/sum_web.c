/* SPDX-License-Identifier: MIT */
/* The library's sums of one packed array, for JavaScript: numbers in the place of structures. */
#include <cumsum/cumsum.h>
#include <emscripten.h>
#include <stdio.h>

/* What web/cumsum.js fills in; the values are those of cumsum.h. */
typedef struct web_request {
    uint32_t type;
    uint32_t rank;
    uint32_t sizes[8];
    uint32_t axis;
    uint32_t decreasing;
    uint32_t exclusive;
    uint32_t numerics[4];
    uint32_t kernel;
} web_request;

int cumsum_web_sum(const web_request *r, const void *input, void *output, size_t bytes,
                   char *message, size_t room);

/* 0, or a cumsum_status and its sentence in `message`. */
EMSCRIPTEN_KEEPALIVE int cumsum_web_sum(const web_request *r, const void *input, void *output,
                                        size_t bytes, char *message, size_t room) {
    const cumsum_plan_options options = {
        .numerics = {(cumsum_order)r->numerics[0], (cumsum_half_accumulator)r->numerics[1],
                     (cumsum_half_store)r->numerics[2], (cumsum_denormals)r->numerics[3]},
        .kernel = (cumsum_kernel)r->kernel};
    const cumsum_buffer_tensor_desc buffer = {.data_type = (cumsum_data_type)r->type,
                                              .dimension_count = r->rank,
                                              .sizes = r->sizes,
                                              .total_tensor_size_in_bytes = bytes};
    const cumsum_tensor_desc tensor = {CUMSUM_TENSOR_TYPE_BUFFER, &buffer};
    const cumsum_operator_desc desc = {
        .input_tensor = &tensor,
        .output_tensor = &tensor,
        .axis = r->axis,
        .axis_direction = (cumsum_axis_direction)r->decreasing,
        .has_exclusive_sum = (int32_t)r->exclusive,
    };
    cumsum_diagnostic why = {.message = ""};
    cumsum_plan *plan;
    cumsum_status status = cumsum_plan_create(&desc, &options, &plan, &why);
    if (status == CUMSUM_OK)
        status = cumsum_plan_execute(plan, input, bytes, output, bytes, &why);
    cumsum_plan_destroy(plan);
    snprintf(message, room, "%s", why.message[0] ? why.message : cumsum_status_string(status));
    return (int)status;
}
