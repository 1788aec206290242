/* SPDX-License-Identifier: MIT */
/* The running sums of each row of a 2x3 tensor. */
#include <cumsum/cumsum.h>
#include <stdio.h>

int main(void) {
    const float input[2][3] = {{1, 2, 3}, {10, 20, 30}};
    float output[2][3];

    const uint32_t sizes[] = {2, 3};
    const cumsum_buffer_tensor_desc buffer = {.data_type = CUMSUM_DATA_TYPE_FLOAT32,
                                              .dimension_count = 2,
                                              .sizes = sizes,
                                              .total_tensor_size_in_bytes = sizeof input};
    const cumsum_tensor_desc tensor = {CUMSUM_TENSOR_TYPE_BUFFER, &buffer};
    const cumsum_operator_desc desc = {
        .input_tensor = &tensor, .output_tensor = &tensor, .axis = 1};

    cumsum_diagnostic why = {0};
    cumsum_plan *plan = NULL;
    if (cumsum_plan_create(&desc, NULL, &plan, &why) != CUMSUM_OK ||
        cumsum_plan_execute(plan, input, sizeof input, output, sizeof output, &why) != CUMSUM_OK)
        fprintf(stderr, "cumsum: %s\n", why.message);
    else
        printf("%g %g %g\n%g %g %g\n", output[0][0], output[0][1], output[0][2], output[1][0],
               output[1][1], output[1][2]);
    cumsum_plan_destroy(plan);
    return why.status == CUMSUM_OK ? 0 : 1;
}
