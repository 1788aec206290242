/* SPDX-License-Identifier: MIT */
/* cumsum run: execute case files and show what they ask for. */
#include <inttypes.h>
#include <stdio.h>

#include "backends.h"
#include "buffer_state.h"
#include "commands.h"
#include "executor.h"
#include "json_make.h"
#include "progress.h"
#include "report.h"
#include "report_fields.h"
#include "show_values.h"
#include "text.h"
#include "write_output.h"

typedef struct running {
    report report; /* for errors; the counts are those of the dispatches */
    executor executor;
} running;

static void show(const running *r, const model *m, const model_resource *resource, bool verbose) {
    progress_clear();
    if (r->report.options->json) {
        show_values_json(m->path, resource->name, values_of(m, resource), NULL);
    } else {
        show_resource(resource->name, values_of(m, resource),
                      verbose || r->report.options->verbose);
    }
}

static void show_written(const running *r, const model *m, const model_command *command) {
    if (r->report.options->json) {
        json_object *object = json_make_object();
        fields_text(object, "event", "write");
        fields_text(object, "file", m->path);
        fields_text(object, "resource", command->resource->name);
        fields_text(object, "path", command->target_path);
        report_json_line(object);
    } else if (!r->report.options->quiet) {
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

/* For a model that asks for nothing: each output once, in the order of the dispatches. */
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
    tool_status status = executor_check_model(m, r->report.options->level, error);
    for (size_t i = 0; i < m->command_count && status == TOOL_OK; i++)
        status = run_command(r, m, i, error);
    if (status == TOOL_OK && only_dispatches(m))
        show_outputs(r, m);
    return status;
}

static void skip_model(running *r, const model *m, const char *reason) {
    const char *backend = backend_name(r->executor.backend);
    r->report.skipped++;
    if (r->report.options->json) {
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
                                            "--output go with --input");
    }
    if (!options->file_count)
        return command_usage_error(options, "no MODEL and no --input is given");
    return command_device_options(options);
}

int command_run(const tool_options *options) {
    running r = {0};
    tool_error error;
    if (options->input)
        return command_run_array(options);
    int usage = check_arguments(options);
    if (usage != TOOL_OK)
        return usage;
    tool_status status = report_begin(&r.report, options, &error);
    if (status == TOOL_OK)
        status = executor_begin(&r.executor, options, options->backend, &error);
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
