/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "html_parts.h"
#include "html_text.h"
#include "results_words.h"

static const char *meaning_of(sweep_state state) {
    static const char *const meanings[SWEEP_STATES] = {
        [SWEEP_PASS] = "the expected output, and no other byte changed",
        [SWEEP_FAIL] = "another output, or a byte that is no element's was written",
        [SWEEP_NOT_SUPPORTED] = "the backend does not compute such sums; not run",
        [SWEEP_CRASH] = "the process or the device was lost",
        [SWEEP_TIMEOUT] = "no answer in time",
        [SWEEP_KNOWN] = "fails as the baseline says",
        [SWEEP_UNEXPECTED] = "something else than the baseline says, an improvement too",
        [SWEEP_WAIVED] = "fails, and somebody has taken note of it"};
    return meanings[state];
}

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
    fputs("<table><tbody>\n", out);
    for (int i = 0; i < SWEEP_STATES; i++) {
        sweep_state state = (sweep_state)i;
        const char *name = sweep_state_name(state);
        if (!tally->states[i])
            continue;
        fprintf(out, "<tr><th><span class=\"swatch %s\"></span>%s</th>", name, name);
        html_count_cell(out, tally->states[i]);
        html_cell(out, meaning_of(state));
        fputs("</tr>\n", out);
    }
    if (tally->flaky) {
        fputs("<tr><th>of these flaky</th>", out);
        html_count_cell(out, tally->flaky);
        html_cell(out, "failed, and passed when tried again");
        fputs("</tr>\n", out);
    }
    fputs("</tbody></table>\n", out);
}

/* What is not complete does not pass. */
static void put_verdict(FILE *out, const sweep_tally *tally, uint64_t cases, bool complete) {
    uint64_t failed = sweep_tally_failed(tally);
    bool ran = sweep_tally_passed(tally) > 0;
    bool passed = ran && complete;
    fprintf(out, "<p class=\"lead\"><span class=\"verdict %s\">%s</span> ",
            failed   ? "fail"
            : passed ? "pass"
                     : "nothing",
            failed   ? "FAIL"
            : passed ? "PASS"
            : ran    ? "NOT COMPLETE"
                     : "NOTHING RAN");
    if (failed) {
        html_count(out, failed);
        fputs(failed == 1 ? " case of " : " cases of ", out);
        html_count(out, cases);
        fputs(failed == 1 ? " fails the sweep.</p>\n" : " fail the sweep.</p>\n", out);
    } else {
        html_count(out, sweep_tally_passed(tally));
        fputs(" of ", out);
        html_count(out, cases);
        fputs(" cases pass, none fails the sweep.</p>\n", out);
    }
}

static void put_missing(FILE *out, json_object *header) {
    json_object *missing = results_member(header, "incomplete", json_type_array);
    if (!missing)
        return;
    fputs("<div class=\"notice\"><p><strong>The results are not complete.</strong></p><ul>\n", out);
    for (size_t i = 0; i < json_object_array_length(missing); i++) {
        fputs("<li>", out);
        html_text(out, results_item(missing, i));
        fputs("</li>\n", out);
    }
    fputs("</ul></div>\n", out);
}

void html_overview(FILE *out, const report_model *model) {
    const sweep_tally *tally = &model->merge->results->tally;
    fputs("<section id=\"result\">\n", out);
    bool complete = !results_member(model->merge->header, "incomplete", json_type_array);
    put_verdict(out, tally, model->count, complete);
    put_missing(out, model->merge->header);
    if (model->count) {
        put_bar(out, tally, model->count);
        put_states(out, tally);
    }
    fputs("</section>\n", out);
}
