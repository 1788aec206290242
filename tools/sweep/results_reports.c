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
    for (size_t i = 0; i < r->names.count; i++) {
        fwrite(r->sorted[i]->text, 1, r->sorted[i]->length, out);
        putc('\n', out);
    }
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

/* The texts of the header become properties. */
static void add_properties(junit_log *log, json_object *header) {
    json_object *runs = json_find(header, "runs", json_type_array);
    json_object *missing = json_find(header, "incomplete", json_type_array);
    json_object_object_foreach(header, key, value) {
        if (json_type_of(value) == json_type_string && strcmp(key, "event") != 0)
            junit_add_property(log, key, json_text(value));
    }
    for (size_t i = 0; runs && i < json_length(runs); i++) {
        json_object *run = json_element(runs, i);
        junit_add_property(log, "command", json_find_text(run, "command"));
        junit_add_property(log, "host", json_find_text(run, "host"));
        junit_add_property(log, "started", json_find_text(run, "started"));
    }
    for (size_t i = 0; missing && i < json_length(missing); i++)
        junit_add_property(log, "incomplete", json_item_text(missing, i));
}

/* "first [0,16]: expected 1 (0x3f800000), actual 0 (0x00000000), 1065353216 ulp apart" */
static void put_difference(FILE *out, json_object *record, const char *key, const char *name) {
    json_object *difference = json_find(record, key, json_type_object);
    const char *unit = strncmp(name, "float", 5) == 0 ? " ulp" : "";
    if (!difference)
        return;
    const char *ulps = json_find_text(difference, "ulps");
    json_object *at = json_find(difference, "coordinates", json_type_array);
    fprintf(out, "%s %s: expected %s (%s), actual %s (%s), ", key, at ? json_print(at) : "[]",
            json_find_text(difference, "expected"), json_find_text(difference, "expectedHex"),
            json_find_text(difference, "actual"), json_find_text(difference, "actualHex"));
    if (*ulps)
        fprintf(out, "%s%s apart\n", ulps, unit);
    else
        fputs("a NaN against a number\n", out);
}

/* Of an unstable case a line for each output: "7 runs: the expected bits". */
static void put_outputs(FILE *out, json_object *record) {
    json_object *unstable = json_find(record, "unstable", json_type_object);
    json_object *outputs = json_find(unstable, "outputs", json_type_array);
    for (size_t i = 0; outputs && i < json_length(outputs); i++) {
        json_object *output = json_element(outputs, i);
        fprintf(out, "%s runs: %s\n", json_find_text(output, "runs"),
                json_find_text(output, "verdict"));
    }
}

/* The header has the command line for the case "NAME". */
static void put_command(FILE *out, const sweep_results *r, const char *command, const char *name) {
    const char *line = json_find_text(json_find(r->header, "again", json_type_object), command);
    const size_t length = strlen(line);
    if (length > strlen("NAME"))
        fprintf(out, "%.*s%s\n", (int)(length - strlen("NAME")), line, name);
}

static char *detail_of(const sweep_results *r, json_object *record, const char *name) {
    const char *verdict = json_find_text(record, "verdict");
    text_buffer buffer;
    text_buffer_open(&buffer);
    put_difference(buffer.stream, record, "first", name);
    put_difference(buffer.stream, record, "worst", name);
    if (*verdict)
        fprintf(buffer.stream, "the oracle: %s\n", verdict);
    put_outputs(buffer.stream, record);
    put_command(buffer.stream, r, "sweep", name);
    if (!json_find(record, "unstable", json_type_object)) /* minimize runs a case once */
        put_command(buffer.stream, r, "minimize", name);
    return text_buffer_close(&buffer);
}

/* The headline; unless the case simply failed, the state stands before it. */
static char *message_of(json_object *record, sweep_state state) {
    char *headline = results_headline(record, true);
    const bool alone = state == SWEEP_FAIL && *headline;
    char *message = text_format("%s%s%s", alone ? "" : sweep_state_name(state),
                                !alone && *headline ? ": " : "", headline);
    free(headline);
    return message;
}

static void add_junit_case(junit_log *log, const sweep_results *r, const results_case *one) {
    char suite[40];
    char class[80];
    json_object *record = results_record(one);
    sweep_state state = one->state;
    bool bad = state != SWEEP_PASS && state != SWEEP_NOT_SUPPORTED;
    char *message = message_of(record, state);
    char *detail = bad ? detail_of(r, record, one->name) : NULL;
    snprintf(suite, sizeof suite, "%.*s", (int)strcspn(one->name, "."), one->name);
    snprintf(class, sizeof class, "cumsum.sweep.%.*s", (int)strcspn(one->name, "."), one->name);
    const junit_entry entry = {.kind = kind_of(state),
                               .suite = suite,
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

void sweep_results_junit(const sweep_results *r, junit_log *log) {
    add_properties(log, r->header);
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
    json_put_element(names, json_make_string(middle));
    free(middle);
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
    for (size_t i = 0; i < r->names.count; i++) {
        const results_case *one = r->sorted[i];
        if (!is_plain_pass(one)) {
            fwrite(one->text, 1, one->length, out);
            putc('\n', out);
        }
    }
    report_json_line_to(out, json_object_get(r->footer));
    put_names(out, r);
}

tool_status page_of_sweep(const sweep_results *r, const char *path, tool_error *error) {
    text_buffer records;
    text_buffer_open(&records);
    put_sweep(records.stream, r);
    return page_write(path, &records, error);
}
