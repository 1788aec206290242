/* SPDX-License-Identifier: MIT */
#include "results_junit.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "results_words.h"
#include "text.h"

static junit_kind kind_of(sweep_state state) {
    static const junit_kind kinds[SWEEP_STATES] = {
        [SWEEP_PASS] = JUNIT_PASSED,           [SWEEP_FAIL] = JUNIT_FAILURE,
        [SWEEP_NOT_SUPPORTED] = JUNIT_SKIPPED, [SWEEP_CRASH] = JUNIT_ERROR,
        [SWEEP_TIMEOUT] = JUNIT_ERROR,         [SWEEP_KNOWN] = JUNIT_SKIPPED,
        [SWEEP_UNEXPECTED] = JUNIT_FAILURE,    [SWEEP_WAIVED] = JUNIT_SKIPPED};
    return kinds[state];
}

/* Members of the first line that are texts. */
static void add_properties(junit_log *log, json_object *header) {
    json_object *runs = results_member(header, "runs", json_type_array);
    json_object *missing = results_member(header, "incomplete", json_type_array);
    json_object_object_foreach(header, key, value) {
        if (json_object_is_type(value, json_type_string) && strcmp(key, "event") != 0)
            junit_add_property(log, key, json_object_get_string(value));
    }
    for (size_t i = 0; runs && i < json_object_array_length(runs); i++) {
        json_object *run = json_object_array_get_idx(runs, i);
        junit_add_property(log, "command", results_text(run, "command"));
        junit_add_property(log, "host", results_text(run, "host"));
        junit_add_property(log, "started", results_text(run, "started"));
    }
    for (size_t i = 0; missing && i < json_object_array_length(missing); i++)
        junit_add_property(log, "incomplete", results_item(missing, i));
}

static void put_difference(FILE *out, json_object *record, const char *key, const char *unit) {
    json_object *difference = results_member(record, key, json_type_object);
    if (difference) {
        fprintf(out, "%s ", key);
        results_difference(out, difference, unit);
        putc('\n', out);
    }
}

static void put_command(FILE *out, const results_merge *merge, const char *command,
                        const char *name) {
    char *line = results_command(merge->header, command, name);
    fprintf(out, "%s\n", line);
    free(line);
}

static char *detail_of(const results_merge *merge, json_object *record, const char *name) {
    const char *verdict = results_text(record, "verdict");
    text_buffer buffer;
    text_buffer_begin(&buffer);
    put_difference(buffer.stream, record, "first", results_unit(name));
    put_difference(buffer.stream, record, "worst", results_unit(name));
    if (*verdict)
        fprintf(buffer.stream, "the oracle: %s\n", verdict);
    put_command(buffer.stream, merge, "sweep", name);
    put_command(buffer.stream, merge, "minimize", name);
    return text_buffer_end(&buffer);
}

/* What is not a plain failure says what it is first. */
static char *message_of(json_object *record, sweep_state state) {
    text_buffer buffer;
    char *headline = results_headline(record);
    text_buffer_begin(&buffer);
    if (state != SWEEP_FAIL || !*headline)
        fprintf(buffer.stream, "%s%s", sweep_state_name(state), *headline ? ": " : "");
    fputs(headline, buffer.stream);
    free(headline);
    return text_buffer_end(&buffer);
}

static void add_case(junit_log *log, const results_merge *merge, const merged_case *one) {
    char suite[40];
    char class[80];
    json_object *record = results_record(one->result);
    sweep_state state = one->result->state;
    bool bad = state != SWEEP_PASS && state != SWEEP_NOT_SUPPORTED;
    char *message = message_of(record, state);
    char *detail = bad ? detail_of(merge, record, one->name) : NULL;
    snprintf(suite, sizeof suite, "%.*s", (int)strcspn(one->name, "."), one->name);
    snprintf(class, sizeof class, "cumsum.sweep.%.*s", (int)strcspn(one->name, "."), one->name);
    const junit_entry entry = {.kind = kind_of(state),
                               .suite = suite,
                               .class = class,
                               .name = one->name,
                               .message = message,
                               .detail = one->result->flaky ? message : detail,
                               .microseconds = results_number(record, "microseconds", 0)};
    junit_add(log, &entry);
    free(message);
    free(detail);
    json_object_put(record);
}

void results_junit(junit_log *log, const results_merge *merge) {
    add_properties(log, merge->header);
    for (size_t i = 0; i < merge->results->names.count; i++)
        add_case(log, merge, &merge->cases[i]);
}
