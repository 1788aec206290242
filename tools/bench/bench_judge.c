/* SPDX-License-Identifier: MIT */
/* cumsum bench judge: how many outputs per second the oracle judges on one core. */
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

/* 64 lines of 1024: input and output stay in a level-2 cache. 16 lines of 2^18 exceed the usual
 * caches. */
static const uint32_t shapes[2][2] = {{64, 1024}, {16, 1 << 18}};
static const char *const shape_names[2] = {"in cache", "out of cache"};

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

/* Computes the outputs that are judged. */
static tool_status compute(const judge_case *c, tool_error *error) {
    cumsum_plan *plan;
    cumsum_diagnostic d = {0};
    cumsum_status status = cumsum_plan_create(&c->desc, NULL, &plan, &d);
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
               : tool_fail(error, TOOL_MISMATCH, "the oracle fails the library's own output");
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
        printf("%-8s  %-12s  %-12s  %10.1f  %10.1f  %10.1f\n", type, data, shape_names[shape],
               rates[RATE_JUDGE] * 1e-6, rates[RATE_VERDICT] * 1e-6, rates[RATE_COPY] * 1e-6);
        return;
    }
    json_object *object = json_make_object();
    fields_text(object, "event", "bench");
    fields_text(object, "bench", "judge");
    fields_text(object, "type", type);
    fields_text(object, "data", data);
    fields_numbers(object, "sizes", 2, c->buffer.sizes);
    fields_double(object, "judgeOutputsPerSecond", rates[RATE_JUDGE]);
    fields_double(object, "verdictOutputsPerSecond", rates[RATE_VERDICT]);
    fields_double(object, "copyOutputsPerSecond", rates[RATE_COPY]);
    report_json_line(object);
}

static tool_status measure_row(const bench_settings *settings, cumsum_data_type type,
                               const bench_data *data, int shape, tool_error *error) {
    judge_case c;
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

tool_status bench_judge(const bench_settings *settings) {
    static const cumsum_data_type types[] = {CUMSUM_DATA_TYPE_FLOAT32, CUMSUM_DATA_TYPE_FLOAT16,
                                             CUMSUM_DATA_TYPE_INT32,   CUMSUM_DATA_TYPE_UINT32,
                                             CUMSUM_DATA_TYPE_INT64,   CUMSUM_DATA_TYPE_UINT64};
    tool_error error;
    tool_status status = TOOL_OK;
    if (!settings->json) {
        printf("millions of outputs per second, one core, medians; `verdict` looks for no named "
               "order,\n`copy` is memcpy of the outputs\n\n%-8s  %-12s  %-12s  %10s  %10s  %10s\n",
               "type", "data", "size", "judge", "verdict", "copy");
    }
    for (size_t t = 0; t < 6; t++) {
        if (settings->type != CUMSUM_DATA_TYPE_UNKNOWN && settings->type != types[t])
            continue;
        for (const bench_data *data = bench_data_list; data->name; data++) {
            for (int shape = 0; shape < 2 && status == TOOL_OK; shape++) {
                if (bench_suits(data, types[t])) {
                    progress_show(t, 6, data->name);
                    status = measure_row(settings, types[t], data, shape, &error);
                }
            }
        }
    }
    if (status != TOOL_OK)
        fprintf(stderr, "cumsum: bench judge: %s\n", error.message);
    return status;
}
