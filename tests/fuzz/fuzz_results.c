/* SPDX-License-Identifier: MIT */
/* Reads data as the results of a sweep: they are read, or refused with messages. Merged results are
 * results again, and the same ones. The HTML report of any results contains no markup of theirs. */
#include "fuzz_target.h"
#include "html_sections.h"
#include "text.h"

/* The merged results as text. */
static char *text_of(const results_merge *merge, size_t *length) {
    text_buffer buffer;
    text_buffer_begin(&buffer);
    results_merge_print(merge, buffer.stream);
    char *text = text_buffer_end(&buffer);
    *length = buffer.length;
    return text;
}

static void check_again(const char *text, size_t length) {
    sweep_results again = {0};
    results_merge merge;
    size_t size;
    sweep_results_read_text(&again, "fuzz", text, length);
    sweep_results_check(&again);
    FUZZ_CHECK(!sweep_results_wrong(&again));
    results_merge_begin(&merge, &again);
    char *same = text_of(&merge, &size);
    FUZZ_CHECK(size == length && memcmp(same, text, size) == 0);
    free(same);
    results_merge_end(&merge);
    sweep_results_free(&again);
}

/* All elements of the page are its own: '<' in a text is an entity. */
static void check_page(const results_merge *merge) {
    report_model model;
    text_buffer buffer;
    text_buffer_begin(&buffer);
    report_model_begin(&model, merge);
    html_page(buffer.stream, &model);
    for (size_t i = 0; i < model.count; i++)
        html_case(buffer.stream, &model, &model.cases[i]);
    report_model_free(&model);
    char *page = text_buffer_end(&buffer);
    FUZZ_CHECK(!strstr(page, "<script") && !strstr(page, "<img"));
    free(page);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    sweep_results results = {0};
    results_merge merge;
    sweep_results_read_text(&results, "fuzz", (const char *)data, size);
    sweep_results_check(&results);
    for (size_t i = 0; i < results.problem_count; i++)
        fuzz_check_message(results.problems[i].message);
    if (!sweep_results_wrong(&results)) {
        size_t length;
        results_merge_begin(&merge, &results);
        char *text = text_of(&merge, &length);
        check_again(text, length);
        /* A last line that is cut off is left out: the page is that of the lines before it. */
        if (size > 0 && data[size - 1] == '\n')
            check_page(&merge);
        free(text);
        results_merge_end(&merge);
    }
    sweep_results_free(&results);
    return 0;
}
