/* SPDX-License-Identifier: MIT */
/* Reports of joined results: lines, a JUnit log, and the page that web/report shows. */
#include "results.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json_tree.h"
#include "memory.h"
#include "page.h"
#include "report.h"
#include "text.h"

void sweep_results_print(const sweep_results *r, FILE *out) {
    report_json_line_to(out, json_object_get(r->header));
    for (size_t i = 0; i < r->names.count; i++)
        fprintf(out, "%s\n", r->sorted[i]->text);
    report_json_line_to(out, json_object_get(r->footer));
}

static junit_kind kind_of(sweep_state state) {
    static const junit_kind kinds[SWEEP_STATES] = {
        [SWEEP_PASS] = JUNIT_PASSED,           [SWEEP_FAIL] = JUNIT_FAILURE,
        [SWEEP_NOT_SUPPORTED] = JUNIT_SKIPPED, [SWEEP_CRASH] = JUNIT_ERROR,
        [SWEEP_TIMEOUT] = JUNIT_ERROR,         [SWEEP_UNSTABLE] = JUNIT_FAILURE,
        [SWEEP_SUSPECT] = JUNIT_FAILURE,       [SWEEP_KNOWN] = JUNIT_SKIPPED,
        [SWEEP_WORSE] = JUNIT_FAILURE};
    return kinds[state];
}

/* The header has the command line for the case "NAME". */
static void put_command(FILE *out, const sweep_results *r, const char *command, const char *name) {
    const char *line = json_find_text(json_find(r->header, "again", json_type_object), command);
    const size_t length = strlen(line);
    if (length > strlen("NAME"))
        fprintf(out, "%.*s%s\n", (int)(length - strlen("NAME")), line, name);
}

/* The commands that repeat a failure; minimize runs a case once. */
static char *commands_of(const sweep_results *r, const results_case *one) {
    text_buffer buffer;
    text_buffer_open(&buffer);
    if (one->state != SWEEP_PASS && one->state != SWEEP_NOT_SUPPORTED)
        put_command(buffer.stream, r, "sweep", one->name);
    if (sweep_state_is_failure(one->outcome) && one->outcome != SWEEP_UNSTABLE)
        put_command(buffer.stream, r, "minimize", one->name);
    return text_buffer_close(&buffer);
}

static void add_junit_case(junit_log *log, const sweep_results *r, const results_case *one) {
    char class[80];
    json_object *record = results_record(one);
    char *message = results_outcome_words(one);
    char *detail = commands_of(r, one);
    snprintf(class, sizeof class, "cumsum.sweep.%.*s", (int)strcspn(one->name, "."), one->name);
    const junit_entry entry = {.kind = kind_of(one->state),
                               .suite = class + strlen("cumsum.sweep."),
                               .class = class,
                               .name = one->name,
                               .message = message,
                               .detail = detail,
                               .microseconds = json_find_number(record, "microseconds", 0)};
    junit_add(log, &entry);
    free(message);
    free(detail);
    json_object_put(record);
}

/* What the sweep ran on, and what is missing, become properties. */
void sweep_results_junit(const sweep_results *r, junit_log *log) {
    json_object_object_foreach(r->header, key, value) {
        if (json_type_of(value) == json_type_string && strcmp(key, "event") != 0)
            junit_add_property(log, key, json_word(value));
    }
    char *missing = json_list_text(r->incomplete, "; ");
    if (*missing)
        junit_add_property(log, "incomplete", missing);
    free(missing);
    for (size_t i = 0; i < r->names.count; i++)
        add_junit_case(log, r, r->sorted[i]);
}

/* The page of a sweep. Nearly all records are passes that differ in their names only, so that it
 * has these names alone, each as what differs from the one before. */

/* A pass that is no plain one has a reason: other bits than the expected ones, say. */
static bool is_plain_pass(const results_case *one) {
    return one->state == SWEEP_PASS && one->outcome == SWEEP_PASS && !one->remarked;
}

static void add_name(json_object *names, const char *name, const char *before) {
    const size_t length = strlen(name);
    const size_t shorter = strlen(before) < length ? strlen(before) : length;
    size_t begin = 0;
    size_t end = 0;
    while (begin < shorter && name[begin] == before[begin])
        begin++;
    while (end < shorter - begin && name[length - 1 - end] == before[strlen(before) - 1 - end])
        end++;
    char *middle = tool_strdup(name + begin);
    middle[length - begin - end] = '\0';
    json_put_element(names, json_make_count(begin));
    json_put_element(names, json_make_count(end));
    json_put_text(names, middle);
}

static void put_names(FILE *out, const sweep_results *r) {
    json_object *record = report_event("names");
    json_object *names = json_make_array();
    for (size_t i = 0; i < r->names.count; i++)
        add_name(names, r->sorted[i]->name, i ? r->sorted[i - 1]->name : "");
    json_put_member(record, "names", names);
    report_json_line_to(out, record);
}

static void put_sweep(FILE *out, const sweep_results *r) {
    report_json_line_to(out, json_object_get(r->header));
    for (size_t i = 0; i < r->names.count; i++)
        if (!is_plain_pass(r->sorted[i]))
            fprintf(out, "%s\n", r->sorted[i]->text);
    report_json_line_to(out, json_object_get(r->footer));
    put_names(out, r);
}

tool_status page_of_sweep(const sweep_results *r, const char *path, tool_error *error) {
    text_buffer records;
    text_buffer_open(&records);
    put_sweep(records.stream, r);
    return page_write(path, &records, error);
}
