/* SPDX-License-Identifier: MIT */
/* Uses the installed package: sums four numbers, and fails if the result is wrong. */
#include <cumsum/cumsum.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    const int32_t input[4] = {1, 2, 3, 4};
    const int32_t expected[4] = {1, 3, 6, 10};
    int32_t output[4] = {0};
    const uint32_t sizes[] = {4};
    const cumsum_buffer_tensor_desc buffer = {.data_type = CUMSUM_DATA_TYPE_INT32,
                                              .dimension_count = 1,
                                              .sizes = sizes,
                                              .total_tensor_size_in_bytes = sizeof input};
    const cumsum_tensor_desc tensor = {CUMSUM_TENSOR_TYPE_BUFFER, &buffer};
    const cumsum_operator_desc desc = {.input_tensor = &tensor, .output_tensor = &tensor};
    cumsum_plan *plan = NULL;
    if (cumsum_plan_create(&desc, NULL, &plan, NULL) != CUMSUM_OK)
        return 1;
    const cumsum_status status =
        cumsum_plan_execute(plan, input, sizeof input, output, sizeof output, NULL);
    cumsum_plan_destroy(plan);
    printf("cumsum %s: %d %d %d %d\n", cumsum_version(), (int)output[0], (int)output[1],
           (int)output[2], (int)output[3]);
    return status == CUMSUM_OK && memcmp(output, expected, sizeof output) == 0 ? 0 : 1;
}
