/* SPDX-License-Identifier: MIT */
/* cumsum compare: reads the results of a sweep, and reports them, or, of two sweeps, what is worse
 * or better in the second one. */
#include <string.h>

#include "commands.h"
#include "json_tree.h"
#include "page.h"
#include "report.h"
#include "results.h"
#include "text.h"

/* Cases of a group that are shown without --verbose. */
#define CASES_SHOWN 3

tool_status results_open(const tool_options *options, const char *const *paths, size_t count,
                         size_t *used, sweep_results *results, tool_error *error) {
    const tool_status status = sweep_results_read(results, paths, count, used, error);
    const size_t missing = status == TOOL_OK ? json_length(results->incomplete) : 0;
    for (size_t i = 0; i < missing; i++) {
        const char *text = json_item_text(results->incomplete, i);
        if (!options->allow_incomplete)
            return tool_fail(error, TOOL_MALFORMED, "%.400s: %s", results->files[0].path, text);
        report_message("incomplete: %s: %s", results->files[0].path, text);
    }
    return status;
}

tool_status results_reports(report *r, const tool_options *options, const sweep_results *results,
                            tool_error *error) {
    if (r->junit)
        sweep_results_junit(results, r->junit);
    return options->report.html ? page_of_sweep(results, options->report.html, error) : TOOL_OK;
}

/* The report of one sweep. */
static tool_status report_sweep(report *r, const tool_options *options,
                                const sweep_results *results, tool_error *error) {
    results_comparison c;
    sweep_counts_report(&results->counts, r);
    if (r->settings->json) {
        sweep_results_print(results, stdout);
    } else {
        results_compare_init(&c, NULL, results, options->accept);
        results_compare_show(&c, r, CASES_SHOWN);
        results_compare_free(&c);
    }
    return results_reports(r, options, results, error);
}

static tool_status write_page(const results_comparison *c, const char *path, tool_error *error) {
    text_buffer records;
    text_buffer_open(&records);
    results_compare_print(c, records.stream);
    return page_write(path, &records, error);
}

static accept_choice at_least(accept_choice one, accept_choice other) {
    return one > other ? one : other;
}

static tool_status compare_sweeps(report *r, const tool_options *options, const sweep_results *a,
                                  const sweep_results *b, tool_error *error) {
    const accept_choice least = at_least(sweep_results_accept(a), sweep_results_accept(b));
    tool_status status = TOOL_OK;
    results_comparison c;
    results_compare_init(&c, a, b, at_least(least, options->accept));
    r->failed = c.counts[CHANGE_WORSE];
    r->passed = c.count - r->failed;
    r->skipped = c.only_a + c.only_b;
    r->silent = true; /* its first line has the counts */
    if (r->settings->json)
        results_compare_print(&c, stdout);
    else
        results_compare_show(&c, r, CASES_SHOWN);
    if (options->report.html)
        status = write_page(&c, options->report.html, error);
    results_compare_free(&c);
    return status;
}

static tool_status compare_with_rest(report *r, const tool_options *options, const sweep_results *a,
                                     size_t used, tool_error *error) {
    const char *const *rest = (const char *const *)options->files + used;
    sweep_results b = {0};
    if (options->report.junit)
        return tool_fail(error, TOOL_MALFORMED,
                         "option --report FILE.xml needs the files of one sweep");
    tool_status status = results_open(options, rest, options->file_count - used, NULL, &b, error);
    if (status == TOOL_OK)
        status = compare_sweeps(r, options, a, &b, error);
    sweep_results_free(&b);
    return status;
}

tool_status command_compare(const tool_options *options, report *r, tool_error *error) {
    sweep_results a = {0};
    size_t used = 0;
    tool_status status = results_open(options, (const char *const *)options->files,
                                      options->file_count, &used, &a, error);
    if (status == TOOL_OK)
        status = used < options->file_count ? compare_with_rest(r, options, &a, used, error)
                                            : report_sweep(r, options, &a, error);
    sweep_results_free(&a);
    return status;
}
