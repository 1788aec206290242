/* SPDX-License-Identifier: MIT */
/* cumsum run --input: sum one array along one dimension, without a model. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "backends.h"
#include "commands.h"
#include "executor.h"
#include "json_make.h"
#include "memory_limit.h"
#include "npy.h"
#include "report.h"
#include "report_fields.h"
#include "show_values.h"

/* The operator on the array, and its packed output. */
typedef struct array_sum {
    const tool_options *options;
    npy_array input;
    unsigned char *output;
    uint64_t output_size;
} array_sum;

static tool_status check_axis(const array_sum *s, tool_error *error) {
    if (s->input.rank == 0) {
        return tool_fail(error, TOOL_MALFORMED, "%s: the shape is (); the rule: 1 to 8 dimensions",
                         s->options->input);
    }
    if (s->options->axis >= s->input.rank) {
        return tool_fail(error, TOOL_MALFORMED,
                         "option --axis: %" PRIu32 " is not from 0 to %" PRIu32
                         ", the dimensions of %s",
                         s->options->axis, s->input.rank - 1, s->options->input);
    }
    return TOOL_OK;
}

static uint64_t round_up(uint64_t bytes, uint64_t multiple) {
    return (bytes + multiple - 1) / multiple * multiple;
}

/* Executes. The file's elements lie in their own order and become strides. */
static tool_status compute(array_sum *s, const executor *e, tool_error *error) {
    const npy_array *a = &s->input;
    cumsum_buffer_tensor_desc in = {.data_type = a->type,
                                    .dimension_count = a->rank,
                                    .sizes = a->sizes,
                                    .strides = a->strides,
                                    .total_tensor_size_in_bytes = round_up(a->size, 4)};
    cumsum_buffer_tensor_desc out = in;
    out.strides = NULL;
    cumsum_tensor_desc input = {CUMSUM_TENSOR_TYPE_BUFFER, &in};
    cumsum_tensor_desc output = {CUMSUM_TENSOR_TYPE_BUFFER, &out};
    cumsum_operator_desc desc = {&input, &output, s->options->axis,
                                 s->options->decreasing ? CUMSUM_AXIS_DIRECTION_DECREASING
                                                        : CUMSUM_AXIS_DIRECTION_INCREASING,
                                 s->options->exclusive};
    cumsum_diagnostic diagnostic = {0};
    s->output_size = round_up(a->size, 64);
    s->output = memory_allocate(s->output_size);
    const backend_work work = {.desc = &desc,
                               .numerics = options_numerics(s->options, (cumsum_numerics){0}),
                               .level = s->options->level,
                               .input = a->bytes,
                               .input_in_bytes = round_up(a->size, 4),
                               .output = s->output,
                               .output_in_bytes = s->output_size};
    cumsum_status status =
        s->output ? executor_compute(e, &work, NULL, &diagnostic) : CUMSUM_OUT_OF_MEMORY;
    if (status == CUMSUM_OK)
        return TOOL_OK;
    const char *words = diagnostic.message[0] ? diagnostic.message : cumsum_status_string(status);
    if (status == CUMSUM_UNSUPPORTED && e->device) {
        return tool_fail(error, TOOL_NOTHING_RAN, "backend %s: %s", backend_name(e->backend),
                         words);
    }
    return tool_fail(error, status == CUMSUM_INVALID_DESCRIPTOR ? TOOL_MALFORMED : TOOL_ENVIRONMENT,
                     "%s: %s", s->options->input, words);
}

static tool_status show_sum(const array_sum *s, tool_error *error) {
    const npy_array *a = &s->input;
    shown_values values = {a->type, s->output, a->size / cumsum_data_type_size(a->type)};
    if (s->options->output)
        return npy_write(s->options->output, a->type, a->rank, a->sizes, s->output, error);
    if (s->options->json) {
        json_object *fields = json_make_object();
        fields_numbers(fields, "sizes", a->rank, a->sizes);
        show_values_json(s->options->input, "output", values, fields);
    } else {
        show_values(values);
    }
    return TOOL_OK;
}

static tool_status sum_array(array_sum *s, const executor *e, tool_error *error) {
    tool_status status = npy_read(s->options->input, &s->input, error);
    if (status != TOOL_OK)
        return status;
    status = check_axis(s, error);
    if (status == TOOL_OK)
        status = compute(s, e, error);
    if (status == TOOL_OK)
        status = show_sum(s, error);
    npy_free(&s->input);
    memory_release(s->output);
    return status;
}

int command_run_array(const tool_options *options) {
    report r;
    executor e;
    tool_error error;
    array_sum s = {.options = options};
    if (options->file_count) {
        return command_usage_error(options, "--input takes no MODEL, and '%s' is given",
                                   options->files[0]);
    }
    if (!options->has_axis)
        return command_usage_error(options, "--input needs --axis N");
    int usage = command_device_options(options);
    if (usage != TOOL_OK)
        return usage;
    report_begin(&r, options, &error);
    tool_status status = executor_begin(&e, options, options->backend, &error);
    if (status == TOOL_OK && executor_reason(&e)) {
        status = tool_fail(&error, TOOL_NOTHING_RAN, "backend %s: %s",
                           backend_name(options->backend), executor_reason(&e));
    } else if (status == TOOL_OK) {
        status = sum_array(&s, &e, &error);
    }
    executor_end(&e);
    if (status == TOOL_NOTHING_RAN) {
        fprintf(stderr, "cumsum: SKIPPED: %s\n", error.message);
        return TOOL_NOTHING_RAN;
    }
    r.passed = status == TOOL_OK;
    if (status != TOOL_OK)
        report_error(&r, status, options->input, error.message);
    return report_end_quietly(&r);
}
