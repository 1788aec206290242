/* SPDX-License-Identifier: MIT */
/* Reads data as the results of a sweep: they are read, or refused with a message. Joined results
 * are results again, and the same ones. Beside themselves they are the same; beside others they are
 * better where those are worse, and each line about that is a JSON object. */
#include "fuzz_target.h"
#include "json_value.h"
#include "results.h"
#include "text.h"

/* The joined results as text. */
static char *text_of(const sweep_results *results, size_t *length) {
    text_buffer buffer;
    text_buffer_open(&buffer);
    sweep_results_print(results, buffer.stream);
    char *text = text_buffer_close(&buffer);
    *length = buffer.length;
    return text;
}

static tool_status read_text(sweep_results *results, const void *text, size_t length) {
    const char *path = fuzz_file(text, length);
    tool_error error = {""};
    const tool_status status = sweep_results_read(results, &path, 1, NULL, &error);
    FUZZ_CHECK(status == TOOL_OK || status == TOOL_MALFORMED);
    if (status != TOOL_OK)
        fuzz_check_message(error.message);
    return status;
}

static void check_again(const char *text, size_t length) {
    sweep_results again = {0};
    size_t size;
    FUZZ_CHECK(read_text(&again, text, length) == TOOL_OK);
    char *same = text_of(&again, &size);
    FUZZ_CHECK(size == length && memcmp(same, text, size) == 0);
    free(same);
    sweep_results_free(&again);
}

/* Each line that a page of the comparison gets is a JSON object. */
static void check_changes(const results_comparison *comparison) {
    text_buffer buffer;
    text_buffer_open(&buffer);
    results_compare_print(comparison, buffer.stream);
    char *text = text_buffer_close(&buffer);
    for (const char *at = text, *end; (end = strchr(at, '\n')); at = end + 1) {
        json_object *record = json_read(at, (size_t)(end - at));
        FUZZ_CHECK(json_type_of(record) == json_type_object);
        json_object_put(record);
    }
    free(text);
}

/* A failure is known, or fails the sweep; what passes does so, or is worse than before. */
static void check_against(const sweep_results *before, const sweep_results *other) {
    for (size_t i = 0; i < other->names.count; i++) {
        const results_case *one = &other->cases[i];
        json_object *record = results_record(one);
        const sweep_state state =
            sweep_results_against(before, ACCEPT_BITS, one->name, one->outcome, record);
        FUZZ_CHECK(state == one->outcome ||
                   state == (sweep_state_is_failure(one->outcome) ? SWEEP_KNOWN : SWEEP_WORSE));
        json_object_put(record);
    }
}

/* The other results are of cases that the corpus has. */
static void check_compared(const sweep_results *results) {
    static const char text[] =
        "{\"event\":\"sweep\",\"version\":\"1\",\"backend\":\"cpu\",\"shard\":1,\"shards\":1,"
        "\"selected\":4}\n"
        "{\"event\":\"case\",\"name\":\"float32.sequential.decreasing.exclusive.3x6"
        ".axis1.in-packed.out-packed.normal.seed5\",\"state\":"
        "\"fail\",\"judgement\":{\"class\":\"h<=1\",\"orders\":[{\"order\":\"blocked\"}]}}\n"
        "{\"event\":\"case\",\"name\":\"float16.blocked.increasing.inclusive.3x257"
        ".axis1.in-packed.out-packed.normal.seed5\",\"state\":"
        "\"pass\",\"expectedClass\":\"worst-case\",\"digest\":\"0\"}\n"
        "{\"event\":\"case\",\"name\":\"float32.sequential.increasing.inclusive.5"
        ".axis0.in-packed.out-packed.small-integers.seed1\",\"state\":"
        "\"crash\"}\n"
        "{\"event\":\"case\",\"name\":\"float32.sequential.increasing.inclusive.6"
        ".axis0.in-packed.out-packed.small-integers.seed1\",\"state\":"
        "\"pass\",\"reason\":\"<script>\"}\n";
    sweep_results other = {0};
    results_comparison itself;
    results_comparison forth;
    results_comparison back;
    FUZZ_CHECK(read_text(&other, text, sizeof text - 1) == TOOL_OK);
    check_against(results, &other);
    results_compare_init(&itself, results, results, ACCEPT_BITS);
    results_compare_init(&forth, results, &other, ACCEPT_BITS);
    results_compare_init(&back, &other, results, ACCEPT_BITS);
    FUZZ_CHECK(itself.counts[CHANGE_NONE] == results->names.count);
    FUZZ_CHECK(forth.counts[CHANGE_WORSE] == back.counts[CHANGE_BETTER]);
    FUZZ_CHECK(forth.counts[CHANGE_BETTER] == back.counts[CHANGE_WORSE]);
    FUZZ_CHECK(forth.counts[CHANGE_OTHER] == back.counts[CHANGE_OTHER]);
    FUZZ_CHECK(forth.only_a == back.only_b && forth.only_b == back.only_a);
    check_changes(&forth);
    results_compare_free(&back);
    results_compare_free(&forth);
    results_compare_free(&itself);
    sweep_results_free(&other);
}

int fuzz_results(const uint8_t *data, size_t size) {
    sweep_results results = {0};
    if (read_text(&results, data, size) == TOOL_OK) {
        size_t length;
        char *text = text_of(&results, &length);
        check_again(text, length);
        /* A last line that is cut off is left out. */
        if (size > 0 && data[size - 1] == '\n')
            check_compared(&results);
        free(text);
    }
    sweep_results_free(&results);
    return 0;
}
