/* SPDX-License-Identifier: MIT */
/*
 * The tables of the page: cases by state for each data type and each rule; and lists of the cases
 * that are neither passing nor among the failing ones: improved, flaky, waived, known, unsupported.
 */
#include <stdlib.h>
#include <string.h>

#include "html_sections.h"
#include "html_text.h"
#include "memory.h"
#include "results_words.h"

/* Rows of a list of cases. */
#define ROWS_MAX 200

/* A row of the breakdown. */
typedef struct breakdown {
    uint64_t states[SWEEP_STATES];
    case_counts counts;
    bool shown; /* some are among the failing cases */
} breakdown;

static void count_case(breakdown *row, const model_case *one) {
    row->states[one->result->state]++;
    case_counts_add(&row->counts, one);
    row->shown = row->shown || one->shown;
}

/* A state that no case is in has no column. */
static bool has_column(const report_model *model, int state) {
    return model->merge->results->tally.states[state] > 0;
}

static void begin_breakdown(FILE *out, const report_model *model, const char *first) {
    char heads[1024];
    int used = snprintf(heads, sizeof heads, "<th>%s</th>", first);
    for (int i = 0; i < SWEEP_STATES; i++) {
        if (has_column(model, i)) {
            used += snprintf(heads + used, sizeof heads - (size_t)used,
                             "<th class=\"number\">%s</th>", sweep_state_name((sweep_state)i));
        }
    }
    snprintf(heads + used, sizeof heads - (size_t)used,
             "<th colspan=\"2\">failed of those that ran</th>");
    html_table_begin(out, heads);
}

/* The cells after the first. */
static void end_row(FILE *out, const report_model *model, const breakdown *row) {
    for (int i = 0; i < SWEEP_STATES; i++)
        if (has_column(model, i))
            html_count_cell(out, row->states[i]);
    html_share_cells(out, row->counts.failed, row->counts.ran);
    fputs("</tr>\n", out);
}

/* Cases of a type are consecutive, since cases are in the order of their names. */
static void put_types(FILE *out, const report_model *model) {
    begin_breakdown(out, model, "data type");
    for (size_t i = 0; i < model->count;) {
        breakdown row = {.shown = false};
        cumsum_data_type type = model->cases[i].spec.type;
        for (; i < model->count && model->cases[i].spec.type == type; i++)
            count_case(&row, &model->cases[i]);
        fputs("<tr>", out);
        html_element(out, "td", case_type_word(type));
        end_row(out, model, &row);
    }
    html_table_end(out);
}

static void put_rule_name(FILE *out, const char *rule, bool linked) {
    fputs("<tr><td>", out);
    if (linked) {
        fputs("<a href=\"#rule-", out);
        html_text(out, rule);
        fputs("\">", out);
    }
    html_text(out, strcmp(rule, RULE_NONE) == 0 ? "in no built-in list" : rule);
    fputs(linked ? "</a></td>" : "</td>", out);
}

/* The rules with a failed case, or those without. */
static void put_rules(FILE *out, const report_model *model, bool failed) {
    for (size_t r = 0; r < model->rule_count; r++) {
        const model_rule *rule = &model->rules[r];
        breakdown row = {.shown = false};
        for (size_t i = 0; i < rule->count; i++)
            count_case(&row, rule->cases[i]);
        if (failed == (row.counts.failed > 0)) {
            put_rule_name(out, rule->name, row.shown);
            end_row(out, model, &row);
        }
    }
}

void html_breakdown(FILE *out, const report_model *model) {
    if (!model->count)
        return;
    fputs("<section id=\"types\"><h2>Results by data type</h2>\n", out);
    put_types(out, model);
    fputs("</section>\n<section id=\"rules\"><h2>Results by rule</h2>\n"
          "<p class=\"soft\">A case that tests several rules is counted for each of them.</p>\n",
          out);
    begin_breakdown(out, model, "rule");
    put_rules(out, model, true);
    put_rules(out, model, false);
    html_table_end(out);
    fputs("</section>\n", out);
}

/* A waiver is a link only if a browser may follow it. */
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

static void put_case_row(FILE *out, const model_case *one) {
    json_object *record = results_record(one->result);
    const char *waiver = results_text(record, "waiver");
    fputs("<tr><td>", out);
    html_case_name(out, one->name);
    fputs("</td>", out);
    html_element(out, "td", sweep_state_name(one->result->outcome));
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

/* A section with a list of cases. */
typedef struct case_section {
    bool (*wanted)(const model_case *one);
    const char *id;
    const char *title;
    const char *text;
} case_section;

static const case_section case_sections[] = {
    {is_improved, "improved", "Improvements",
     "The baseline lists failures that do not occur. Write it again to record that they are gone."},
    {is_flaky, "flaky", "Flaky", "These cases failed, and passed in another attempt."},
    {is_waived, "waived", "Waived", "Failures that the list of waivers excuses."},
    {is_known, "known", "Known", "Failures that the baseline lists."}};

static void put_case_section(FILE *out, const report_model *model, const case_section *section) {
    uint64_t count = 0;
    for (size_t i = 0; i < model->count; i++) {
        if (!section->wanted(&model->cases[i]) || ++count > ROWS_MAX)
            continue;
        if (count == 1) {
            fprintf(out, "<section id=\"%s\"><h2>%s</h2>\n<p class=\"soft\">%s</p>\n", section->id,
                    section->title, section->text);
            html_table_begin(out, "<th>case</th><th>outcome</th><th></th>");
        }
        put_case_row(out, &model->cases[i]);
    }
    if (count) {
        html_table_end(out);
        html_rows_left_out(out, count > ROWS_MAX ? count - ROWS_MAX : 0);
        fputs("</section>\n", out);
    }
}

/* The reasons why cases did not run, with the number of cases for each. */
typedef struct reasons {
    name_set texts;
    uint64_t *counts;
} reasons;

static void count_reason(reasons *r, const model_case *one) {
    json_object *record = results_record(one->result);
    const char *text = results_text(record, "reason");
    if (name_set_add(&r->texts, text)) {
        r->counts = tool_grow(r->counts, r->texts.count - 1, sizeof *r->counts);
        r->counts[r->texts.count - 1] = 0;
    }
    r->counts[name_set_find(&r->texts, text)]++;
    json_object_put(record);
}

static void put_unsupported(FILE *out, const report_model *model) {
    reasons r = {.counts = NULL};
    for (size_t i = 0; i < model->count; i++)
        if (model->cases[i].result->state == SWEEP_NOT_SUPPORTED)
            count_reason(&r, &model->cases[i]);
    if (r.texts.count)
        fputs("<section id=\"unsupported\"><h2>Not supported</h2>\n<table><tbody>\n", out);
    for (size_t i = 0; i < r.texts.count && i < ROWS_MAX; i++) {
        fputs("<tr>", out);
        html_count_cell(out, r.counts[i]);
        html_element(out, "td", r.texts.names[i]);
        fputs("</tr>\n", out);
    }
    fputs(r.texts.count ? "</tbody></table></section>\n" : "", out);
    name_set_free(&r.texts);
    free(r.counts);
}

void html_others(FILE *out, const report_model *model) {
    for (size_t i = 0; i < sizeof case_sections / sizeof case_sections[0]; i++)
        put_case_section(out, model, &case_sections[i]);
    put_unsupported(out, model);
}
