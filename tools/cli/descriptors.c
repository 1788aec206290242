/* SPDX-License-Identifier: MIT */
/*
 * cumsum descriptors: reads descriptors, one a line, and reports whether DirectML accepts each. A
 * line passes if the verdict agrees with the hresult that the line records, and, with --backend
 * directml, with the answers of DirectML's CreateOperator and CompileOperator.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "case_file.h"
#include "commands.h"
#include "executor.h"
#include "file.h"
#include "json_tree.h"
#include "memory_limit.h"
#include "report.h"

#define E_INVALIDARG ((int32_t)0x80070057)

/* DirectML's own verdict on a descriptor. */
typedef struct device_verdict {
    bool asked; /* false on the CPU */
    bool accepts;
    int32_t hresults[2]; /* CreateOperator, CompileOperator */
} device_verdict;

/* Asks the executor's device, if it has one. TOOL_ENVIRONMENT if the device fails.
 * CompileOperator rejects execution flags with E_INVALIDARG. Its other failures concern the device
 * and not the descriptor. */
static tool_status device_verdict_ask(const executor *e, const descriptor_line *c,
                                      device_verdict *verdict, tool_error *error) {
    cumsum_diagnostic diagnostic = {0};
    *verdict = (device_verdict){0};
    if (!e->device)
        return TOOL_OK;
    cumsum_status status = e->device->methods->ask(e->device, &c->op.desc, c->execution_flags,
                                                   verdict->hresults, &diagnostic);
    if (status != CUMSUM_OK) {
        return tool_fail(error, TOOL_ENVIRONMENT, "backend %s: %s", backend_name(e->backend),
                         diagnostic_text(status, &diagnostic));
    }
    verdict->asked = true;
    verdict->accepts = verdict->hresults[0] >= 0 && verdict->hresults[1] != E_INVALIDARG;
    return TOOL_OK;
}

/* The words that follow the library's verdict; none if the device was not asked. */
static void show_device_verdict(FILE *out, const device_verdict *v, bool valid) {
    const bool created = v->hresults[0] >= 0;
    const unsigned answer = (unsigned)v->hresults[created];
    if (!v->asked)
        return;
    if (v->accepts && !valid)
        fputs(", but DirectML accepts it", out);
    else if (valid && !v->accepts)
        fprintf(out, ", but DirectML answers 0x%08x to %s", answer,
                created ? "CompileOperator" : "CreateOperator");
    else if (v->accepts && v->hresults[1] < 0)
        fprintf(out, ", as DirectML says, which cannot compile it for this device (0x%08x)",
                answer);
    else
        fputs(", as DirectML says", out);
}

static void add_hresult(json_object *object, const char *key, int32_t hresult) {
    char text[16];
    snprintf(text, sizeof text, "0x%08x", (unsigned)hresult);
    fields_text(object, key, text);
}

/* Adds the member "directml", if the device was asked. */
static void device_verdict_fields(const device_verdict *v, json_object *fields) {
    if (v->asked) {
        json_object *object = json_make_object();
        fields_flag(object, "accepts", v->accepts);
        add_hresult(object, "createOperator", v->hresults[0]);
        add_hresult(object, "compileOperator", v->hresults[1]);
        json_put_member(fields, "directml", object);
    }
}

/* Does Microsoft's helper for TotalTensorSizeInBytes wrap? A caller who used it gets a rejection
 * that needs an explanation. */
static bool helper_wraps(const case_file_tensor *tensor, uint64_t *wrapped) {
    const cumsum_buffer_tensor_desc *b = &tensor->buffer;
    uint64_t exact;
    if (!tensor->present || cumsum_tensor_size(b->data_type, b->dimension_count, b->sizes,
                                               b->strides, &exact) != CUMSUM_INVALID_DESCRIPTOR)
        return false;
    *wrapped = cumsum_tensor_size_directml(b->data_type, b->dimension_count, b->sizes, b->strides);
    return true;
}

/* A note on a property that the verdict does not show; empty for most descriptors. */
static void describe_traps(const descriptor_line *c, bool valid, char *note, size_t room) {
    uint64_t wrapped;
    note[0] = '\0';
    if (valid && cumsum_output_may_overlap(&c->op.desc))
        snprintf(note, room, "output elements may share an address: the last line written stays");
    else if (helper_wraps(&c->op.input, &wrapped) || helper_wraps(&c->op.output, &wrapped))
        snprintf(note, room, "DMLCalcBufferTensorSize wraps here, to %" PRIu64, wrapped);
}

/* The state of the command over all its files. */
typedef struct validation {
    report *report;
    executor device; /* of --backend directml; the CPU is not asked */
    bool device_failed;
    cumsum_feature_level level; /* of --feature-level, or 0 */
    const char *path;           /* of the line that is read */
    uint64_t line;
} validation;

static void begin_record(report_record *record, const validation *v, const descriptor_line *c) {
    report_record_init(record, "descriptor", v->path, c->name);
    record->line = v->line;
}

/* Reports the library's verdict on a descriptor, and compares it with the recorded one and the
 * device's. */
static void report_verdict(validation *v, const descriptor_line *c, const device_verdict *device) {
    char note[128];
    cumsum_diagnostic why;
    report_record record;
    const cumsum_feature_level level = v->level;
    const bool valid =
        executor_accepts(&c->op.desc, c->execution_flags, level ? level : c->level, &why);
    describe_traps(c, valid, note, sizeof note);
    const bool as_recorded = c->has_hresult ? valid == c->hresult_ok : valid || device->asked;
    const bool as_expected = as_recorded && (!device->asked || valid == device->accepts);
    begin_record(&record, v, c);
    FILE *summary = record.summary.stream;
    fputs(valid ? "valid" : "rejected", summary);
    fields_flag(record.fields, "valid", valid);
    if (c->has_hresult) {
        fputs(as_recorded ? ", as recorded"
              : valid     ? ", but E_INVALIDARG is recorded"
                          : ", but S_OK is recorded",
              summary);
        fields_text(record.fields, "hresult", c->hresult_ok ? "S_OK" : "E_INVALIDARG");
    }
    show_device_verdict(summary, device, valid);
    fprintf(summary, "%s%s", valid ? "" : ": ", why.message);
    if (!valid)
        fields_text(record.fields, "reason", why.message);
    if (*note) {
        fprintf(summary, "%s%s", valid ? "; note: " : " Note: ", note);
        fields_text(record.fields, "note", note);
    }
    if (valid && v->report->settings->verbose)
        describe_operator(record.detail.stream, &c->op.desc);
    device_verdict_fields(device, record.fields);
    report_result(v->report, &record, as_expected ? RESULT_PASS : RESULT_FAIL);
    report_record_free(&record);
}

/* Without a device to ask, a line is skipped. */
static tool_status validate_descriptor(validation *v, const descriptor_line *c, tool_error *error) {
    device_verdict device;
    if (executor_reason(&v->device)) {
        report_record record;
        begin_record(&record, v, c);
        fprintf(record.summary.stream, "backend %s: %s", backend_name(v->device.backend),
                executor_reason(&v->device));
        report_result(v->report, &record, RESULT_SKIP);
        report_record_free(&record);
        return TOOL_OK;
    }
    const tool_status status = device_verdict_ask(&v->device, c, &device, error);
    v->device_failed = status != TOOL_OK;
    if (status == TOOL_OK)
        report_verdict(v, c, &device);
    return status;
}

static void validate_line(validation *v, const char *text, size_t length) {
    descriptor_line c = {0};
    tool_error error;
    v->line++;
    progress_show(v->line, 0, v->path);
    if (strspn(text, " \t\r\n") >= length) /* blank */
        return;
    tool_status status = descriptor_read_line(text, length, v->path, v->line, &c, &error);
    if (status == TOOL_OK) {
        status = validate_descriptor(v, &c, &error);
        descriptor_line_free(&c);
    }
    if (status != TOOL_OK)
        report_error(v->report, status, v->path, error.message);
}

static void validate_file(validation *v, const char *path) {
    file_contents contents;
    tool_error error;
    const tool_status status = file_read(path, &contents, &error);
    if (status != TOOL_OK) {
        report_error(v->report, status, path, error.message);
        return;
    }
    v->path = path;
    v->line = 0;
    const char *at = (const char *)contents.bytes;
    const char *end = at + contents.size;
    while (at < end && !v->device_failed) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        validate_line(v, at, (size_t)((stop ? stop : end) - at));
        at = stop ? stop + 1 : end;
    }
    memory_free(contents.bytes);
}

tool_status command_check_descriptors(const tool_options *options, tool_error *error) {
    const backend_choice backend = options->backend.backend;
    if (backend == BACKEND_D3D12 || backend == BACKEND_CUDA) {
        return tool_fail(error, TOOL_MALFORMED,
                         "--backend %s has no verdicts on descriptors; directml has",
                         backend_name(backend));
    }
    return TOOL_OK;
}

tool_status command_descriptors(const tool_options *options, report *r, tool_error *error) {
    validation v = {.report = r, .level = options->level};
    const tool_status status =
        executor_open(&v.device, &options->backend, options->backend.backend, error);
    for (size_t i = 0; i < options->file_count && status == TOOL_OK && !v.device_failed; i++)
        validate_file(&v, options->files[i]);
    executor_close(&v.device);
    return status;
}
