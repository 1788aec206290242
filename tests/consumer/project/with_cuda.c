/* SPDX-License-Identifier: MIT */
/* Links the library for NVIDIA's GPUs. Prints whether there is one: both are right. */
#include <cumsum/cuda.h>
#include <stdint.h>
#include <stdio.h>

int main(void) {
    const uint32_t sizes[1] = {1};
    const cumsum_buffer_tensor_desc buffer = {.data_type = CUMSUM_DATA_TYPE_FLOAT32,
                                              .dimension_count = 1,
                                              .sizes = sizes,
                                              .total_tensor_size_in_bytes = 4};
    const cumsum_tensor_desc tensor = {CUMSUM_TENSOR_TYPE_BUFFER, &buffer};
    const cumsum_operator_desc desc = {.input_tensor = &tensor, .output_tensor = &tensor};
    cumsum_cuda_plan *plan;
    cumsum_diagnostic why;
    const cumsum_status status =
        cumsum_cuda_plan_create(0, &desc, NULL, CUMSUM_FEATURE_LEVEL_DEFAULT, &plan, &why);
    puts(status == CUMSUM_OK ? "a device" : status == CUMSUM_NO_DEVICE ? "no device" : why.message);
    cumsum_cuda_plan_destroy(plan);
    return 0;
}
