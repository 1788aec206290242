/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "html_parts.h"
#include "html_text.h"
#include "rule_statements.h"

/* A column of a state that no case has says nothing. */
static bool is_column(const report_model *model, int state) {
    return model->merge->results->tally.states[state] > 0;
}

static void begin_table(FILE *out, const report_model *model, const char *first) {
    fputs("<div class=\"scroll\"><table><thead><tr><th>", out);
    html_text(out, first);
    fputs("</th>", out);
    for (int i = 0; i < SWEEP_STATES; i++)
        if (is_column(model, i))
            fprintf(out, "<th class=\"number\">%s</th>", sweep_state_name((sweep_state)i));
    fputs("<th colspan=\"2\">failed of those that ran</th></tr></thead><tbody>\n", out);
}

static void end_table(FILE *out) {
    fputs("</tbody></table></div>\n", out);
}

typedef struct breakdown_row {
    uint64_t states[SWEEP_STATES];
    case_counts counts;
    bool shown; /* some are among the failing cases */
} breakdown_row;

static void row_add(breakdown_row *row, const model_case *one) {
    row->states[one->result->state]++;
    case_counts_add(&row->counts, one);
    row->shown = row->shown || one->shown;
}

static void put_row(FILE *out, const report_model *model, const breakdown_row *row) {
    for (int i = 0; i < SWEEP_STATES; i++)
        if (is_column(model, i))
            html_count_cell(out, row->states[i]);
    html_bar_cell(out, row->counts.failed, row->counts.ran);
    fputs("</tr>\n", out);
}

/* Types stand together, since cases are in the order of their names. */
static void put_types(FILE *out, const report_model *model) {
    begin_table(out, model, "data type");
    for (size_t i = 0; i < model->count;) {
        breakdown_row row = {.shown = false};
        cumsum_data_type type = model->cases[i].spec.type;
        for (; i < model->count && model->cases[i].spec.type == type; i++)
            row_add(&row, &model->cases[i]);
        fputs("<tr>", out);
        html_cell(out, case_type_word(type));
        put_row(out, model, &row);
    }
    end_table(out);
}

static void put_rule_name(FILE *out, const char *rule, bool linked) {
    bool none = strcmp(rule, RULE_NONE) == 0;
    fputs("<tr><td>", out);
    if (linked) {
        fputs("<a href=\"#rule-", out);
        html_text(out, rule);
        fputs("\">", out);
    }
    html_text(out, none ? "in no built-in list" : rule);
    fputs(linked ? "</a></td>" : "</td>", out);
}

/* Those of which a case has failed, or the others. */
static void put_rules(FILE *out, const report_model *model, bool failed) {
    const rule_index *rules = &model->rules;
    for (size_t i = 0; i < rules->count;) {
        breakdown_row row = {.shown = false};
        uint32_t rule = rules->links[i].rule;
        for (; i < rules->count && rules->links[i].rule == rule; i++)
            row_add(&row, report_model_linked(model, i));
        if (failed == (row.counts.failed > 0)) {
            put_rule_name(out, rules->rules.names[rule], row.shown);
            put_row(out, model, &row);
        }
    }
}

void html_breakdown(FILE *out, const report_model *model) {
    if (!model->count)
        return;
    fputs("<section id=\"types\"><h2>By data type</h2>\n", out);
    put_types(out, model);
    fputs("</section>\n<section id=\"rules\"><h2>By rule</h2>\n"
          "<p class=\"soft\">A case can test several rules, and is then counted at each of "
          "them.</p>\n",
          out);
    begin_table(out, model, "rule");
    put_rules(out, model, true);
    put_rules(out, model, false);
    end_table(out);
    fputs("</section>\n", out);
}
