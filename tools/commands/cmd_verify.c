/* SPDX-License-Identifier: MIT */
/* cumsum verify: execute, and compare the buffers that are left with the expected ones. */
#include <stdlib.h>
#include <string.h>

#include "backends.h"
#include "buffer_state.h"
#include "commands.h"
#include "executor.h"
#include "memory.h"
#include "progress.h"
#include "report.h"
#include "verify_result.h"

/* A command's counts on one kernel, for the table of --kernel all. */
typedef struct kernel_row {
    uint64_t passed;
    uint64_t failed;
    uint64_t skipped;
} kernel_row;

typedef struct verification {
    report report;
    executor executor;
    kernel_row rows[KERNEL_COUNT];
} verification;

/* A copy of what the dispatch reads, where it will not be there any more when it is to be shown. */
static unsigned char *keep_input(const model *m, size_t index) {
    const model_command *c = &m->commands[index];
    if (!c->output.resource->expected || !input_is_overwritten(m, index)) {
        return NULL;
    }
    unsigned char *copy = tool_malloc(c->input.size);
    memcpy(copy, binding_bytes(&c->input), c->input.size);
    return copy;
}

/* Executes all dispatches, then reports each. Nothing is reported where one cannot run. */
static tool_status verify_on_kernel(verification *v, model *m, tool_error *error) {
    unsigned char **inputs = tool_calloc(m->command_count, sizeof *inputs);
    cumsum_kernel used = v->executor.kernel;
    tool_status status = TOOL_OK;
    for (size_t i = 0; i < m->command_count && status == TOOL_OK; i++) {
        if (m->commands[i].type == MODEL_COMMAND_DISPATCH) {
            progress_show(i, m->command_count, m->path);
            inputs[i] = keep_input(m, i);
            status = executor_dispatch(&v->executor, m, &m->commands[i], &used, error);
        }
    }
    for (size_t i = 0; i < m->command_count; i++) {
        if (status == TOOL_OK && m->commands[i].type == MODEL_COMMAND_DISPATCH) {
            verify_report(&v->report, m, &m->commands[i], inputs[i], used);
        }
        free(inputs[i]);
    }
    free(inputs);
    return status;
}

static tool_status verify_on_all(verification *v, model *m, tool_error *error) {
    model_snapshot start = snapshot_take(m);
    tool_status status = TOOL_OK;
    for (int i = 0; i < KERNEL_COUNT && status == TOOL_OK; i++) {
        const report before = v->report;
        if (!cumsum_kernel_available(kernel_list[i], NULL)) {
            continue;
        }
        v->executor.kernel = kernel_list[i];
        snapshot_restore(&start, m);
        status = verify_on_kernel(v, m, error);
        v->rows[i].passed += v->report.passed - before.passed;
        v->rows[i].failed += v->report.failed - before.failed;
        v->rows[i].skipped += v->report.skipped - before.skipped;
    }
    snapshot_free(&start);
    return status;
}

static tool_status verify_model(verification *v, model *m, tool_error *error) {
    const tool_options *options = v->report.options;
    const char *reason = backend_reason(options->backend);
    tool_status status = executor_check_model(m, options->level, error);
    if (status != TOOL_OK) {
        return status;
    }
    if (reason) {
        verify_report_no_backend(&v->report, m, reason);
        return TOOL_OK;
    }
    return options->all_kernels ? verify_on_all(v, m, error) : verify_on_kernel(v, m, error);
}

static void verify_file(verification *v, const char *path) {
    model *m;
    tool_error error;
    tool_status status = model_read(path, &m, &error);
    if (status == TOOL_OK) {
        status = verify_model(v, m, &error);
        model_free(m);
    }
    if (status != TOOL_OK) {
        report_error(&v->report, status, path, error.message);
    }
}

static void show_kernels(const verification *v) {
    for (int i = 0; i < KERNEL_COUNT; i++) {
        const char *reason = NULL;
        bool available = cumsum_kernel_available(kernel_list[i], &reason);
        const kernel_row *row = &v->rows[i];
        verify_show_kernel(&v->report, kernel_list[i], available ? NULL : reason, row->passed,
                           row->failed, row->skipped, i == 0);
    }
}

int command_verify(const tool_options *options) {
    verification v = {0};
    tool_error error;
    if (!options->file_count) {
        return command_usage_error(options, "no MODEL is given");
    }
    if (options->adapter && options->backend == BACKEND_CPU) {
        return command_usage_error(options, "option --adapter needs --backend d3d12 or directml");
    }
    tool_status status = report_begin(&v.report, options, &error);
    if (status == TOOL_OK) {
        status = executor_begin(&v.executor, options, &error);
    }
    if (status != TOOL_OK) {
        report_error(&v.report, status, NULL, error.message);
    } else {
        for (size_t i = 0; i < options->file_count; i++) {
            progress_files(i, options->file_count);
            verify_file(&v, options->files[i]);
        }
        if (options->all_kernels && options->backend == BACKEND_CPU) {
            show_kernels(&v);
        }
    }
    executor_end(&v.executor);
    return report_end(&v.report);
}
