/* SPDX-License-Identifier: MIT */
/* The page: its head, the overview, the sections in their order, what ran, and the terms. */
#include "html_report.h"

#include <stdlib.h>

#include "file.h"
#include "html_sections.h"
#include "html_text.h"
#include "results_words.h"
#include "text.h"

static void put_head(FILE *out, json_object *header) {
    char *subject = results_subject(header);
    html_begin(out, "cumsum sweep: ", subject);
    free(subject);
}

static void put_link(FILE *out, const char *id, const char *title) {
    fprintf(out, "<a href=\"#%s\">%s</a>\n", id, title);
}

static void put_navigation(FILE *out, const report_model *model) {
    bool shown = false;
    bool failed = false;
    for (size_t i = 0; i < model->count; i++) {
        shown = shown || model->cases[i].shown;
        failed = failed || model->cases[i].failed;
    }
    fputs("<nav>", out);
    if (failed)
        put_link(out, "common", "Common features");
    if (model->count) {
        put_link(out, "types", "Data types");
        put_link(out, "rules", "Rules");
    }
    if (shown)
        put_link(out, "failures", "Failing cases");
    put_link(out, "run", "Runs");
    put_link(out, "words", "Terms");
    fputs("</nav></header>\n", out);
}

/* A sweep that is not complete does not pass. */
static void put_verdict(FILE *out, const sweep_tally *tally, uint64_t cases, bool complete) {
    uint64_t failed = sweep_tally_failed(tally);
    uint64_t passed = sweep_tally_passed(tally);
    const char *class = failed ? "fail" : passed && complete ? "pass" : "nothing";
    const char *verdict = failed               ? "FAIL"
                          : passed && complete ? "PASS"
                          : passed             ? "NOT COMPLETE"
                                               : "NOTHING RAN";
    fprintf(out, "<p class=\"lead\"><span class=\"verdict %s\">%s</span> ", class, verdict);
    html_count(out, failed ? failed : passed);
    fputs(failed == 1 ? " case of " : failed ? " cases of " : " of ", out);
    html_count(out, cases);
    fputs(failed == 1 ? " fails the sweep.</p>\n"
          : failed    ? " fail the sweep.</p>\n"
                      : " cases pass, none fails the sweep.</p>\n",
          out);
}

static void put_missing(FILE *out, json_object *missing) {
    fputs("<div class=\"notice\"><p><strong>The results are not complete.</strong></p><ul>\n", out);
    for (size_t i = 0; i < json_object_array_length(missing); i++) {
        html_element(out, "li", results_item(missing, i));
        putc('\n', out);
    }
    fputs("</ul></div>\n", out);
}

/* One bar, divided in proportion to the number of cases in each state. */
static void put_bar(FILE *out, const sweep_tally *tally, uint64_t cases) {
    double x = 0;
    fputs("<div class=\"states\"><svg viewBox=\"0 0 1000 10\" preserveAspectRatio=\"none\" "
          "role=\"img\" aria-label=\"Cases by state\">",
          out);
    for (int i = 0; i < SWEEP_STATES; i++) {
        double width = 1000.0 * (double)tally->states[i] / (double)cases;
        if (tally->states[i]) {
            fprintf(out, "<rect class=\"%s\" x=\"%.2f\" width=\"%.2f\" height=\"10\"/>",
                    sweep_state_name((sweep_state)i), x, width < 2 ? 2 : width);
        }
        x += width;
    }
    fputs("</svg></div>\n", out);
}

static void put_states(FILE *out, const sweep_tally *tally) {
    static const char *const meanings[SWEEP_STATES] = {
        [SWEEP_PASS] = "the expected output, and no other byte changed",
        [SWEEP_FAIL] = "another output, or a byte outside the elements was written",
        [SWEEP_NOT_SUPPORTED] = "the backend does not support such cases; not run",
        [SWEEP_CRASH] = "the process or the device was lost",
        [SWEEP_TIMEOUT] = "no answer in time",
        [SWEEP_UNSTABLE] = "the same input gave other bits in another run",
        [SWEEP_KNOWN] = "fails as the baseline says",
        [SWEEP_UNEXPECTED] = "differs from what the baseline says, for better or worse",
        [SWEEP_WAIVED] = "fails, and a waiver excuses it"};
    fputs("<table><tbody>\n", out);
    for (int i = 0; i < SWEEP_STATES; i++) {
        const char *name = sweep_state_name((sweep_state)i);
        if (!tally->states[i])
            continue;
        fprintf(out, "<tr><th><span class=\"swatch %s\"></span>%s</th>", name, name);
        html_count_cell(out, tally->states[i]);
        html_element(out, "td", meanings[i]);
        fputs("</tr>\n", out);
    }
    if (tally->flaky) {
        fputs("<tr><th>of these flaky</th>", out);
        html_count_cell(out, tally->flaky);
        fputs("<td>failed, and passed in another attempt</td></tr>\n", out);
    }
    fputs("</tbody></table>\n", out);
}

static void put_overview(FILE *out, const report_model *model) {
    const sweep_tally *tally = &model->merge->results->tally;
    json_object *missing = results_member(model->merge->header, "incomplete", json_type_array);
    fputs("<section id=\"result\">\n", out);
    put_verdict(out, tally, model->count, !missing);
    if (missing)
        put_missing(out, missing);
    if (model->count) {
        put_bar(out, tally, model->count);
        put_states(out, tally);
    }
    fputs("</section>\n", out);
}

static void put_fact(FILE *out, const char *title, const char *value) {
    if (*value) {
        fprintf(out, "<tr><th>%s</th>", title);
        html_element(out, "td", value);
        fputs("</tr>\n", out);
    }
}

static void put_texts(FILE *out, json_object *header, const char *key) {
    json_object *texts = results_member(header, key, json_type_array);
    size_t count = texts ? json_object_array_length(texts) : 0;
    if (!count)
        return;
    fprintf(out, "<tr><th>%s</th><td>", key);
    for (size_t i = 0; i < count; i++) {
        fputs(i ? "<br/>" : "", out);
        html_element(out, "code", results_item(texts, i));
    }
    fputs("</td></tr>\n", out);
}

static void put_run(FILE *out, json_object *run) {
    fputs("<tr>", out);
    html_element(out, "td", results_text(run, "shard"));
    html_count_cell(out, results_number(run, "cases", 0));
    html_element(out, "td", results_text(run, "host"));
    html_element(out, "td", results_text(run, "processor"));
    html_element(out, "td class=\"time\"", results_text(run, "started"));
    fputs("<td>", out);
    html_element(out, "code", results_text(run, "command"));
    fputs("</td></tr>\n", out);
}

static void put_runs(FILE *out, const report_model *model) {
    json_object *header = model->merge->header;
    json_object *runs = results_member(header, "runs", json_type_array);
    fputs("<section id=\"run\"><h2>Runs</h2>\n<table><tbody>\n", out);
    put_fact(out, "device", results_text(header, "adapter"));
    put_fact(out, "driver", results_text(header, "driver"));
    put_fact(out, "backend", results_text(header, "backend"));
    put_fact(out, "kernel", results_text(header, "kernel"));
    put_fact(out, "cumsum", results_text(header, "version"));
    put_texts(out, header, "cases");
    put_texts(out, header, "include");
    put_texts(out, header, "exclude");
    put_fact(out, "accepted", results_text(header, "accept"));
    put_fact(out, "baseline", results_text(header, "baseline"));
    put_fact(out, "waivers", results_text(header, "waivers"));
    put_fact(out, "ended (UTC)", results_text(model->merge->footer, "ended"));
    fputs("</tbody></table>\n", out);
    if (runs) {
        html_table_begin(out, "<th>shard</th><th class=\"number\">cases</th><th>machine</th>"
                              "<th>processor</th><th>started (UTC)</th><th>command line</th>");
        for (size_t i = 0; i < json_object_array_length(runs); i++)
            put_run(out, json_object_array_get_idx(runs, i));
        html_table_end(out);
    }
    fputs("</section>\n", out);
}

static void put_terms(FILE *out) {
    fputs("<section id=\"words\"><h2>Terms</h2>\n"
          "<p>A <em>case</em> is one cumulative summation. Its name gives the data type, numerics, "
          "direction, inclusive or exclusive sum, sizes, axis, the tensors' strides and offsets, "
          "the data and their seed: every machine makes the same bytes from it. A case passes if "
          "every element has the expected bits (any NaN equals any NaN) and no other byte was "
          "written.</p>\n"
          "<p>An <em>ulp</em> is the step from one value of a floating-point type to the next. "
          "Distances between integers are plain differences. If the <em>oracle</em> fails an "
          "output, no order of additions gives it. Of longer sums it passes what lies within a "
          "bound.</p>\n"
          "<p>A <em>heat map</em> shows the two dimensions of the tensor in which the differences "
          "are easiest to see. A chart <em>along the axis</em> shows the dimension that is summed. "
          "Long dimensions are divided into 64 bins.</p></section>\n",
          out);
}

void html_page(FILE *out, const report_model *model) {
    put_head(out, model->merge->header);
    put_navigation(out, model);
    put_overview(out, model);
    html_features(out, model);
    html_breakdown(out, model);
    html_failures(out, model);
    html_others(out, model);
    put_runs(out, model);
    put_terms(out);
    html_end(out);
}

tool_status html_report(const results_merge *merge, const char *path, tool_error *error) {
    text_buffer buffer;
    report_model model;
    report_model_begin(&model, merge);
    report_model_add_rules(&model);
    text_buffer_begin(&buffer);
    html_page(buffer.stream, &model);
    char *text = text_buffer_end(&buffer);
    const file_part part = {text, buffer.length};
    tool_status status = file_write(path, &part, 1, error);
    free(text);
    report_model_free(&model);
    return status;
}
