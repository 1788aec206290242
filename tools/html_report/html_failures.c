/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "html_parts.h"
#include "html_text.h"
#include "memory.h"
#include "results_words.h"
#include "rule_statements.h"

/* Of each rule so many of the smallest cases are shown in full, so many more in a table; and of all
 * rules together no more than this. The rest is in the results. */
#define FULL_OF_RULE 3
#define FULL_OF_ALL  48
#define ROWS_OF_RULE 20

typedef struct failing {
    FILE *out;
    const report_model *model;
    bool *full; /* of the cases: shown in full already */
    size_t fulls;
    const model_case **group;
    size_t count;
} failing;

static int by_size(const void *a, const void *b) {
    const model_case *x = *(const model_case *const *)a;
    const model_case *y = *(const model_case *const *)b;
    return x->elements < y->elements ? -1 : x->elements > y->elements ? 1 : x < y ? -1 : x > y;
}

/* Collects the failing cases of the rule of link `first`. Returns the link behind the rule's. */
static size_t collect(failing *f, size_t first, case_counts *counts) {
    const rule_index *rules = &f->model->rules;
    size_t i = first;
    f->count = 0;
    *counts = (case_counts){0};
    for (; i < rules->count && rules->links[i].rule == rules->links[first].rule; i++) {
        const model_case *one = report_model_linked(f->model, i);
        case_counts_add(counts, one);
        if (one->shown) {
            f->group[f->count++] = one;
        }
    }
    qsort(f->group, f->count, sizeof *f->group, by_size);
    return i;
}

static void put_row(const failing *f, const model_case *one) {
    json_object *record = results_record(one->result);
    json_object *worst = results_member(record, "worst", json_type_object);
    size_t index = (size_t)(one - f->model->cases);
    char *headline = results_headline(record);
    fputs("<tr>", f->out);
    html_cell(f->out, sweep_state_name(one->result->state));
    fputs("<td>", f->out);
    if (f->full[index]) {
        fprintf(f->out, "<a href=\"#case-%zu\">", index);
    }
    html_case_name(f->out, one->name);
    fputs(f->full[index] ? "</a></td>" : "</td>", f->out);
    html_cell(f->out, headline);
    html_cell(f->out, results_text(worst, "ulps"));
    fputs("</tr>\n", f->out);
    free(headline);
    json_object_put(record);
}

static void put_table(const failing *f, size_t first) {
    size_t end = f->count - first > ROWS_OF_RULE ? first + ROWS_OF_RULE : f->count;
    if (first == end) {
        return;
    }
    fputs("<div class=\"scroll\"><table><thead><tr><th>state</th><th>case</th><th></th>"
          "<th>worst</th></tr></thead><tbody>\n",
          f->out);
    for (size_t i = first; i < end; i++) {
        put_row(f, f->group[i]);
    }
    fputs("</tbody></table></div>\n", f->out);
    if (end < f->count) {
        fputs("<p class=\"soft\">And ", f->out);
        html_count(f->out, f->count - end);
        fputs(" more, which the results have.</p>\n", f->out);
    }
}

static void put_title(const failing *f, const char *rule, const case_counts *counts) {
    fputs("<h3 id=\"rule-", f->out);
    html_text(f->out, rule);
    fputs("\">", f->out);
    html_text(f->out, *rule ? rule : "In no built-in list");
    fputs(": ", f->out);
    html_count(f->out, counts->failed);
    fputs(" of ", f->out);
    html_count(f->out, counts->ran);
    fputs(" fail</h3>\n", f->out);
    rule_statements(f->out, rule);
}

/* The smallest cases first: a cause is the easier to see in them. */
static void put_group(failing *f) {
    size_t shown = 0;
    while (shown < f->count && shown < FULL_OF_RULE && f->fulls < FULL_OF_ALL) {
        const model_case *one = f->group[shown];
        if (f->full[one - f->model->cases]) {
            break;
        }
        html_failure(f->out, f->model, one);
        f->full[one - f->model->cases] = true;
        f->fulls++;
        shown++;
    }
    put_table(f, shown);
}

static bool any_shown(const report_model *model) {
    for (size_t i = 0; i < model->count; i++) {
        if (model->cases[i].shown) {
            return true;
        }
    }
    return false;
}

void html_failures(FILE *out, const report_model *model) {
    failing f = {.out = out, .model = model};
    case_counts counts;
    if (!any_shown(model)) {
        return;
    }
    f.full = tool_calloc(model->count, sizeof *f.full);
    f.group = tool_calloc(model->count, sizeof *f.group);
    fputs("<section id=\"failures\"><h2>Failing cases</h2>\n"
          "<p class=\"soft\">By the first rule that they test, the smallest first.</p>\n",
          out);
    for (size_t i = 0; i < model->rules.count;) {
        const char *rule = model->rules.rules.names[model->rules.links[i].rule];
        i = collect(&f, i, &counts);
        if (f.count) {
            put_title(&f, rule, &counts);
            put_group(&f);
        }
    }
    fputs("</section>\n", out);
    free(f.full);
    free(f.group);
}
