/* SPDX-License-Identifier: MIT */
/* cumsum judge --onnx: walks over ONNX data sets, judges each, and reports those that cannot be
 * judged. */
#include "judge_onnx.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json_print.h"
#include "onnx_case.h"
#include "report.h"
#include "text.h"

typedef struct onnx_judging {
    judge_report *to;
    judge_model_function judge;
    void *state;
} onnx_judging;

/* A reason begins with a file's path, and the reported line already begins with most of it. */
static const char *without_path(const char *reason, const char *path) {
    const size_t length = strlen(path);
    if (strncmp(reason, path, length) != 0)
        return reason;
    return reason[length] == '/' ? reason + length + 1
                                 : reason + length + strspn(reason + length, ": ");
}

static void skip(judge_report *to, const char *path, const char *reason) {
    json_object *fields = NULL;
    text_buffer buffer;
    reason = without_path(reason, path);
    text_buffer_begin(&buffer);
    text_show(buffer.stream, reason);
    char *summary = text_buffer_end(&buffer);
    if (to->report.settings->json) {
        fields = json_make_object();
        fields_text(fields, "reason", reason);
    }
    report_result(&to->report, &(report_record){.status = RESULT_SKIP,
                                                .event = "dispatch",
                                                .file = path,
                                                .name = "CumSum",
                                                .summary = summary,
                                                .fields = fields});
    free(summary);
}

static void visit(void *state, const char *path, model *m, tool_status status, const char *reason) {
    onnx_judging *j = state;
    tool_error error;
    if (m) {
        status = j->judge(j->state, m, &error);
        reason = error.message;
    }
    if (status == TOOL_SKIPPED)
        skip(j->to, path, reason);
    else if (status != TOOL_OK)
        report_error(&j->to->report, status, path, reason);
}

tool_status judge_onnx(judge_report *to, judge_model_function judge, void *state,
                       tool_error *error) {
    const char *folder = to->options->onnx;
    onnx_judging j = {to, judge, state};
    uint64_t visited = 0;
    tool_status status = onnx_walk(folder, visit, &j, &visited, error);
    if (status == TOOL_OK && visited == 0 && !to->report.settings->json) {
        fputs("cumsum: ", stderr);
        text_show(stderr, folder);
        fputs(": this folder and its subfolders hold no test data of a CumSum node\n", stderr);
    }
    return status;
}
