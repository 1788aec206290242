/* SPDX-License-Identifier: MIT */
/* Hillis-Steele sums and binary64 sums of FLOAT32 and FLOAT16 lines, in plain loops. */
#include "judged_sums.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"

/* An input element as a number. */
static float load(const workload_operator *op, uint64_t i) {
    float value;
    uint16_t half;
    if (op->input_buffer.data_type == CUMSUM_DATA_TYPE_FLOAT16) {
        memcpy(&half, op->input + i * sizeof half, sizeof half);
        return cumsum_half_to_float(half);
    }
    memcpy(&value, op->input + i * sizeof value, sizeof value);
    return value;
}

static void store(const workload_operator *op, uint64_t i, float sum) {
    const uint16_t half = cumsum_half_from_float(sum, CUMSUM_HALF_STORE_NEAREST_EVEN);
    if (op->input_buffer.data_type == CUMSUM_DATA_TYPE_FLOAT16)
        memcpy(op->output + i * sizeof half, &half, sizeof half);
    else
        memcpy(op->output + i * sizeof sum, &sum, sizeof sum);
}

/* A running sum in binary64, rounded for each output. */
static void sum_in_binary64(const workload_operator *op, uint64_t first, uint64_t length) {
    double sum = 0;
    for (uint64_t i = first; i < first + length; i++) {
        sum += (double)load(op, i);
        store(op, i, (float)sum);
    }
}

/* In each round the sum of each place is added to that of the place `distance` further on. */
static void sum_as_hillis_steele(const workload_operator *op, uint64_t first, uint64_t length) {
    float *sums = tool_calloc(length, sizeof *sums);
    for (uint64_t i = 0; i < length; i++)
        sums[i] = load(op, first + i);
    for (uint64_t distance = 1; distance < length; distance *= 2)
        for (uint64_t i = length; i-- > distance;)
            sums[i] = sums[i - distance] + sums[i];
    for (uint64_t i = 0; i < length; i++)
        store(op, first + i, sums[i]);
    free(sums);
}

void judged_sums(const workload_operator *op) {
    const uint64_t length = op->work->sizes[op->work->axis];
    for (uint64_t first = 0; first < workload_elements(op->work); first += length)
        if (op->work->sums == CUMSUM_NAMED_HILLIS_STEELE)
            sum_as_hillis_steele(op, first, length);
        else
            sum_in_binary64(op, first, length);
}
