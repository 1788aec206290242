/* SPDX-License-Identifier: MIT */
/* cumsum bench judge: how many outputs per second the oracle judges on one core, for outputs of
 * several orders, beside a copy. */
#include <cumsum/oracle.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "bench_copies.h"
#include "bench_data.h"
#include "json_print.h"
#include "memory.h"
#include "memory_limit.h"
#include "progress.h"
#include "report.h"

/* 64 lines of 1024: input and output stay in a level-2 cache. 32 lines of 2^18 exceed the usual
 * caches. */
static const uint32_t shapes[2][2] = {{64, 1024}, {32, 1 << 18}};
static const char *const shape_names[2] = {"in cache", "out of cache"};

/* The orders of the outputs that are judged. The library computes the first two. */
static const cumsum_named_order orders[] = {CUMSUM_NAMED_SEQUENTIAL, CUMSUM_NAMED_BLOCKED,
                                            CUMSUM_NAMED_HILLIS_STEELE,
                                            CUMSUM_NAMED_SEQUENTIAL_BINARY64};

/* What is measured, in outputs per second. */
typedef enum judge_rate {
    RATE_JUDGE,   /* as `cumsum judge` does it: verdicts and a named order */
    RATE_VERDICT, /* without looking for an order */
    RATE_COPY,    /* memcpy of the outputs */
    RATES
} judge_rate;

/* An inclusive sum along the second of two sizes, with its memory. */
typedef struct judge_case {
    cumsum_buffer_tensor_desc buffer;
    cumsum_tensor_desc tensor;
    cumsum_operator_desc desc;
    cumsum_named_order order;
    uint64_t outputs;
    uint64_t size;
    unsigned char *input;
    unsigned char *output;
    unsigned char *copy;
} judge_case;

static unsigned char *new_memory(uint64_t size) {
    unsigned char *memory = memory_allocate(size);
    if (!memory)
        tool_memory_is_out();
    memset(memory, 0, size);
    return memory;
}

/* The case must stay where it is, because the descriptors point into it. */
static void begin_case(judge_case *c, cumsum_data_type type, const bench_data *data,
                       const uint32_t *sizes) {
    c->outputs = (uint64_t)sizes[0] * sizes[1];
    c->size = c->outputs * cumsum_data_type_size(type);
    c->buffer = (cumsum_buffer_tensor_desc){.data_type = type,
                                            .dimension_count = 2,
                                            .sizes = sizes,
                                            .total_tensor_size_in_bytes = c->size};
    c->tensor = (cumsum_tensor_desc){CUMSUM_TENSOR_TYPE_BUFFER, &c->buffer};
    c->desc =
        (cumsum_operator_desc){.input_tensor = &c->tensor, .output_tensor = &c->tensor, .axis = 1};
    c->input = new_memory(c->size);
    c->output = new_memory(c->size);
    c->copy = new_memory(c->size);
    bench_fill(data, type, c->input, c->outputs, sizes[1]);
}

static void end_case(judge_case *c) {
    memory_release(c->input);
    memory_release(c->output);
    memory_release(c->copy);
}

/* An element as a number, and a number as the output. */
static float load(const judge_case *c, uint64_t i) {
    float value;
    uint16_t half;
    if (c->buffer.data_type == CUMSUM_DATA_TYPE_FLOAT16) {
        memcpy(&half, c->input + i * sizeof half, sizeof half);
        return cumsum_half_to_float(half);
    }
    memcpy(&value, c->input + i * sizeof value, sizeof value);
    return value;
}

static void store(const judge_case *c, uint64_t i, float sum) {
    const uint16_t half = cumsum_half_from_float(sum, CUMSUM_HALF_STORE_NEAREST_EVEN);
    if (c->buffer.data_type == CUMSUM_DATA_TYPE_FLOAT16)
        memcpy(c->output + i * sizeof half, &half, sizeof half);
    else
        memcpy(c->output + i * sizeof sum, &sum, sizeof sum);
}

/* A running sum in binary64, each output rounded from it. */
static void sum_in_binary64(const judge_case *c, uint64_t first) {
    double tally = 0;
    for (uint64_t i = first; i < first + c->buffer.sizes[1]; i++) {
        tally += (double)load(c, i);
        store(c, i, (float)tally);
    }
}

/* Round after round, each sum is added to the one `distance` places on. */
static void sum_as_hillis_steele(const judge_case *c, uint64_t first) {
    const uint64_t n = c->buffer.sizes[1];
    float *sums = tool_calloc(n, sizeof *sums);
    for (uint64_t i = 0; i < n; i++)
        sums[i] = load(c, first + i);
    for (uint64_t distance = 1; distance < n; distance *= 2)
        for (uint64_t i = n; i-- > distance;)
            sums[i] = sums[i - distance] + sums[i];
    for (uint64_t i = 0; i < n; i++)
        store(c, first + i, sums[i]);
    free(sums);
}

/* Computes the outputs that are judged. */
static tool_status compute(const judge_case *c, tool_error *error) {
    cumsum_plan *plan;
    cumsum_diagnostic d = {0};
    cumsum_plan_options options = {.kernel = CUMSUM_KERNEL_AUTO};
    if (c->order != CUMSUM_NAMED_SEQUENTIAL && c->order != CUMSUM_NAMED_BLOCKED) {
        for (uint64_t first = 0; first < c->outputs; first += c->buffer.sizes[1])
            if (c->order == CUMSUM_NAMED_HILLIS_STEELE)
                sum_as_hillis_steele(c, first);
            else
                sum_in_binary64(c, first);
        return TOOL_OK;
    }
    if (c->order == CUMSUM_NAMED_BLOCKED)
        options.numerics.order = CUMSUM_ORDER_BLOCKED;
    cumsum_status status = cumsum_plan_create(&c->desc, &options, &plan, &d);
    if (status == CUMSUM_OK) {
        status = cumsum_plan_execute(plan, c->input, c->size, c->output, c->size, &d);
        cumsum_plan_destroy(plan);
    }
    return status == CUMSUM_OK ? TOOL_OK : tool_fail(error, TOOL_ENVIRONMENT, "%s", d.message);
}

static tool_status judge(const judge_case *c, bool no_orders, tool_error *error) {
    cumsum_judgement judgement;
    cumsum_judge_options options = {.no_orders = no_orders};
    cumsum_status status = cumsum_judge(&c->desc, c->input, c->size, c->output, c->size, &options,
                                        NULL, &judgement, NULL);
    if (status != CUMSUM_OK)
        return tool_fail(error, TOOL_ENVIRONMENT, "%s", cumsum_status_string(status));
    return judgement.counts[CUMSUM_VERDICT_FAIL] == 0
               ? TOOL_OK
               : tool_fail(error, TOOL_MISMATCH, "the oracle fails right outputs");
}

/* Seconds for `calls` calls. */
static double time_calls(const judge_case *c, judge_rate rate, uint32_t calls) {
    tool_error error;
    const double start = bench_now();
    for (uint32_t i = 0; i < calls; i++)
        if (rate == RATE_COPY)
            bench_copy(c->copy, c->output, c->size);
        else
            judge(c, rate == RATE_VERDICT, &error);
    return bench_now() - start;
}

/* Medians over the repetitions. TOOL_MISMATCH if the oracle fails the outputs. */
static tool_status measure(const judge_case *c, uint32_t repetitions, double rates[RATES],
                           tool_error *error) {
    double *seconds[RATES];
    /* So many calls that a repetition lasts some milliseconds. */
    const uint32_t calls = c->outputs < (1u << 20) ? (uint32_t)((1u << 20) / c->outputs) : 1;
    const tool_status status = judge(c, false, error); /* warms up, and checks once */
    if (status != TOOL_OK)
        return status;
    for (int i = 0; i < RATES; i++)
        seconds[i] = tool_calloc(repetitions, sizeof(double));
    for (uint32_t r = 0; r < repetitions; r++)
        for (int i = 0; i < RATES; i++)
            seconds[i][r] = time_calls(c, (judge_rate)i, calls);
    for (int i = 0; i < RATES; i++) {
        rates[i] = (double)c->outputs * calls / bench_median(seconds[i], repetitions);
        free(seconds[i]);
    }
    return TOOL_OK;
}

static void show_row(const bench_settings *settings, const judge_case *c, const char *data,
                     int shape, const double rates[RATES]) {
    progress_clear();
    const char *type = cumsum_data_type_name(c->buffer.data_type);
    if (!settings->json) {
        printf("%-8s  %-10s  %-19s  %-12s  %8.1f  %8.1f  %8.1f  %6.2f  %8.2f\n", type, data,
               cumsum_named_order_name(c->order), shape_names[shape], rates[RATE_JUDGE] * 1e-6,
               rates[RATE_VERDICT] * 1e-6, rates[RATE_COPY] * 1e-6,
               rates[RATE_JUDGE] / rates[RATE_COPY], rates[RATE_VERDICT] / rates[RATE_COPY]);
        return;
    }
    json_object *object = json_make_object();
    fields_text(object, "event", "bench");
    fields_text(object, "bench", "judge");
    fields_text(object, "type", type);
    fields_text(object, "data", data);
    fields_text(object, "order", cumsum_named_order_name(c->order));
    fields_numbers(object, "sizes", 2, c->buffer.sizes);
    fields_double(object, "judgeOutputsPerSecond", rates[RATE_JUDGE]);
    fields_double(object, "verdictOutputsPerSecond", rates[RATE_VERDICT]);
    fields_double(object, "copyOutputsPerSecond", rates[RATE_COPY]);
    report_json_line(object);
}

static tool_status measure_row(const bench_settings *settings, cumsum_data_type type,
                               const bench_data *data, cumsum_named_order order, int shape,
                               tool_error *error) {
    judge_case c = {.order = order};
    double rates[RATES];
    begin_case(&c, type, data, shapes[shape]);
    tool_status status = compute(&c, error);
    if (status == TOOL_OK)
        status = measure(&c, bench_repetitions(settings), rates, error);
    if (status == TOOL_OK)
        show_row(settings, &c, data->name, shape, rates);
    end_case(&c);
    return status;
}

/* Normal data in all orders, other data and integers in the first one. */
static tool_status measure_type(const bench_settings *settings, cumsum_data_type type,
                                tool_error *error) {
    tool_status status = TOOL_OK;
    for (const bench_data *data = bench_data_list; data->name; data++) {
        const size_t count = data->pattern == BENCH_NORMAL ? sizeof orders / sizeof orders[0] : 1;
        if (!bench_suits(data, type))
            continue;
        for (size_t i = 0; i < count; i++)
            for (int shape = 0; shape < 2 && status == TOOL_OK; shape++)
                status = measure_row(settings, type, data, orders[i], shape, error);
    }
    return status;
}

tool_status bench_judge(const bench_settings *settings) {
    static const cumsum_data_type types[] = {CUMSUM_DATA_TYPE_FLOAT32, CUMSUM_DATA_TYPE_FLOAT16,
                                             CUMSUM_DATA_TYPE_INT32,   CUMSUM_DATA_TYPE_UINT32,
                                             CUMSUM_DATA_TYPE_INT64,   CUMSUM_DATA_TYPE_UINT64};
    tool_error error;
    tool_status status = TOOL_OK;
    if (!settings->json) {
        printf("millions of outputs per second, one core, medians; `verdict` looks for no named "
               "order,\n`copy` is memcpy of the outputs, and behind it are the shares of its "
               "speed\n\n%-8s  %-10s  %-19s  %-12s  %8s  %8s  %8s  %6s  %8s\n",
               "type", "data", "order", "size", "judge", "verdict", "copy", "judge/", "verdict/");
    }
    for (size_t t = 0; t < 6 && status == TOOL_OK; t++) {
        if (settings->type != CUMSUM_DATA_TYPE_UNKNOWN && settings->type != types[t])
            continue;
        progress_show(t, 6, cumsum_data_type_name(types[t]));
        status = measure_type(settings, types[t], &error);
    }
    if (status != TOOL_OK)
        fprintf(stderr, "cumsum: bench judge: %s\n", error.message);
    return status;
}
