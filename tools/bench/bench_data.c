/* SPDX-License-Identifier: MIT */
#include "bench_data.h"

#include <cumsum/oracle.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "element.h"
#include "memory.h"
#include "memory_limit.h"

const bench_data bench_data_list[] = {{"uniform", BENCH_UNIFORM},
                                      {"normal", BENCH_NORMAL},
                                      {"integers", BENCH_INTEGERS},
                                      {"cancelling", BENCH_CANCELLING},
                                      {NULL, BENCH_UNIFORM}};

static bool is_floating(cumsum_data_type type) {
    return type == CUMSUM_DATA_TYPE_FLOAT32 || type == CUMSUM_DATA_TYPE_FLOAT16;
}

bool bench_suits(const bench_data *data, cumsum_data_type type) {
    return is_floating(type) || data->pattern == BENCH_INTEGERS;
}

/* SplitMix64 (Steele, Lea, Flood 2014): one multiply-mix of a counter. */
static uint64_t next_bits(uint64_t *state) {
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

static float next_uniform(uint64_t *state) {
    return (float)(next_bits(state) >> 40) * 0x1p-24f;
}

static float next_normal(uint64_t *state) {
    float sum = -6.0f;
    for (int i = 0; i < 12; i++)
        sum += next_uniform(state);
    return sum;
}

/* Adversarial for every order of additions: a large number of random sign and exponent, then its
 * opposite with a small number on top. */
static float next_cancelling(uint64_t *state, uint64_t index, bool half) {
    uint64_t pair = index / 2;
    uint64_t bits = next_bits(&pair);
    float large = ldexpf(1.0f + (float)(bits & 0x7FF) * 0x1p-11f,
                         (int)(bits >> 32 & 0xFFFF) % (half ? 13 : 60));
    large = bits >> 63 ? -large : large;
    return index % 2 == 0 ? large : next_uniform(state) - large;
}

/* FLOAT16 lines are scaled so that even 2^18 terms stay below 65504. */
static float next_float(const bench_data *data, uint64_t *state, uint64_t index,
                        uint64_t line_length, bool half) {
    switch (data->pattern) {
    case BENCH_UNIFORM:
        return next_uniform(state) * (line_length > 65536 ? 0.25f : 1.0f);
    case BENCH_NORMAL:
        return next_normal(state);
    case BENCH_INTEGERS:
        return (float)((int)(next_bits(state) % 7) - 3);
    default:
        return next_cancelling(state, index % line_length, half);
    }
}

void bench_fill(const bench_data *data, cumsum_data_type type, unsigned char *bytes, uint64_t count,
                uint64_t line_length) {
    uint64_t state = 1;
    uint32_t size = cumsum_data_type_size(type);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t bits = next_bits(&state);
        if (is_floating(type)) {
            float value = next_float(data, &state, i, line_length, size == 2);
            uint32_t narrow;
            memcpy(&narrow, &value, sizeof narrow);
            bits = type == CUMSUM_DATA_TYPE_FLOAT32
                       ? narrow
                       : cumsum_half_from_float(value, CUMSUM_HALF_STORE_IEEE);
        }
        element_store(bytes + i * size, type, bits);
    }
}

static double seconds_on(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

double bench_now(void) {
    return seconds_on(CLOCK_MONOTONIC);
}

double bench_processor_now(void) {
    return seconds_on(CLOCK_PROCESS_CPUTIME_ID);
}

static int compare_doubles(const void *a, const void *b) {
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_median(double *values, uint32_t count) {
    qsort(values, count, sizeof *values, compare_doubles);
    return values[count / 2];
}

void bench_copy(unsigned char *to, const unsigned char *from, uint64_t size) {
    memcpy(to, from, size);
    volatile unsigned char *last = to + size - 1;
    (void)*last;
}

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
