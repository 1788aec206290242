/* SPDX-License-Identifier: MIT */
/* Joined results: their header, their footer and their order; as lines, and as a JUnit log. */
#include "results.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "json_print.h"
#include "memory.h"
#include "report.h"
#include "results_log.h"
#include "text.h"

/* A file may be a joined one, with runs of its own. */
static void add_runs(json_object *runs, const results_file *file) {
    json_object *earlier = json_find(file->header, "runs", json_type_array);
    json_object *own = json_find(file->header, "run", json_type_object);
    for (size_t i = 0; earlier && i < json_object_array_length(earlier); i++)
        json_put_element(runs, json_object_get(json_object_array_get_idx(earlier, i)));
    if (own) {
        json_object *run = json_make_object();
        fields_count(run, "shard", file->shard);
        fields_count(run, "cases", file->cases);
        json_object_object_foreach(own, key, value) {
            json_put_member(run, key, json_object_get(value));
        }
        json_put_element(runs, run);
    }
}

static void add_missing(json_object *header, const sweep_results *r) {
    json_object *missing = json_make_array();
    for (size_t i = 0; i < r->problem_count; i++) {
        char *text = text_utf8(r->problems[i].rule, 0);
        json_put_element(missing, json_make_string(text));
        free(text);
    }
    json_put_member(header, "incomplete", missing);
}

static json_object *joined_header(const sweep_results *r) {
    json_object *header = json_make_object();
    json_object *runs = json_make_array();
    json_object_object_foreach(r->files[0].header, key, value) {
        json_put_member(header, key, json_object_get(value));
    }
    for (uint32_t i = 0; i < r->file_count; i++)
        add_runs(runs, &r->files[i]);
    json_object_object_del(header, "run");
    json_object_object_del(header, "incomplete");
    fields_count(header, "shard", 1);
    fields_count(header, "shards", 1);
    fields_count(header, "selected", r->names.count);
    json_put_member(header, "runs", runs);
    if (r->problem_count)
        add_missing(header, r);
    return header;
}

json_object *sweep_results_common(const sweep_results *r) {
    conjunction ran = {0};
    for (const results_case *one = r->cases; one < r->cases + r->names.count; one++)
        if (one->outcome != SWEEP_NOT_SUPPORTED)
            conjunction_add(&ran, one->name, sweep_state_is_failure(one->outcome));
    return conjunction_end(&ran);
}

/* The latest end, or "". ISO 8601 times in UTC compare as texts. */
static const char *latest_end(const sweep_results *r) {
    const char *last = "";
    for (uint32_t i = 0; i < r->file_count; i++) {
        const char *text = json_find_text(r->files[i].end, "ended");
        last = strcmp(text, last) > 0 ? text : last;
    }
    return last;
}

/* "4x9" before "4x10": of two numbers without leading zeros the longer one is larger. */
static int compare_case_names(const char *a, const char *b) {
    size_t same = 0;
    while (a[same] && a[same] == b[same])
        same++;
    const char *const digits = "0123456789";
    const size_t more_a = strspn(a + same, digits);
    const size_t more_b = strspn(b + same, digits);
    const bool inside = same > 0 && strchr(digits, a[same - 1]);
    bool numbers = inside || (more_a > 0 && more_b > 0);
    return numbers && more_a != more_b ? (more_a < more_b ? -1 : 1) : strcmp(a + same, b + same);
}

static int by_name(const void *a, const void *b) {
    return compare_case_names((*(const results_case *const *)a)->name,
                              (*(const results_case *const *)b)->name);
}

void sweep_results_join(sweep_results *r) {
    sweep_results_check(r);
    if (!r->file_count || sweep_results_wrong(r))
        return;
    r->header = joined_header(r);
    r->sorted = tool_calloc(r->names.count + 1, sizeof(const results_case *));
    for (size_t i = 0; i < r->names.count; i++)
        r->sorted[i] = &r->cases[i];
    qsort(r->sorted, r->names.count, sizeof(const results_case *), by_name);
    json_object *common = sweep_results_common(r);
    r->footer = sweep_footer(&r->counts, common, NULL, latest_end(r));
    json_object_put(common);
}

void sweep_results_print(const sweep_results *r, FILE *out) {
    report_json_line_to(out, json_object_get(r->header));
    for (size_t i = 0; i < r->names.count; i++) {
        fwrite(r->sorted[i]->text, 1, r->sorted[i]->length, out);
        putc('\n', out);
    }
    report_json_line_to(out, json_object_get(r->footer));
}

tool_status sweep_results_write(const sweep_results *r, const char *path, tool_error *error) {
    text_buffer buffer;
    text_buffer_open(&buffer);
    sweep_results_print(r, buffer.stream);
    return file_write_text(path, &buffer, error);
}

static junit_kind kind_of(sweep_state state) {
    static const junit_kind kinds[SWEEP_STATES] = {
        [SWEEP_PASS] = JUNIT_PASSED,           [SWEEP_FAIL] = JUNIT_FAILURE,
        [SWEEP_NOT_SUPPORTED] = JUNIT_SKIPPED, [SWEEP_CRASH] = JUNIT_ERROR,
        [SWEEP_TIMEOUT] = JUNIT_ERROR,         [SWEEP_UNSTABLE] = JUNIT_FAILURE,
        [SWEEP_DOUBTFUL] = JUNIT_FAILURE,      [SWEEP_KNOWN] = JUNIT_SKIPPED,
        [SWEEP_UNEXPECTED] = JUNIT_FAILURE,    [SWEEP_WAIVED] = JUNIT_SKIPPED};
    return kinds[state];
}

/* The texts of the header become properties. */
static void add_properties(junit_log *log, json_object *header) {
    json_object *runs = json_find(header, "runs", json_type_array);
    json_object *missing = json_find(header, "incomplete", json_type_array);
    json_object_object_foreach(header, key, value) {
        if (json_object_is_type(value, json_type_string) && strcmp(key, "event") != 0)
            junit_add_property(log, key, json_object_get_string(value));
    }
    for (size_t i = 0; runs && i < json_object_array_length(runs); i++) {
        json_object *run = json_object_array_get_idx(runs, i);
        junit_add_property(log, "command", json_find_text(run, "command"));
        junit_add_property(log, "host", json_find_text(run, "host"));
        junit_add_property(log, "started", json_find_text(run, "started"));
    }
    for (size_t i = 0; missing && i < json_object_array_length(missing); i++)
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
    fprintf(out, "%s %s: expected %s (%s), actual %s (%s), ", key,
            at ? json_print(at, JSON_C_TO_STRING_PLAIN) : "[]",
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
    for (size_t i = 0; outputs && i < json_object_array_length(outputs); i++) {
        json_object *output = json_object_array_get_idx(outputs, i);
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
                               .detail = one->flaky ? message : detail,
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
