/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "failure_groups.h"
#include "html_parts.h"
#include "html_text.h"
#include "memory.h"
#include "results_words.h"
#include "rule_statements.h"

/* Of each group so many of the smallest cases are shown in full, so many more in a table; and of
 * all groups together no more than this. The rest is in the results. */
#define FULL_OF_GROUP 3
#define FULL_OF_ALL   48
#define ROWS_OF_GROUP 20

typedef struct failing {
    FILE *out;
    const report_model *model;
    const failure_group *group;
    bool *full; /* of the cases: shown in full already */
    size_t fulls;
    bool *above;    /* in this group */
    size_t shown;   /* so many */
    unsigned types; /* of these data types, a bit each */
} failing;

static void put_row(const failing *f, const model_case *one) {
    json_object *record = results_record(one->result);
    json_object *worst = results_member(record, "worst", json_type_object);
    size_t index = (size_t)(one - f->model->cases);
    char *headline = results_headline(record);
    fputs("<tr>", f->out);
    html_cell(f->out, sweep_state_name(one->result->state));
    fputs("<td>", f->out);
    if (f->full[index])
        fprintf(f->out, "<a href=\"#case-%zu\">", index);
    html_case_name(f->out, one->name);
    fputs(f->full[index] ? "</a></td>" : "</td>", f->out);
    html_cell(f->out, headline);
    html_cell(f->out, results_text(worst, "ulps"));
    fputs("</tr>\n", f->out);
    free(headline);
    json_object_put(record);
}

static void put_rest(const failing *f, size_t count) {
    if (count) {
        fputs("<p class=\"soft\">And ", f->out);
        html_count(f->out, count);
        fputs(" more: they are in the results.</p>\n", f->out);
    }
}

/* Those that are not shown right above. */
static void put_table(const failing *f) {
    size_t rows = 0;
    for (size_t i = 0; i < f->group->count; i++) {
        const model_case *one = f->group->cases[i];
        if (f->above[one - f->model->cases] || ++rows > ROWS_OF_GROUP)
            continue;
        if (rows == 1) {
            fputs("<div class=\"scroll\"><table><thead><tr><th>state</th><th>case</th><th></th>"
                  "<th>worst</th></tr></thead><tbody>\n",
                  f->out);
        }
        put_row(f, one);
    }
    fputs(rows ? "</tbody></table></div>\n" : "", f->out);
    put_rest(f, rows > ROWS_OF_GROUP ? rows - ROWS_OF_GROUP : 0);
}

static void put_rule(FILE *out, const failure_rule *rule) {
    fputs("<span id=\"rule-", out);
    html_text(out, rule->name);
    fputs("\">", out);
    html_text(out, *rule->name ? rule->name : "in no built-in list");
    fputs("</span> <span class=\"soft\">", out);
    html_count(out, rule->counts.failed);
    fputs(" of ", out);
    html_count(out, rule->counts.ran);
    fputs("</span>", out);
}

static void put_title(const failing *f) {
    const failure_group *group = f->group;
    fputs("<h3>", f->out);
    for (size_t i = 0; i < group->rule_count; i++) {
        fputs(i ? ", " : "", f->out);
        put_rule(f->out, &group->rules[i]);
    }
    fputs("</h3>\n", f->out);
    for (size_t i = 0; i < group->rule_count; i++)
        rule_statements(f->out, group->rules[i].name);
}

/* Where it was not yet. */
static void put_full(failing *f, const model_case *one) {
    size_t index = (size_t)(one - f->model->cases);
    if (!f->full[index] && f->fulls < FULL_OF_ALL) {
        html_failure(f->out, f->model, one);
        f->full[index] = f->above[index] = true;
        f->types |= 1U << one->spec.type;
        f->fulls++;
        f->shown++;
    }
}

/* Shows the smallest cases that were not shown yet, up to `most` of the group in all; of a data
 * type that had none, or of all. */
static void put_smallest(failing *f, size_t most, bool of_all) {
    for (size_t i = 0; i < f->group->count && f->shown < most; i++) {
        const model_case *one = f->group->cases[i];
        if (of_all || !(f->types & 1U << one->spec.type))
            put_full(f, one);
    }
}

/* A cause is the easier to see in small cases, and types have causes of their own; the pattern is
 * the easier to see in the largest. */
static void put_group(failing *f) {
    const failure_group *group = f->group;
    f->shown = 0;
    f->types = 0;
    f->above = tool_calloc(f->model->count, sizeof *f->above);
    put_title(f);
    put_smallest(f, FULL_OF_GROUP - 1, false);
    put_full(f, group->cases[group->count - 1]);
    put_smallest(f, FULL_OF_GROUP, true);
    put_table(f);
    free(f->above);
}

void html_failures(FILE *out, const report_model *model) {
    failure_groups groups;
    failure_groups_begin(&groups, model);
    failing f = {.out = out, .model = model, .full = tool_calloc(model->count + 1, sizeof *f.full)};
    if (groups.count) {
        fputs("<section id=\"failures\"><h2>Failing cases</h2>\n"
              "<p class=\"soft\">By the rules that they test, with how many cases of a rule fail. "
              "The smallest, one of each data type first, and the largest are shown in full, each "
              "once.</p>\n",
              out);
    }
    for (size_t i = 0; i < groups.count; i++) {
        f.group = &groups.list[i];
        put_group(&f);
    }
    fputs(groups.count ? "</section>\n" : "", out);
    free(f.full);
    failure_groups_free(&groups);
}
