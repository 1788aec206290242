/* SPDX-License-Identifier: MIT */
/* Results in words: members of records, and one-line summaries. */
#include "results_words.h"

#include <stdlib.h>
#include <string.h>

#include "json_print.h"
#include "json_value.h"
#include "text.h"

json_object *results_record(const results_case *one) {
    return json_read(one->text, one->length);
}

/* What happened, where the state is not that, and what the baseline has instead. */
static void put_outcome(FILE *out, json_object *record) {
    const char *outcome = json_find_text(record, "outcome");
    const char *expected = json_find_text(record, "expected");
    if (*outcome)
        fprintf(out, "; %s", outcome);
    if (*outcome && *expected && strcmp(outcome, expected) != 0)
        fprintf(out, ", where the baseline has %s", expected);
}

static void put_list(FILE *out, const char *title, json_object *texts, const char *separator) {
    for (size_t i = 0; texts && i < json_object_array_length(texts); i++)
        fprintf(out, "%s%s", i ? separator : title, json_item_text(texts, i));
}

static void put_words(FILE *out, json_object *record, bool counted) {
    const char *differing = json_find_text(record, "differing");
    const char *reason = json_find_text(record, "reason");
    const char *waiver = json_find_text(record, "waiver");
    put_outcome(out, record);
    if (counted && *differing && strcmp(differing, "0") != 0 &&
        !json_find(record, "unstable", json_type_object))
        fprintf(out, "; %s of %s elements differ", differing, json_find_text(record, "outputs"));
    put_list(out, json_object_object_get_ex(record, "flaky", NULL) ? "; flaky: " : "; ",
             json_find(record, "attempts", json_type_array), ", then ");
    put_list(out, "; adapted: ", json_find(record, "adapted", json_type_array), ", ");
    if (*reason)
        fprintf(out, "; %s", reason);
    if (*waiver)
        fprintf(out, "; %s", waiver);
}

/* Each phrase begins with a separator; the first separator is removed. */
char *results_headline(json_object *record, bool counted) {
    text_buffer buffer;
    text_buffer_open(&buffer);
    put_words(buffer.stream, record, counted);
    char *text = text_buffer_close(&buffer);
    size_t separator = *text ? 2 : 0;
    memmove(text, text + separator, strlen(text + separator) + 1);
    return text;
}

/* The reason of an accepted output has the verdict already. */
char *results_outcome_words(const results_case *one) {
    json_object *record = results_record(one);
    const char *verdict = json_find_text(record, "verdict");
    char *headline = results_headline(record, true);
    text_buffer buffer;
    text_buffer_open(&buffer);
    fputs(sweep_state_name(one->state), buffer.stream);
    if (*headline)
        fprintf(buffer.stream, ": %s", headline);
    if (*verdict && one->outcome != SWEEP_PASS)
        fprintf(buffer.stream, "%s %s", *headline ? ";" : ":", verdict);
    free(headline);
    json_object_put(record);
    return text_buffer_close(&buffer);
}

char *results_subject(json_object *header) {
    const char *device = json_find_text(header, "device");
    text_buffer buffer;
    text_buffer_open(&buffer);
    fputs(*device ? device : json_find_text(header, "backend"), buffer.stream);
    if (!*device)
        fprintf(buffer.stream, ", kernel %s", json_find_text(header, "kernel"));
    return text_buffer_close(&buffer);
}
