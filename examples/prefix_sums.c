/* SPDX-License-Identifier: MIT */
/* The running sums of each row of a 2x3 array. */
#include <cumsum/cumsum.h>
#include <stdio.h>

static cumsum_status sum_rows(const float *x, float *y, uint32_t rows, uint32_t columns,
                              cumsum_diagnostic *why) {
    const uint64_t bytes = (uint64_t)rows * columns * sizeof *x;
    const cumsum_buffer_tensor_desc packed = {.data_type = CUMSUM_DATA_TYPE_FLOAT32,
                                              .dimension_count = 2,
                                              .sizes = (const uint32_t[]){rows, columns},
                                              .total_tensor_size_in_bytes = bytes};
    const cumsum_tensor_desc tensor = {CUMSUM_TENSOR_TYPE_BUFFER, &packed};
    const cumsum_operator_desc desc = {&tensor, &tensor, .axis = 1};
    cumsum_plan *plan = NULL;
    cumsum_status status = cumsum_plan_create(&desc, NULL, &plan, why);
    if (status == CUMSUM_OK)
        status = cumsum_plan_execute(plan, x, bytes, y, bytes, why);
    cumsum_plan_destroy(plan);
    return status;
}

int main(void) {
    const float x[] = {1, 2, 3, 10, 20, 30};
    float y[6];
    cumsum_diagnostic why;
    if (sum_rows(x, y, 2, 3, &why) != CUMSUM_OK) {
        fprintf(stderr, "cumsum: %s\n", why.message);
        return 1;
    }
    printf("%g %g %g\n%g %g %g\n", y[0], y[1], y[2], y[3], y[4], y[5]);
    return 0;
}
