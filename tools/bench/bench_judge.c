/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "bench.h"
#include "bench_data.h"
#include "json_print.h"
#include "progress.h"
#include "report.h"

/* cumsum bench judge: how many outputs a second the oracle judges on one core. */

#define DEFAULT_REPETITIONS 5

/* 64 lines of 1024: input and output stay in a level-2 cache. 16 lines of 2^18: they do not stay in
 * a cache of the usual sizes. */
static const uint32_t bench_shapes[2][2] = {{64, 1024}, {16, 1 << 18}};
static const char *const shape_names[2] = {"in cache", "out of cache"};

static void show_row(const bench_settings *settings, const bench_case *c, const char *data,
                     int shape, const bench_rates *rates) {
    progress_clear();
    const char *type = cumsum_data_type_name(c->buffer.data_type);
    if (!settings->json) {
        printf("%-8s  %-12s  %-12s  %10.1f  %10.1f  %10.1f\n", type, data, shape_names[shape],
               rates->judge * 1e-6, rates->verdict * 1e-6, rates->copy * 1e-6);
        return;
    }
    json_object *object = json_make_object();
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

static tool_status bench_row(const bench_settings *settings, cumsum_data_type type,
                             const bench_data *data, int shape, tool_error *error) {
    bench_case c;
    bench_rates rates;
    uint32_t repetitions = settings->repetitions ? settings->repetitions : DEFAULT_REPETITIONS;
    bench_make_case(&c, type, bench_shapes[shape]);
    bench_fill(data, type, c.input, c.outputs, bench_shapes[shape][1]);
    tool_status status = bench_compute(&c, error);
    if (status == TOOL_OK)
        status = bench_measure(&c, repetitions, &rates, error);
    if (status == TOOL_OK)
        show_row(settings, &c, data->name, shape, &rates);
    bench_free_case(&c);
    return status;
}

static const cumsum_data_type bench_types[] = {CUMSUM_DATA_TYPE_FLOAT32, CUMSUM_DATA_TYPE_FLOAT16,
                                               CUMSUM_DATA_TYPE_INT32,   CUMSUM_DATA_TYPE_UINT32,
                                               CUMSUM_DATA_TYPE_INT64,   CUMSUM_DATA_TYPE_UINT64};

static bool wanted(const bench_settings *settings, cumsum_data_type type) {
    return settings->type == CUMSUM_DATA_TYPE_UNKNOWN || settings->type == type;
}

tool_status bench_judge(const bench_settings *settings) {
    tool_error error;
    tool_status status = TOOL_OK;
    if (!settings->json) {
        printf("millions of outputs a second, one core, medians; `verdict` looks for no named "
               "order,\n`copy` is memcpy of the outputs\n\n%-8s  %-12s  %-12s  %10s  %10s  %10s\n",
               "type", "data", "size", "judge", "verdict", "copy");
    }
    for (size_t t = 0; t < sizeof bench_types / sizeof bench_types[0]; t++) {
        for (const bench_data *data = bench_data_list; data->name; data++) {
            for (int shape = 0; shape < 2 && status == TOOL_OK; shape++) {
                if (wanted(settings, bench_types[t]) && bench_suits(data, bench_types[t])) {
                    progress_show(t, 6, data->name);
                    status = bench_row(settings, bench_types[t], data, shape, &error);
                }
            }
        }
    }
    if (status != TOOL_OK)
        fprintf(stderr, "cumsum: bench judge: %s\n", error.message);
    return status;
}
