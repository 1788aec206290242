/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "html_parts.h"
#include "html_text.h"
#include "rule_statements.h"

static void begin_table(FILE *out, const char *first) {
    fputs("<div class=\"scroll\"><table><thead><tr><th>", out);
    html_text(out, first);
    fputs("</th>", out);
    for (int i = 0; i < SWEEP_STATES; i++) {
        fputs("<th class=\"number\">", out);
        html_text(out, sweep_state_name((sweep_state)i));
        fputs("</th>", out);
    }
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

static void put_row(FILE *out, const breakdown_row *row) {
    for (int i = 0; i < SWEEP_STATES; i++) {
        html_count_cell(out, row->states[i]);
    }
    html_bar_cell(out, row->counts.failed, row->counts.ran);
    fputs("</tr>\n", out);
}

/* Types stand together, since cases are in the order of their names. */
static void put_types(FILE *out, const report_model *model) {
    begin_table(out, "data type");
    for (size_t i = 0; i < model->count;) {
        breakdown_row row = {.shown = false};
        cumsum_data_type type = model->cases[i].spec.type;
        for (; i < model->count && model->cases[i].spec.type == type; i++) {
            row_add(&row, &model->cases[i]);
        }
        fputs("<tr>", out);
        html_cell(out, case_type_word(type));
        put_row(out, &row);
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

static void put_rules(FILE *out, const report_model *model) {
    const rule_index *rules = &model->rules;
    begin_table(out, "rule");
    for (size_t i = 0; i < rules->count;) {
        breakdown_row row = {.shown = false};
        uint32_t rule = rules->links[i].rule;
        for (; i < rules->count && rules->links[i].rule == rule; i++) {
            row_add(&row, report_model_linked(model, i));
        }
        put_rule_name(out, rules->rules.names[rule], row.shown);
        put_row(out, &row);
    }
    end_table(out);
}

void html_breakdown(FILE *out, const report_model *model) {
    if (!model->count) {
        return;
    }
    fputs("<section id=\"types\"><h2>By data type</h2>\n", out);
    put_types(out, model);
    fputs("</section>\n<section id=\"rules\"><h2>By rule</h2>\n"
          "<p class=\"soft\">A case can test several rules, and is then counted at each of "
          "them.</p>\n",
          out);
    put_rules(out, model);
    fputs("</section>\n", out);
}
