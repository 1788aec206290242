/* SPDX-License-Identifier: MIT */
/* cumsum validate: a verdict on each line of a file of descriptors. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "describe.h"
#include "model.h"
#include "progress.h"
#include "report.h"
#include "report_fields.h"
#include "text.h"

/* DML_EXECUTION_FLAG_ALLOW_HALF_PRECISION_COMPUTATION, _DISABLE_META_COMMANDS and
 * _DESCRIPTORS_VOLATILE. */
#define KNOWN_EXECUTION_FLAGS 7u

/* Our verdict: true where DirectML would create and compile the operator. why is left empty then.
 */
static bool accepted(const descriptor_case *c, cumsum_feature_level level, char *why, size_t room) {
    cumsum_diagnostic diagnostic;
    why[0] = '\0';
    if (cumsum_validate(&c->op.desc, level ? level : c->level, &diagnostic) != CUMSUM_OK) {
        snprintf(why, room, "%s", diagnostic.message);
        return false;
    }
    if (c->execution_flags > KNOWN_EXECUTION_FLAGS) {
        snprintf(why, room, "executionFlags is %u; the rule: 0 to %u", c->execution_flags,
                 KNOWN_EXECUTION_FLAGS);
        return false;
    }
    return true;
}

/* Where Microsoft's helper for TotalTensorSizeInBytes wraps, whoever used it gets a rejection that
 * needs an explanation. */
static bool helper_wraps(const model_tensor *tensor, uint64_t *wrapped) {
    const cumsum_buffer_tensor_desc *b = &tensor->buffer;
    uint64_t exact;
    if (!tensor->present || cumsum_tensor_size(b->data_type, b->dimension_count, b->sizes,
                                               b->strides, &exact) != CUMSUM_INVALID_DESCRIPTOR) {
        return false;
    }
    *wrapped = cumsum_tensor_size_directml(b->data_type, b->dimension_count, b->sizes, b->strides);
    return true;
}

/* What the verdict alone does not tell; empty for most descriptors. */
static void describe_traps(const descriptor_case *c, bool valid, char *note, size_t room) {
    uint64_t wrapped;
    note[0] = '\0';
    if (valid && cumsum_output_may_overlap(&c->op.desc)) {
        snprintf(note, room, "output elements may share an address: the last line written stays");
    } else if (helper_wraps(&c->op.input, &wrapped) || helper_wraps(&c->op.output, &wrapped)) {
        snprintf(note, room, "DMLCalcBufferTensorSize wraps here, to %" PRIu64, wrapped);
    }
}

static json_object *verdict_fields(const descriptor_case *c, bool valid, const char *why,
                                   const char *note) {
    json_object *fields = json_object_new_object();
    fields_flag(fields, "valid", valid);
    if (c->has_hresult) {
        fields_text(fields, "hresult", c->hresult_ok ? "S_OK" : "E_INVALIDARG");
    }
    if (!valid) {
        fields_text(fields, "reason", why);
    }
    if (*note) {
        fields_text(fields, "note", note);
    }
    return fields;
}

/* "FLOAT32 2x3 axis 1 increasing inclusive"; desc is valid. */
static char *describe(const cumsum_operator_desc *desc) {
    text_buffer buffer;
    text_buffer_begin(&buffer);
    describe_operator(buffer.stream, desc);
    return text_buffer_end(&buffer);
}

static void show_verdict(report *r, const char *file, uint64_t line, const descriptor_case *c) {
    char why[512];
    char note[128];
    char summary[800];
    bool valid = accepted(c, r->options->level, why, sizeof why);
    describe_traps(c, valid, note, sizeof note);
    bool as_expected = c->has_hresult ? valid == c->hresult_ok : valid;
    const char *recorded = !c->has_hresult ? ""
                           : as_expected   ? ", as recorded"
                           : valid         ? ", but E_INVALIDARG is recorded"
                                           : ", but S_OK is recorded";
    snprintf(summary, sizeof summary, "%s%s%s%s%s%s", valid ? "valid" : "rejected", recorded,
             valid ? "" : ": ", why,
             !*note  ? ""
             : valid ? "; note: "
                     : " Note: ",
             note);
    char *detail = valid && r->options->verbose ? describe(&c->op.desc) : NULL;
    result record = {.status = as_expected ? RESULT_PASS : RESULT_FAIL,
                     .event = "descriptor",
                     .file = file,
                     .line = line,
                     .name = c->name,
                     .summary = summary,
                     .detail = detail,
                     .fields = r->options->json ? verdict_fields(c, valid, why, note) : NULL};
    report_result(r, &record);
    free(detail);
}

static bool is_blank(const char *text, size_t length) {
    for (size_t i = 0; i < length; i++) {
        if (!strchr(" \t\r\n", text[i]) || !text[i]) {
            return false;
        }
    }
    return true;
}

static void validate_lines(report *r, const char *path, FILE *file) {
    char *text = NULL;
    size_t room = 0;
    ssize_t length;
    uint64_t line = 0;
    errno = 0;
    while ((length = getline(&text, &room, file)) >= 0) {
        descriptor_case c = {0};
        tool_error error;
        progress_show(++line, 0, path);
        if (length && text[length - 1] == '\n') {
            length--; /* an error at the end is still on this line */
        }
        if (is_blank(text, (size_t)length)) {
            continue;
        }
        tool_status status = descriptor_read_line(text, (size_t)length, path, line, &c, &error);
        if (status == TOOL_OK) {
            show_verdict(r, path, line, &c);
            descriptor_case_free(&c);
        } else {
            report_error(r, status, path, error.message);
        }
        errno = 0;
    }
    if (!feof(file)) {
        tool_error error;
        report_error(r,
                     tool_fail(&error, errno == EISDIR ? TOOL_MALFORMED : TOOL_ENVIRONMENT,
                               "%s: cannot read: %s", path, strerror(errno)),
                     path, error.message);
    }
    free(text);
}

static void validate_file(report *r, const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) {
        tool_error error;
        report_error(
            r, tool_fail(&error, TOOL_ENVIRONMENT, "%s: cannot open: %s", path, strerror(errno)),
            path, error.message);
        return;
    }
    validate_lines(r, path, file);
    fclose(file);
}

int command_validate(const tool_options *options) {
    report r;
    tool_error error;
    if (!options->file_count) {
        return command_usage_error(options, "no FILE.jsonl is given");
    }
    tool_status status = report_begin(&r, options, &error);
    if (status != TOOL_OK) {
        report_error(&r, status, NULL, error.message);
        return report_end(&r);
    }
    for (size_t i = 0; i < options->file_count; i++) {
        progress_files(i, options->file_count);
        validate_file(&r, options->files[i]);
    }
    return report_end(&r);
}
