/* SPDX-License-Identifier: MIT */
/* cumsum bench judge: how many outputs a second the oracle judges on one core. */
#include <cumsum/oracle.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_data.h"
#include "bench_time.h"
#include "commands.h"
#include "memory.h"
#include "progress.h"
#include "report.h"
#include "report_fields.h"

#define DEFAULT_REPETITIONS 5

/* 64 lines of 1024: input and output stay in a level-2 cache. 16 lines of 2^18: they do not stay in
 * a cache of the usual sizes. */
static const uint32_t bench_shapes[2][2] = {{64, 1024}, {16, 1 << 18}};
static const char *const shape_names[2] = {"in cache", "out of cache"};

/* What is measured, in outputs a second. */
typedef struct bench_rates {
    double judge;   /* as `cumsum judge` does it: verdicts and a named order */
    double verdict; /* without looking for an order */
    double copy;    /* memcpy of the output */
} bench_rates;

typedef struct bench_case {
    cumsum_buffer_tensor_desc buffer;
    cumsum_tensor_desc tensor;
    cumsum_operator_desc desc;
    uint64_t outputs;
    uint64_t size;
    unsigned char *input;
    unsigned char *output;
    unsigned char *copy;
} bench_case;

static unsigned char *bench_memory(uint64_t size) {
    unsigned char *memory = aligned_alloc(64, (size + 63) / 64 * 64);
    if (!memory) {
        return tool_malloc(SIZE_MAX); /* reports, and does not return */
    }
    memset(memory, 0, size);
    return memory;
}

static void make_case(bench_case *c, cumsum_data_type type, const uint32_t *sizes) {
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

static void free_case(bench_case *c) {
    free(c->input);
    free(c->output);
    free(c->copy);
}

/* The outputs to judge are what the library computes. */
static tool_status compute(const bench_case *c, tool_error *error) {
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
    if (status != CUMSUM_OK) {
        return tool_fail(error, TOOL_ENVIRONMENT, "%s", cumsum_status_string(status));
    }
    return judgement.counts[CUMSUM_VERDICT_FAIL] == 0
               ? TOOL_OK
               : tool_fail(error, TOOL_MISMATCH, "the oracle fails the library's own output");
}

/* Repeats within a measurement so that it lasts some milliseconds. */
static uint32_t inner_repetitions(const bench_case *c) {
    return c->outputs < (1u << 20) ? (uint32_t)((1u << 20) / c->outputs) : 1;
}

static tool_status measure(const bench_case *c, uint32_t repetitions, bench_rates *rates,
                           tool_error *error) {
    double *seconds[3];
    uint32_t inner = inner_repetitions(c);
    tool_status status = judge_once(c, false, error); /* warm up, and check once */
    for (int i = 0; i < 3; i++) {
        seconds[i] = tool_calloc(repetitions, sizeof(double));
    }
    for (uint32_t r = 0; r < repetitions && status == TOOL_OK; r++) {
        double times[4];
        times[0] = bench_now();
        for (uint32_t i = 0; i < inner; i++) {
            judge_once(c, false, error);
        }
        times[1] = bench_now();
        for (uint32_t i = 0; i < inner; i++) {
            judge_once(c, true, error);
        }
        times[2] = bench_now();
        for (uint32_t i = 0; i < inner; i++) {
            bench_copy(c->copy, c->output, c->size);
        }
        times[3] = bench_now();
        for (int i = 0; i < 3; i++) {
            seconds[i][r] = times[i + 1] - times[i];
        }
    }
    double work = (double)c->outputs * inner;
    rates->judge = work / bench_median(seconds[0], repetitions);
    rates->verdict = work / bench_median(seconds[1], repetitions);
    rates->copy = work / bench_median(seconds[2], repetitions);
    for (int i = 0; i < 3; i++) {
        free(seconds[i]);
    }
    return status;
}

static void show_row(const tool_options *options, const bench_case *c, const char *data, int shape,
                     const bench_rates *rates) {
    progress_clear();
    const char *type = cumsum_data_type_name(c->buffer.data_type);
    if (!options->json) {
        printf("%-8s  %-12s  %-12s  %10.1f  %10.1f  %10.1f\n", type, data, shape_names[shape],
               rates->judge * 1e-6, rates->verdict * 1e-6, rates->copy * 1e-6);
        return;
    }
    json_object *object = json_object_new_object();
    fields_text(object, "event", "bench");
    fields_text(object, "bench", "judge");
    fields_text(object, "type", type);
    fields_text(object, "data", data);
    fields_numbers(object, "sizes", 2, c->buffer.sizes);
    fields_double(object, "judgeOutputsPerSecond", rates->judge);
    fields_double(object, "verdictOutputsPerSecond", rates->verdict);
    fields_double(object, "copyOutputsPerSecond", rates->copy);
    report_json_line(object);
}

static tool_status bench_row(const tool_options *options, cumsum_data_type type,
                             const bench_data *data, int shape, tool_error *error) {
    bench_case c;
    bench_rates rates;
    uint32_t repetitions = options->repetitions ? options->repetitions : DEFAULT_REPETITIONS;
    make_case(&c, type, bench_shapes[shape]);
    bench_fill(data, type, c.input, c.outputs, bench_shapes[shape][1]);
    tool_status status = compute(&c, error);
    if (status == TOOL_OK) {
        status = measure(&c, repetitions, &rates, error);
    }
    if (status == TOOL_OK) {
        show_row(options, &c, data->name, shape, &rates);
    }
    free_case(&c);
    return status;
}

static const cumsum_data_type bench_types[] = {CUMSUM_DATA_TYPE_FLOAT32, CUMSUM_DATA_TYPE_FLOAT16,
                                               CUMSUM_DATA_TYPE_INT32,   CUMSUM_DATA_TYPE_UINT32,
                                               CUMSUM_DATA_TYPE_INT64,   CUMSUM_DATA_TYPE_UINT64};

static bool wanted(const tool_options *options, cumsum_data_type type) {
    return options->type == CUMSUM_DATA_TYPE_UNKNOWN || options->type == type;
}

int command_bench(const tool_options *options) {
    tool_error error;
    tool_status status = TOOL_OK;
    if (options->file_count != 1 || strcmp(options->files[0], "judge") != 0) {
        return command_usage_error(options, "what to measure: 'judge' (the only one here)");
    }
    if (!options->json) {
        printf("millions of outputs a second, one core, medians; `verdict` looks for no named "
               "order,\n`copy` is memcpy of the outputs\n\n%-8s  %-12s  %-12s  %10s  %10s  %10s\n",
               "type", "data", "size", "judge", "verdict", "copy");
    }
    for (size_t t = 0; t < sizeof bench_types / sizeof bench_types[0]; t++) {
        for (const bench_data *data = bench_data_list; data->name; data++) {
            for (int shape = 0; shape < 2 && status == TOOL_OK; shape++) {
                if (wanted(options, bench_types[t]) && bench_suits(data, bench_types[t])) {
                    progress_show(t, 6, data->name);
                    status = bench_row(options, bench_types[t], data, shape, &error);
                }
            }
        }
    }
    if (status != TOOL_OK) {
        fprintf(stderr, "cumsum: bench judge: %s\n", error.message);
    }
    return (int)status;
}
