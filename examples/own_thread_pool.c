/* SPDX-License-Identifier: MIT */
/*
 * The running sums of the columns of an image, on a thread pool that the program also uses for
 * other work. The library starts no threads of its own. The bits do not depend on the number of
 * threads.
 *
 *     cc own_thread_pool.c $(pkg-config --cflags --libs cumsum) -lpthreadpool
 */
#include <cumsum/cumsum.h>
#include <pthreadpool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROWS = 300,
    COLUMNS = 500,
    BYTES = ROWS * COLUMNS * 4
};

/* Computes on the threads of the pool, or, if it is null, on the caller's thread. */
static cumsum_status sum_columns(pthreadpool_t pool, const float *input, float *output,
                                 cumsum_diagnostic *why) {
    const uint32_t sizes[] = {ROWS, COLUMNS};
    const cumsum_buffer_tensor_desc buffer = {.data_type = CUMSUM_DATA_TYPE_FLOAT32,
                                              .dimension_count = 2,
                                              .sizes = sizes,
                                              .total_tensor_size_in_bytes = BYTES};
    const cumsum_tensor_desc tensor = {CUMSUM_TENSOR_TYPE_BUFFER, &buffer};
    const cumsum_operator_desc desc = {
        .input_tensor = &tensor, .output_tensor = &tensor, .axis = 0};
    const cumsum_plan_options options = {.thread_pool = pool};
    cumsum_plan *plan = NULL;
    cumsum_status status = cumsum_plan_create(&desc, &options, &plan, why);
    /* A plan can be executed many times. It must be destroyed before its pool. */
    if (status == CUMSUM_OK)
        status = cumsum_plan_execute(plan, input, BYTES, output, BYTES, why);
    cumsum_plan_destroy(plan);
    return status;
}

int main(void) {
    pthreadpool_t pool = pthreadpool_create(4);
    float *input = malloc(BYTES);
    void *outputs[2] = {malloc(BYTES), malloc(BYTES)};
    cumsum_diagnostic why = {.message = "out of memory"};
    int failed = 1;
    if (pool && input && outputs[0] && outputs[1]) {
        for (int i = 0; i < ROWS * COLUMNS; i++)
            input[i] = 1.0f / (float)(1 + i % 97);
        if (sum_columns(NULL, input, outputs[0], &why) == CUMSUM_OK &&
            sum_columns(pool, input, outputs[1], &why) == CUMSUM_OK)
            failed = memcmp(outputs[0], outputs[1], BYTES) != 0;
    }
    if (failed)
        fprintf(stderr, "cumsum: %s\n", why.message);
    else
        printf("%zu threads and one: the same bits\n", pthreadpool_get_threads_count(pool));
    free(outputs[1]);
    free(outputs[0]);
    free(input);
    pthreadpool_destroy(pool);
    return failed;
}
