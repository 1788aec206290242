/* SPDX-License-Identifier: MIT */
/* cumsum validate: a verdict on each line of a file of descriptors. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "progress.h"
#include "report.h"
#include "validate_verdict.h"

typedef struct validation {
    report report;
    executor device; /* of --backend directml; otherwise the CPU, which is not asked */
    bool device_failed;
} validation;

/* Where there is no device to ask, what is asked for is not done. */
static void skip_line(validation *v, const char *file, uint64_t line, const descriptor_case *c) {
    char summary[400];
    snprintf(summary, sizeof summary, "backend %s: %s", backend_name(v->device.backend),
             executor_reason(&v->device));
    const result record = {.status = RESULT_SKIP,
                           .event = "descriptor",
                           .file = file,
                           .line = line,
                           .name = c->name,
                           .summary = summary};
    report_result(&v->report, &record);
}

static tool_status validate_descriptor(validation *v, const char *file, uint64_t line,
                                       const descriptor_case *c, tool_error *error) {
    device_verdict device;
    if (executor_reason(&v->device)) {
        skip_line(v, file, line, c);
        return TOOL_OK;
    }
    tool_status status = device_verdict_ask(&v->device, c, &device, error);
    v->device_failed = status != TOOL_OK;
    if (status == TOOL_OK)
        validate_show_verdict(&v->report, file, line, c, &device);
    return status;
}

static bool is_blank(const char *text, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (!strchr(" \t\r\n", text[i]) || !text[i])
            return false;
    return true;
}

static void validate_lines(validation *v, const char *path, FILE *file) {
    char *text = NULL;
    size_t room = 0;
    ssize_t length;
    uint64_t line = 0;
    errno = 0;
    while (!v->device_failed && (length = getline(&text, &room, file)) >= 0) {
        descriptor_case c = {0};
        tool_error error;
        progress_show(++line, 0, path);
        if (length && text[length - 1] == '\n')
            length--; /* an error at the end is still on this line */
        if (is_blank(text, (size_t)length))
            continue;
        tool_status status = descriptor_read_line(text, (size_t)length, path, line, &c, &error);
        if (status == TOOL_OK) {
            status = validate_descriptor(v, path, line, &c, &error);
            descriptor_case_free(&c);
        }
        if (status != TOOL_OK)
            report_error(&v->report, status, path, error.message);
        errno = 0;
    }
    if (!feof(file) && !v->device_failed) {
        tool_error error;
        report_error(&v->report,
                     tool_fail(&error, errno == EISDIR ? TOOL_MALFORMED : TOOL_ENVIRONMENT,
                               "%s: cannot read: %s", path, strerror(errno)),
                     path, error.message);
    }
    free(text);
}

static void validate_file(validation *v, const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) {
        tool_error error;
        report_error(
            &v->report,
            tool_fail(&error, TOOL_ENVIRONMENT, "%s: cannot open: %s", path, strerror(errno)), path,
            error.message);
        return;
    }
    validate_lines(v, path, file);
    fclose(file);
}

static tool_status begin(validation *v, const tool_options *options, tool_error *error) {
    tool_status status = report_begin(&v->report, options, error);
    return status == TOOL_OK ? executor_begin(&v->device, options, options->backend, error)
                             : status;
}

int command_validate(const tool_options *options) {
    validation v = {0};
    tool_error error;
    int usage = command_device_options(options);
    if (usage == TOOL_OK && options->backend == BACKEND_D3D12)
        usage = command_usage_error(options, "--backend d3d12 has no say in what is valid");
    if (usage == TOOL_OK && !options->file_count)
        usage = command_usage_error(options, "no FILE.jsonl is given");
    if (usage != TOOL_OK)
        return usage;
    tool_status status = begin(&v, options, &error);
    if (status != TOOL_OK)
        report_error(&v.report, status, NULL, error.message);
    for (size_t i = 0; i < options->file_count && status == TOOL_OK && !v.device_failed; i++) {
        progress_files(i, options->file_count);
        validate_file(&v, options->files[i]);
    }
    executor_end(&v.device);
    return report_end(&v.report);
}
