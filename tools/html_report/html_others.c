/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "html_parts.h"
#include "html_text.h"
#include "memory.h"
#include "results_words.h"

/* Of each kind, as many rows as anybody reads. */
#define ROWS_MOST 200

typedef bool is_wanted(const model_case *one);

static bool is_improved(const model_case *one) {
    return one->result->state == SWEEP_UNEXPECTED && !one->failed;
}

static bool is_flaky(const model_case *one) {
    return one->result->flaky;
}

static bool is_waived(const model_case *one) {
    return one->result->state == SWEEP_WAIVED;
}

static bool is_known(const model_case *one) {
    return one->result->state == SWEEP_KNOWN;
}

/* A link where it is one that a browser should follow. */
static void put_waiver(FILE *out, const char *url) {
    bool link = strncmp(url, "https://", 8) == 0 || strncmp(url, "http://", 7) == 0;
    if (link) {
        fputs("<a href=\"", out);
        html_text(out, url);
        fputs("\">", out);
    }
    html_text(out, url);
    fputs(link ? "</a>" : "", out);
}

static void put_row(FILE *out, const model_case *one) {
    json_object *record = results_record(one->result);
    const char *waiver = results_text(record, "waiver");
    fputs("<tr><td>", out);
    html_case_name(out, one->name);
    fputs("</td>", out);
    html_cell(out, sweep_state_name(one->result->outcome));
    fputs("<td>", out);
    if (*waiver) {
        put_waiver(out, waiver);
    } else {
        char *headline = results_headline(record);
        html_text(out, headline);
        free(headline);
    }
    fputs("</td></tr>\n", out);
    json_object_put(record);
}

static void put_kind(FILE *out, const report_model *model, is_wanted *wanted, const char *id,
                     const char *title, const char *text) {
    uint64_t count = 0;
    for (size_t i = 0; i < model->count; i++) {
        if (!wanted(&model->cases[i]) || ++count > ROWS_MOST)
            continue;
        if (count == 1) {
            fprintf(out, "<section id=\"%s\"><h2>%s</h2>\n<p class=\"soft\">%s</p>\n", id, title,
                    text);
            fputs("<div class=\"scroll\"><table><thead><tr><th>case</th><th>outcome</th><th></th>"
                  "</tr></thead><tbody>\n",
                  out);
        }
        put_row(out, &model->cases[i]);
    }
    fputs(count ? "</tbody></table></div>\n" : "", out);
    if (count > ROWS_MOST) {
        fputs("<p class=\"soft\">And ", out);
        html_count(out, count - ROWS_MOST);
        fputs(" more: they are in the results.</p>\n", out);
    }
    fputs(count ? "</section>\n" : "", out);
}

/* The reasons why cases did not run, each with how many there are. */
typedef struct reasons {
    name_set texts;
    uint64_t *counts;
} reasons;

static void add_reason(reasons *r, const model_case *one) {
    json_object *record = results_record(one->result);
    const char *text = results_text(record, "reason");
    if (name_set_add(&r->texts, text)) {
        r->counts = tool_realloc(r->counts, r->texts.count, sizeof *r->counts);
        r->counts[r->texts.count - 1] = 0;
    }
    r->counts[name_set_find(&r->texts, text)]++;
    json_object_put(record);
}

static void put_unsupported(FILE *out, const report_model *model) {
    reasons r = {.counts = NULL};
    for (size_t i = 0; i < model->count; i++)
        if (model->cases[i].result->state == SWEEP_NOT_SUPPORTED)
            add_reason(&r, &model->cases[i]);
    if (r.texts.count)
        fputs("<section id=\"unsupported\"><h2>Not supported</h2>\n<table><tbody>\n", out);
    for (size_t i = 0; i < r.texts.count && i < ROWS_MOST; i++) {
        fputs("<tr>", out);
        html_count_cell(out, r.counts[i]);
        html_cell(out, r.texts.names[i]);
        fputs("</tr>\n", out);
    }
    fputs(r.texts.count ? "</tbody></table></section>\n" : "", out);
    name_set_free(&r.texts);
    free(r.counts);
}

void html_others(FILE *out, const report_model *model) {
    put_kind(out, model, is_improved, "improved", "Improvements",
             "The baseline has failures that are none any more. Write it anew to keep them so.");
    put_kind(out, model, is_flaky, "flaky", "Flaky",
             "These failed, and passed when they were tried again.");
    put_kind(out, model, is_waived, "waived", "Waived",
             "Failures that somebody has taken note of.");
    put_kind(out, model, is_known, "known", "Known", "Failures as the baseline has them.");
    put_unsupported(out, model);
}
