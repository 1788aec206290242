/* SPDX-License-Identifier: MIT */
/*
 * cumsum run: executes case files and follows their print and writeFile commands. `run --input`
 * sums one array without a case file. Nothing is compared with expected outputs.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "backend.h"
#include "buffer_state.h"
#include "commands.h"
#include "executor.h"
#include "file.h"
#include "json_print.h"
#include "layout.h"
#include "memory.h"
#include "memory_limit.h"
#include "model.h"
#include "npy.h"
#include "progress.h"
#include "report.h"
#include "show_line.h"
#include "text.h"

/* Writes the elements of an output tensor, without the gaps between them. */
static tool_status write_tensor(const char *path, const model_command *writer, tool_error *error) {
    layout output = layout_of(writer->dispatchable->op.desc.output_tensor->desc);
    unsigned char *packed = tool_malloc(output.count * output.element_size);
    layout_gather(&output, binding_bytes(&writer->output), packed);
    tool_status status = npy_write(path, output.type, output.rank, output.sizes, packed, error);
    free(packed);
    return status;
}

/* Writes a buffer that no dispatch has written. Its shape is the command's dimensions, or one
 * dimension if the command has none. */
static tool_status write_values(const model *m, const model_command *command, tool_error *error) {
    shown_values values = values_of(m, command->resource);
    uint32_t one = (uint32_t)values.count;
    uint32_t rank = command->dimensions ? command->dimension_count : 1;
    const uint32_t *sizes = command->dimensions ? command->dimensions : &one;
    if (!command->dimensions && values.count > UINT32_MAX) {
        return tool_fail(error, TOOL_MALFORMED,
                         "%s: writeFile of '%s': %" PRIu64 " elements do not fit one dimension",
                         m->path, command->resource->name, values.count);
    }
    uint64_t left = values.count;
    for (uint32_t d = 0; d < rank; d++) {
        if (sizes[d] == 0 || left % sizes[d] != 0) {
            left = 0;
            break;
        }
        left /= sizes[d];
    }
    if (left != 1 || rank > CUMSUM_MAX_DIMENSIONS) {
        return tool_fail(error, TOOL_MALFORMED,
                         "%s: writeFile of '%s': the product of dimensions (1 to 8 of them) is not "
                         "the number of elements, %" PRIu64,
                         m->path, command->resource->name, values.count);
    }
    return npy_write(command->target_path, values.type, rank, sizes, values.bytes, error);
}

/* Executes the writeFile command number `index` of the model. An .npy file gets the sizes of the
 * tensor that was last dispatched into the resource, else the command's dimensions, else one
 * dimension. A file with any other extension gets the bytes of the buffer. */
static tool_status write_output(const model *m, size_t index, tool_error *error) {
    const model_command *command = &m->commands[index];
    const model_command *writer = last_writer(m, command->resource, index);
    if (!file_has_extension(command->target_path, ".npy")) {
        shown_values values = values_of(m, command->resource);
        file_part part = {values.bytes,
                          (size_t)(values.count * cumsum_data_type_size(values.type))};
        return file_write(command->target_path, &part, 1, error);
    }
    return writer ? write_tensor(command->target_path, writer, error)
                  : write_values(m, command, error);
}

/* ---- run --input ---- */

/* The array and its packed output. */
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

/* Executes the operator. The memory order of the file becomes the strides of the input. */
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
                               .numerics =
                                   backend_numerics(&s->options->backend, (cumsum_numerics){0}),
                               .level = s->options->backend.level,
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
    if (s->options->report.json) {
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

/* run --input: sums one array along one dimension. */
static int command_run_array(const tool_options *options) {
    report r;
    executor e;
    tool_error error;
    array_sum s = {.options = options};
    if (options->file_count) {
        return command_usage_error(options, "--input takes no MODEL, but '%s' is given",
                                   options->files[0]);
    }
    if (!options->has_axis)
        return command_usage_error(options, "--input needs --axis N");
    int usage = command_device_options(options);
    if (usage != TOOL_OK)
        return usage;
    report_begin(&r, &options->report, &error);
    tool_status status = executor_begin(&e, &options->backend, options->backend.backend, &error);
    if (status == TOOL_OK && executor_reason(&e)) {
        status = tool_fail(&error, TOOL_NOTHING_RAN, "backend %s: %s",
                           backend_name(options->backend.backend), executor_reason(&e));
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

/* ---- run MODEL... ---- */

/* The state of the command over all its case files. */
typedef struct running {
    const tool_options *options;
    report report; /* for errors; it counts dispatches */
    executor executor;
} running;

static void show(const running *r, const model *m, const model_resource *resource, bool verbose) {
    progress_clear();
    if (r->report.settings->json) {
        show_values_json(m->path, resource->name, values_of(m, resource), NULL);
    } else {
        show_resource(resource->name, values_of(m, resource),
                      verbose || r->report.settings->verbose);
    }
}

static void show_written(const running *r, const model *m, const model_command *command) {
    if (r->report.settings->json) {
        json_object *object = json_make_object();
        fields_text(object, "event", "write");
        fields_text(object, "file", m->path);
        fields_text(object, "resource", command->resource->name);
        fields_text(object, "path", command->target_path);
        report_json_line(object);
    } else if (!r->report.settings->quiet) {
        fputs("Resource '", stdout);
        text_show(stdout, command->resource->name);
        fputs("' written to ", stdout);
        text_show(stdout, command->target_path);
        putchar('\n');
    }
}

static tool_status run_command(running *r, const model *m, size_t index, tool_error *error) {
    const model_command *command = &m->commands[index];
    tool_status status = TOOL_OK;
    switch (command->type) {
    case MODEL_COMMAND_DISPATCH:
        progress_show(index, m->command_count, m->path);
        status = executor_dispatch(&r->executor, m, command, NULL, error);
        r->report.passed += status == TOOL_OK;
        break;
    case MODEL_COMMAND_PRINT:
        show(r, m, command->resource, command->verbose);
        break;
    case MODEL_COMMAND_WRITE_FILE:
        status = write_output(m, index, error);
        if (status == TOOL_OK)
            show_written(r, m, command);
        break;
    }
    return status;
}

/* Shows each output once, in the order of the dispatches, if a model has no command that shows or
 * writes one. */
static void show_outputs(const running *r, const model *m) {
    for (size_t i = 0; i < m->command_count; i++) {
        const model_resource *output = m->commands[i].output.resource;
        if (!last_writer(m, output, i))
            show(r, m, output, false);
    }
}

static bool only_dispatches(const model *m) {
    for (size_t i = 0; i < m->command_count; i++)
        if (m->commands[i].type != MODEL_COMMAND_DISPATCH)
            return false;
    return true;
}

static tool_status run_model(running *r, const model *m, tool_error *error) {
    tool_status status = executor_check_model(m, r->options->backend.level, error);
    for (size_t i = 0; i < m->command_count && status == TOOL_OK; i++)
        status = run_command(r, m, i, error);
    if (status == TOOL_OK && only_dispatches(m))
        show_outputs(r, m);
    return status;
}

static void skip_model(running *r, const model *m, const char *reason) {
    const char *backend = backend_name(r->executor.backend);
    r->report.skipped++;
    if (r->report.settings->json) {
        json_object *object = json_make_object();
        fields_text(object, "event", "skip");
        fields_text(object, "file", m->path);
        fields_text(object, "backend", backend);
        fields_text(object, "reason", reason);
        report_json_line(object);
    } else {
        fputs("SKIP  ", stdout);
        text_show(stdout, m->path);
        printf(": backend %s: %s\n", backend, reason);
    }
}

static void run_file(running *r, const char *path) {
    model *m;
    tool_error error;
    const char *reason = executor_reason(&r->executor);
    tool_status status = model_read(path, &m, &error);
    if (status == TOOL_OK) {
        if (reason)
            skip_model(r, m, reason);
        else
            status = run_model(r, m, &error);
        if (status == TOOL_NOTHING_RAN) {
            skip_model(r, m, error.message);
            status = TOOL_OK;
        }
        model_free(m);
    }
    if (status != TOOL_OK)
        report_error(&r->report, status, path, error.message);
}

static int check_arguments(const tool_options *options) {
    if (options->has_axis || options->decreasing || options->exclusive || options->output) {
        return command_usage_error(options, "options --axis, --decreasing, --exclusive and "
                                            "--output need --input");
    }
    if (!options->file_count)
        return command_usage_error(options, "neither a MODEL nor --input is given");
    return command_device_options(options);
}

int command_run(const tool_options *options) {
    running r = {.options = options};
    tool_error error;
    if (options->input)
        return command_run_array(options);
    int usage = check_arguments(options);
    if (usage != TOOL_OK)
        return usage;
    tool_status status = report_begin(&r.report, &options->report, &error);
    if (status == TOOL_OK)
        status = executor_begin(&r.executor, &options->backend, options->backend.backend, &error);
    if (status != TOOL_OK)
        report_error(&r.report, status, NULL, error.message);
    for (size_t i = 0; i < options->file_count && status == TOOL_OK; i++) {
        progress_files(i, options->file_count);
        run_file(&r, options->files[i]);
    }
    executor_end(&r.executor);
    progress_clear();
    return report_end_quietly(&r.report);
}
