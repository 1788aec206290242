/* SPDX-License-Identifier: MIT */
/* Results on standard output and in JUnit files; counts; the status of all; members of JSON
 * objects. */
#include "report.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "element.h"
#include "json_tree.h"
#include "layout.h"
#include "memory.h"
#include "text.h"
#include "word_table.h"
#include "words.h"

void fields_text(json_object *object, const char *key, const char *text) {
    json_put_member(object, key, json_make_string(text));
}

void fields_count(json_object *object, const char *key, uint64_t count) {
    json_put_member(object, key, json_make_count(count));
}

void fields_flag(json_object *object, const char *key, bool flag) {
    json_put_member(object, key, json_make_flag(flag));
}

static json_object *number_or_word(const char *text, double value) {
    return isfinite(value) ? json_make_number(text) : json_make_string(text);
}

void fields_double(json_object *object, const char *key, double value) {
    char text[CUMSUM_ELEMENT_TEXT];
    snprintf(text, sizeof text, "%.6g", value);
    if (isnan(value))
        snprintf(text, sizeof text, "nan"); /* printf may write "-nan" */
    json_put_member(object, key, number_or_word(text, value));
}

void fields_numbers(json_object *object, const char *key, uint32_t count, const uint32_t *numbers) {
    json_object *array = json_make_array();
    for (uint32_t i = 0; i < count; i++)
        json_put_element(array, json_make_count(numbers[i]));
    json_put_member(object, key, array);
}

json_object *fields_element(cumsum_data_type type, uint64_t bits) {
    char text[CUMSUM_ELEMENT_TEXT];
    cumsum_element_decimal(text, type, bits);
    /* The text is what is printed; the number only says whether JSON can hold it. */
    return number_or_word(text, element_is_finite(type, bits) ? 0.0 : NAN);
}

void fields_value(json_object *object, const char *key, cumsum_data_type type, uint64_t bits) {
    char hex_key[64];
    char text[CUMSUM_ELEMENT_TEXT];
    snprintf(hex_key, sizeof hex_key, "%sHex", key);
    cumsum_element_hex(text, type, bits);
    json_put_member(object, key, fields_element(type, bits));
    fields_text(object, hex_key, text);
}

void fields_move(json_object *object, json_object *from) {
    json_object_object_foreach(from, key, value) {
        json_put_member(object, key, json_object_get(value));
    }
    json_object_put(from);
}

void fields_ulps(json_object *object, cumsum_data_type type, uint64_t ulps) {
    const bool floating = element_is_float(type);
    bool defined = !floating || ulps != UINT64_MAX;
    json_put_member(object, "ulps", defined ? json_make_count(ulps) : NULL);
}

void fields_numerics(json_object *object, cumsum_data_type type, const cumsum_numerics *numerics) {
    fields_text(object, "order", word_of(order_words, (int)numerics->order));
    if (type == CUMSUM_DATA_TYPE_FLOAT16) {
        fields_text(object, "halfAccumulator",
                    word_of(half_accumulator_words, (int)numerics->half_accumulator));
        fields_text(object, "halfStore", word_of(half_store_words, (int)numerics->half_store));
    }
    if (type == CUMSUM_DATA_TYPE_FLOAT32)
        fields_text(object, "denormals", word_of(denormals_words, (int)numerics->denormals));
}

void fields_operator(json_object *object, const cumsum_operator_desc *desc) {
    const cumsum_buffer_tensor_desc *output = desc->output_tensor->desc;
    fields_text(object, "type", cumsum_data_type_name(output->data_type));
    fields_numbers(object, "sizes", output->dimension_count, output->sizes);
    fields_count(object, "axis", desc->axis);
    fields_text(object, "direction",
                desc->axis_direction == CUMSUM_AXIS_DIRECTION_DECREASING ? "decreasing"
                                                                         : "increasing");
    fields_flag(object, "exclusive", desc->has_exclusive_sum != 0);
}

void describe_operator(FILE *out, const cumsum_operator_desc *desc) {
    const cumsum_buffer_tensor_desc *tensor = desc->output_tensor->desc;
    char sizes[LAYOUT_TEXT];
    layout_sizes_text(sizes, tensor->dimension_count, tensor->sizes);
    describe_sums(out, tensor->data_type, sizes, desc->axis, desc);
}

void describe_sums(FILE *out, cumsum_data_type type, const char *shape, uint32_t axis,
                   const cumsum_operator_desc *desc) {
    fprintf(out, "%s %s axis %" PRIu32 " %s %s", cumsum_data_type_name(type), shape, axis,
            desc->axis_direction == CUMSUM_AXIS_DIRECTION_DECREASING ? "decreasing" : "increasing",
            desc->has_exclusive_sum ? "exclusive" : "inclusive");
}

void describe_numerics(FILE *out, cumsum_data_type type, const cumsum_numerics *numerics) {
    fprintf(out, "order %s", word_of(order_words, (int)numerics->order));
    if (type == CUMSUM_DATA_TYPE_FLOAT16 && numerics->order != CUMSUM_ORDER_EXACT) {
        fprintf(out, " accumulator %s",
                word_of(half_accumulator_words, (int)numerics->half_accumulator));
        if (numerics->half_accumulator == CUMSUM_HALF_ACCUMULATOR_FLOAT32)
            fprintf(out, " store %s", word_of(half_store_words, (int)numerics->half_store));
    }
    if (type == CUMSUM_DATA_TYPE_FLOAT32 && numerics->denormals != CUMSUM_DENORMALS_PRESERVE)
        fprintf(out, " denormals %s", word_of(denormals_words, (int)numerics->denormals));
}

/* "PASS", "FAIL", "SKIP" or "SUSPECT". */
static const char *result_status_name(result_status status) {
    static const char *const names[] = {"PASS", "FAIL", "SKIP", "SUSPECT"};
    return names[status];
}

static bool is_failure(const report_record *record) {
    return record->status == RESULT_FAIL || record->status == RESULT_SUSPECT;
}

/* On a terminal, or where CLICOLOR_FORCE is set and not 0; never with NO_COLOR. */
static bool wants_color(void) {
    const char *no_color = getenv("NO_COLOR");
    const char *force = getenv("CLICOLOR_FORCE");
    const char *terminal = getenv("TERM");
    if (no_color && *no_color)
        return false;
    return (force && *force && strcmp(force, "0") != 0) ||
           (terminal && strcmp(terminal, "dumb") != 0 && isatty(STDOUT_FILENO));
}

/* What fits a screen or two. */
#define MAX_FAILURES 20

void report_open(report *r, const report_settings *settings) {
    *r = (report){.settings = settings, .color = wants_color(), .most = MAX_FAILURES};
    if (settings->junit)
        r->junit = junit_open(settings->command);
}

static void show_record(const report *r, const report_record *record) {
    static const char *const colors[] = {"\033[32m", "\033[31m", "\033[33m", "\033[31m"};
    progress_clear();
    printf("%s%s%s  ", r->color ? colors[record->status] : "", result_status_name(record->status),
           r->color ? "\033[0m" : "");
    text_show(stdout, "%s", record->file);
    if (record->line)
        printf(":%" PRIu64, record->line);
    text_show(stdout, ": %s", record->name);
    const bool brief = is_failure(record) && report_is_brief(r->settings);
    if (brief && record->headline[0])
        printf("  %s", record->headline);
    printf("  %s\n", record->summary.text);
    if (!brief)
        text_indent(stdout, REPORT_INDENT, record->detail.text);
}

json_object *report_result_object(const report_record *record) {
    json_object *object = report_event(record->event);
    fields_text(object, "file", record->file);
    if (record->line)
        fields_count(object, "line", record->line);
    fields_text(object, "name", record->name);
    fields_text(object, "status", result_status_name(record->status));
    fields_text(object, "message", record->summary.text);
    fields_move(object, json_object_get(record->fields));
    return object;
}

json_object *report_event(const char *event) {
    json_object *object = json_make_object();
    fields_text(object, "event", event);
    return object;
}

void report_json_line_to(FILE *out, json_object *object) {
    fputs(json_print(object), out);
    putc('\n', out);
    json_object_put(object);
}

void report_json_line(json_object *object) {
    report_json_line_to(stdout, object);
}

static void add_entry(const report *r, junit_entry entry) {
    char class[40];
    snprintf(class, sizeof class, "cumsum.%s", r->settings->command);
    entry.class = class;
    junit_add(r->junit, &entry);
}

/* A JUnit case: "12: name" for a line of a file, else the name. Each file is a suite. */
static void add_junit_result(const report *r, const report_record *record) {
    static const junit_kind kinds[] = {JUNIT_PASSED, JUNIT_FAILURE, JUNIT_SKIPPED, JUNIT_FAILURE};
    char *name = record->line ? text_format("%" PRIu64 ": %s", record->line, record->name)
                              : tool_strdup(record->name);
    const junit_entry entry = {.kind = kinds[record->status],
                               .suite = record->file,
                               .name = name,
                               .message =
                                   record->headline[0] ? record->headline : record->summary.text,
                               .detail = record->detail.text};
    add_entry(r, entry);
    free(name);
}

static void add_junit_error(const report *r, const char *file, const char *message) {
    const junit_entry entry = {.kind = JUNIT_ERROR,
                               .suite = file,
                               .name = "reading and running the file",
                               .message = message};
    add_entry(r, entry);
}

bool report_is_brief(const report_settings *settings) {
    return settings->quiet && !settings->verbose;
}

bool report_is_limited(const report *r) {
    return !r->settings->quiet && !r->settings->verbose && r->failures > r->most;
}

bool report_shows_failure(report *r) {
    r->failures++;
    return !report_is_limited(r);
}

void report_count_skip(report *r, const char *reason) {
    if (!*reason)
        return;
    if (name_set_add(&r->skip_reasons, reason)) {
        r->skip_counts =
            tool_grow(r->skip_counts, r->skip_reasons.count - 1, sizeof *r->skip_counts);
        r->skip_counts[r->skip_reasons.count - 1] = 0;
    }
    r->skip_counts[name_set_find(&r->skip_reasons, reason)]++;
}

void report_record_init(report_record *record, const char *event, const char *file,
                        const char *name) {
    *record =
        (report_record){.event = event, .file = file, .name = name, .fields = json_make_object()};
    text_buffer_open(&record->summary);
    text_buffer_open(&record->detail);
}

void report_record_free(report_record *record) {
    free(record->summary.text);
    free(record->detail.text);
    json_object_put(record->fields);
}

bool report_result(report *r, report_record *record, result_status status) {
    uint64_t *counts[] = {&r->passed, &r->failed, &r->skipped, &r->failed};
    record->status = status;
    text_buffer_close(&record->summary);
    text_buffer_close(&record->detail);
    ++*counts[status];
    r->suspect += status == RESULT_SUSPECT;
    if (status == RESULT_SKIP)
        report_count_skip(r, json_find_text(record->fields, "reason"));
    if (r->junit)
        add_junit_result(r, record);
    const bool shown =
        !r->settings->json && (is_failure(record) ? report_shows_failure(r) : !r->settings->quiet);
    if (r->settings->json)
        report_json_line(report_result_object(record));
    else if (shown)
        show_record(r, record);
    return shown;
}

void report_message(const char *format, ...) {
    char text[2048];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    progress_clear();
    fflush(stdout);
    text_show(stderr, "cumsum: %s\n", text);
}

void report_error(report *r, tool_status status, const char *file, const char *message) {
    r->errors++;
    r->malformed = r->malformed || status == TOOL_MALFORMED;
    r->environment = r->environment || status != TOOL_MALFORMED;
    report_message("%s", message);
    if (r->junit)
        add_junit_error(r, file ? file : "cumsum", message);
    if (r->settings->json) {
        json_object *object = report_event("error");
        if (file)
            fields_text(object, "file", file);
        fields_text(object, "status", status == TOOL_MALFORMED ? "malformed" : "environment");
        fields_text(object, "message", message);
        report_json_line(object);
    }
}

/* A malformed file outweighs the environment, and both a mismatch: what was not read was not
 * judged. */
tool_status report_status(const report *r) {
    if (r->malformed)
        return TOOL_MALFORMED;
    if (r->environment)
        return TOOL_ENVIRONMENT;
    if (r->failed)
        return TOOL_MISMATCH;
    return r->passed || r->ran ? TOOL_OK : TOOL_SKIPPED;
}

/* "12 skipped: there is no such device": the reasons that are not on the screen once already. */
static void show_skip_reasons(const report *r) {
    for (size_t i = 0; i < r->skip_reasons.count && !r->settings->quiet; i++) {
        if (r->skip_counts[i] == 1 && !r->skips_hidden)
            continue;
        text_show(stdout, "%" PRIu64 " skipped: %s\n", r->skip_counts[i], r->skip_reasons.names[i]);
    }
}

static json_object *skip_reasons_array(const report *r) {
    json_object *reasons = json_make_array();
    for (size_t i = 0; i < r->skip_reasons.count; i++) {
        json_object *one = json_make_object();
        fields_text(one, "reason", r->skip_reasons.names[i]);
        fields_count(one, "count", r->skip_counts[i]);
        json_put_element(reasons, one);
    }
    return reasons;
}

static void show_last_line(const report *r) {
    const bool nothing = !r->passed && !r->failed && !r->skipped;
    if (!r->settings->json && (r->silent || (nothing && r->errors == 1))) /* it says all */
        return;
    if (!r->settings->json) {
        show_skip_reasons(r);
        printf("%" PRIu64 " passed, %" PRIu64 " failed, %" PRIu64 " skipped", r->passed, r->failed,
               r->skipped);
        if (r->suspect)
            printf("; %" PRIu64 " of these suspect", r->suspect);
        if (r->weak && r->passed > 1)
            printf("; %" PRIu64 " passed weakly", r->weak);
        if (r->errors && nothing)
            printf("; %" PRIu64 " errors, and nothing was done", r->errors);
        if (report_is_limited(r))
            printf("; not shown: %" PRIu64 " (-q shows all)", r->failures - r->most);
        putchar('\n');
        return;
    }
    json_object *object = report_event("summary");
    fields_text(object, "command", r->settings->command);
    fields_count(object, "passed", r->passed);
    fields_count(object, "failed", r->failed);
    if (r->suspect)
        fields_count(object, "suspect", r->suspect);
    fields_count(object, "skipped", r->skipped);
    if (r->skip_reasons.count)
        json_put_member(object, "skipReasons", skip_reasons_array(r));
    fields_count(object, "exit", (uint64_t)tool_exit_status(report_status(r)));
    report_json_line(object);
}

tool_status report_close(report *r) {
    tool_error error;
    progress_clear();
    if (r->junit) {
        tool_status status = junit_close(r->junit, r->settings->junit, &error);
        r->junit = NULL;
        if (status != TOOL_OK)
            report_error(r, status, r->settings->junit, error.message);
    }
    show_last_line(r);
    name_set_free(&r->skip_reasons);
    free(r->skip_counts);
    return report_status(r);
}

tool_status report_close_quietly(report *r) {
    if (r->settings->json)
        show_last_line(r);
    return report_status(r);
}
