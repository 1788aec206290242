/* SPDX-License-Identifier: MIT */
#include "bench_measure.h"

#include <cumsum/oracle.h>
#include <stdlib.h>
#include <string.h>

#include "bench_time.h"
#include "memory.h"
#include "memory_limit.h"

static unsigned char *bench_memory(uint64_t size) {
    unsigned char *memory = memory_allocate(size);
    if (!memory)
        tool_memory_is_out();
    memset(memory, 0, size);
    return memory;
}

void bench_make_case(bench_case *c, cumsum_data_type type, const uint32_t *sizes) {
    c->outputs = (uint64_t)sizes[0] * sizes[1];
    c->size = c->outputs * cumsum_data_type_size(type);
    c->buffer = (cumsum_buffer_tensor_desc){.data_type = type,
                                            .dimension_count = 2,
                                            .sizes = sizes,
                                            .total_tensor_size_in_bytes = c->size};
    c->tensor = (cumsum_tensor_desc){CUMSUM_TENSOR_TYPE_BUFFER, &c->buffer};
    c->desc =
        (cumsum_operator_desc){.input_tensor = &c->tensor, .output_tensor = &c->tensor, .axis = 1};
    c->input = bench_memory(c->size);
    c->output = bench_memory(c->size);
    c->copy = bench_memory(c->size);
}

void bench_free_case(bench_case *c) {
    memory_release(c->input);
    memory_release(c->output);
    memory_release(c->copy);
}

tool_status bench_compute(const bench_case *c, tool_error *error) {
    cumsum_plan *plan;
    cumsum_diagnostic d = {0};
    cumsum_status status = cumsum_plan_create(&c->desc, NULL, &plan, &d);
    if (status == CUMSUM_OK) {
        status = cumsum_plan_execute(plan, c->input, c->size, c->output, c->size, &d);
        cumsum_plan_destroy(plan);
    }
    return status == CUMSUM_OK ? TOOL_OK : tool_fail(error, TOOL_ENVIRONMENT, "%s", d.message);
}

static tool_status judge_once(const bench_case *c, bool no_orders, tool_error *error) {
    cumsum_judgement judgement;
    cumsum_judge_options options = {.no_orders = no_orders};
    cumsum_status status = cumsum_judge(&c->desc, c->input, c->size, c->output, c->size, &options,
                                        NULL, &judgement, NULL);
    if (status != CUMSUM_OK)
        return tool_fail(error, TOOL_ENVIRONMENT, "%s", cumsum_status_string(status));
    return judgement.counts[CUMSUM_VERDICT_FAIL] == 0
               ? TOOL_OK
               : tool_fail(error, TOOL_MISMATCH, "the oracle fails the library's own output");
}

/* Repeats within a measurement so that it lasts some milliseconds. */
static uint32_t inner_repetitions(const bench_case *c) {
    return c->outputs < (1u << 20) ? (uint32_t)((1u << 20) / c->outputs) : 1;
}

tool_status bench_measure(const bench_case *c, uint32_t repetitions, bench_rates *rates,
                          tool_error *error) {
    double *seconds[3];
    uint32_t inner = inner_repetitions(c);
    tool_status status = judge_once(c, false, error); /* warm up, and check once */
    for (int i = 0; i < 3; i++)
        seconds[i] = tool_calloc(repetitions, sizeof(double));
    for (uint32_t r = 0; r < repetitions && status == TOOL_OK; r++) {
        double times[4];
        times[0] = bench_now();
        for (uint32_t i = 0; i < inner; i++)
            judge_once(c, false, error);
        times[1] = bench_now();
        for (uint32_t i = 0; i < inner; i++)
            judge_once(c, true, error);
        times[2] = bench_now();
        for (uint32_t i = 0; i < inner; i++)
            bench_copy(c->copy, c->output, c->size);
        times[3] = bench_now();
        for (int i = 0; i < 3; i++)
            seconds[i][r] = times[i + 1] - times[i];
    }
    double work = (double)c->outputs * inner;
    rates->judge = work / bench_median(seconds[0], repetitions);
    rates->verdict = work / bench_median(seconds[1], repetitions);
    rates->copy = work / bench_median(seconds[2], repetitions);
    for (int i = 0; i < 3; i++)
        free(seconds[i]);
    return status;
}
