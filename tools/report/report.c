/* SPDX-License-Identifier: MIT */
#include "report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "json_make.h"
#include "progress.h"
#include "report_fields.h"
#include "text.h"

const char *result_status_name(result_status status) {
    return status == RESULT_PASS ? "PASS" : status == RESULT_FAIL ? "FAIL" : "SKIP";
}

static bool wants_color(const tool_options *options) {
    const char *no_color = getenv("NO_COLOR");
    const char *terminal = getenv("TERM");
    if (options->color != COLOR_AUTO)
        return options->color == COLOR_ALWAYS;
    return !(no_color && *no_color) && terminal && strcmp(terminal, "dumb") != 0 &&
           isatty(STDOUT_FILENO);
}

tool_status report_begin(report *r, const tool_options *options, tool_error *error) {
    *r = (report){.options = options, .color = wants_color(options)};
    if (options->junit) {
        r->junit = junit_begin(options->command_name);
        if (!r->junit) {
            return tool_fail(error, TOOL_ENVIRONMENT,
                             "option --junit: this build has no JUnit reports (libxml2)");
        }
    }
    return TOOL_OK;
}

static void show_text(const report *r, const result *record) {
    static const char *const colors[] = {"\033[32m", "\033[31m", "\033[33m"};
    progress_clear();
    printf("%s%s%s  ", r->color ? colors[record->status] : "", result_status_name(record->status),
           r->color ? "\033[0m" : "");
    text_show(stdout, record->file);
    if (record->line)
        printf(":%" PRIu64, record->line);
    printf(": ");
    text_show(stdout, record->name);
    printf("  %s\n", record->summary);
    for (const char *line = record->detail; line && *line;) {
        const char *end = line + strcspn(line, "\n");
        printf("      %.*s\n", (int)(end - line), line);
        line = *end ? end + 1 : end;
    }
}

static void show_json(const result *record) {
    json_object *object = json_make_object();
    fields_text(object, "event", record->event);
    fields_text(object, "file", record->file);
    if (record->line)
        fields_count(object, "line", record->line);
    fields_text(object, "name", record->name);
    fields_text(object, "status", result_status_name(record->status));
    fields_text(object, "message", record->summary);
    if (record->fields) {
        json_object_object_foreach(record->fields, key, value) {
            json_put_member(object, key, json_object_get(value));
        }
    }
    report_json_line(object);
}

void report_json_line(json_object *object) {
    puts(json_print(object, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
    json_object_put(object);
}

void report_result(report *r, const result *record) {
    uint64_t *counts[] = {&r->passed, &r->failed, &r->skipped};
    ++*counts[record->status];
    if (r->junit)
        report_junit_result(r, record);
    if (r->options->json)
        show_json(record);
    else if (record->status == RESULT_FAIL || !r->options->quiet)
        show_text(r, record);
    json_object_put(record->fields);
}

void report_error(report *r, tool_status status, const char *file, const char *message) {
    r->malformed = r->malformed || status == TOOL_MALFORMED;
    r->environment = r->environment || status != TOOL_MALFORMED;
    progress_clear();
    fflush(stdout);
    fputs("cumsum: ", stderr);
    text_show(stderr, message);
    putc('\n', stderr);
    if (r->junit)
        report_junit_error(r, file ? file : "cumsum", message);
    if (r->options->json) {
        json_object *object = json_make_object();
        fields_text(object, "event", "error");
        if (file)
            fields_text(object, "file", file);
        fields_text(object, "status", status == TOOL_MALFORMED ? "malformed" : "environment");
        fields_text(object, "message", message);
        report_json_line(object);
    }
}

/* A malformed file outweighs the environment, and both a mismatch: what was not read was not
 * judged. */
int report_status(const report *r) {
    if (r->malformed)
        return TOOL_MALFORMED;
    if (r->environment)
        return TOOL_ENVIRONMENT;
    if (r->failed)
        return TOOL_MISMATCH;
    return r->passed || r->ran ? TOOL_OK : TOOL_NOTHING_RAN;
}

static void show_summary(const report *r) {
    if (!r->options->json) {
        printf("%" PRIu64 " passed, %" PRIu64 " failed, %" PRIu64 " skipped\n", r->passed,
               r->failed, r->skipped);
        return;
    }
    json_object *object = json_make_object();
    fields_text(object, "event", "summary");
    fields_text(object, "command", r->options->command_name);
    fields_count(object, "passed", r->passed);
    fields_count(object, "failed", r->failed);
    fields_count(object, "skipped", r->skipped);
    fields_count(object, "exit", (uint64_t)report_status(r));
    report_json_line(object);
}

int report_end(report *r) {
    tool_error error;
    progress_clear();
    if (r->junit) {
        tool_status status = junit_end(r->junit, r->options->junit, &error);
        r->junit = NULL;
        if (status != TOOL_OK)
            report_error(r, status, r->options->junit, error.message);
    }
    show_summary(r);
    return report_status(r);
}

int report_end_quietly(report *r) {
    if (r->options->json)
        show_summary(r);
    return report_status(r);
}
