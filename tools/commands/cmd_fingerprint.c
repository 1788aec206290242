/* SPDX-License-Identifier: MIT */
/* cumsum fingerprint: in which order does this implementation add? */
#include <stdio.h>
#include <stdlib.h>

#include "backend_lines.h"
#include "backends.h"
#include "commands.h"
#include "executor.h"
#include "fingerprint_show.h"
#include "order_discover.h"
#include "program_lines.h"

#define DEFAULT_LENGTH 128

/* As many lines in one run as make it worth its start, and few enough for small devices. */
static uint32_t lines_at_once(uint32_t length) {
    const uint32_t lines = (UINT32_C(1) << 20) / length;
    return lines > 1024 ? 1024 : lines;
}

/* The trees, under the best of their names. */
static tool_status find_order(const line_runner *runner, fingerprint *f, tool_error *error) {
    order_found found;
    const tool_status status = order_discover(runner, &f->block, &found, error);
    if (status != TOOL_OK)
        return status;
    f->probes = found.probes;
    f->runs = found.runs;
    if (!found.exact) {
        f->name_count =
            order_find_names(&found.graph, found.roots, found.outputs, f->names, FINGERPRINT_NAMES);
    }
    f->order = (saved_order){
        .type = f->block.type,
        .name = f->name_count ? f->names[0]
                              : (named_order){found.exact ? ORDER_EXACT : ORDER_UNNAMED, 0},
        .graph = found.graph,
        .roots = found.roots,
        .outputs = found.outputs};
    return TOOL_OK;
}

static tool_status take(const line_runner *runner, fingerprint *f, tool_error *error) {
    tool_status status = find_order(runner, f, error);
    if (status == TOOL_OK)
        status = order_fit(runner, &f->block, &f->order, error);
    if (status == TOOL_OK)
        status = order_checks_run(runner, &f->block, &f->order, f->checks, error);
    return status;
}

static int say(const tool_options *options, const fingerprint *f, tool_status status,
               tool_error *error) {
    if (status == TOOL_OK && options->output)
        status = order_file_write(options->output, &f->order, f->source, error);
    if (status == TOOL_OK) {
        fingerprint_show(options, f);
    } else if (status == TOOL_MISMATCH) {
        fingerprint_show_none(options, f, error->message);
    } else {
        fprintf(stderr, "cumsum: %s%s\n", status == TOOL_NOTHING_RAN ? "SKIPPED: " : "",
                error->message);
    }
    return (int)status;
}

static int fingerprint_of(const tool_options *options, const line_runner *runner,
                          const char *source) {
    const uint32_t length = options->length ? options->length : DEFAULT_LENGTH;
    tool_error error = {""};
    fingerprint f = {.source = source,
                     .block = {.type = options->type ? options->type : CUMSUM_DATA_TYPE_FLOAT32,
                               .lines = lines_at_once(length),
                               .length = length,
                               .decreasing = options->decreasing,
                               .exclusive = options->exclusive}};
    const tool_status status = take(runner, &f, &error);
    const int exit_status = say(options, &f, status, &error);
    saved_order_free(&f.order);
    return exit_status;
}

static int of_program(const tool_options *options) {
    program_lines program = {.decreasing = options->decreasing, .exclusive = options->exclusive};
    const line_runner runner = {program_lines_run, &program};
    tool_error error;
    int status = (int)program_lines_begin(&program, options->exec, &error);
    if (status != TOOL_OK)
        fprintf(stderr, "cumsum: %s\n", error.message);
    else
        status = fingerprint_of(options, &runner, options->exec);
    program_lines_end(&program);
    return status;
}

static int of_executor(const tool_options *options, executor *e) {
    const line_runner runner = {backend_lines_run, e};
    char source[400];
    if (executor_reason(e)) {
        fprintf(stderr, "cumsum: backend %s: SKIPPED: %s\n", backend_name(e->backend),
                executor_reason(e));
        return TOOL_NOTHING_RAN;
    }
    snprintf(source, sizeof source, "backend %s%s%s", backend_name(e->backend),
             e->device ? " on " : "", e->device ? e->device->name : "");
    return fingerprint_of(options, &runner, source);
}

static int of_backend(const tool_options *options) {
    executor e;
    tool_error error;
    int status = (int)executor_begin(&e, options, options->backend, &error);
    if (status != TOOL_OK)
        fprintf(stderr, "cumsum: %s\n", error.message);
    else
        status = of_executor(options, &e);
    executor_end(&e);
    return status;
}

static int check_arguments(const tool_options *options) {
    if (options->file_count)
        return command_usage_error(options, "unexpected argument '%s'", options->files[0]);
    if (options->exec && options->has_backend) {
        return command_usage_error(options, "--exec names a program, --backend a backend: only one "
                                            "of both can be given");
    }
    if (options->type && options->type != CUMSUM_DATA_TYPE_FLOAT32 &&
        options->type != CUMSUM_DATA_TYPE_FLOAT16) {
        return command_usage_error(options,
                                   "option --type: %s sums are the same in every order; "
                                   "the rule: FLOAT32 or FLOAT16",
                                   cumsum_data_type_name(options->type));
    }
    return command_device_options(options);
}

int command_fingerprint(const tool_options *options) {
    const int status = check_arguments(options);
    if (status != TOOL_OK)
        return status;
    return options->exec ? of_program(options) : of_backend(options);
}
