/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "failure_groups.h"
#include "html_report.h"
#include "html_text.h"
#include "memory.h"
#include "report_model.h"
#include "results_words.h"
#include "svg.h"

static void put_coordinates(FILE *out, json_object *coordinates) {
    size_t count = coordinates ? json_object_array_length(coordinates) : 0;
    fputs("<td><code>[", out);
    for (size_t i = 0; i < count; i++) {
        fputs(i ? "," : "", out);
        html_text(out, results_item(coordinates, i));
    }
    fputs("]</code></td>", out);
}

static void put_value(FILE *out, json_object *difference, const char *key, const char *bits) {
    fputs("<td class=\"number\">", out);
    html_text(out, results_text(difference, key));
    fputs(" <code class=\"soft\">", out);
    html_text(out, results_text(difference, bits));
    fputs("</code></td>", out);
}

static void put_difference(FILE *out, json_object *record, const char *key, const char *unit) {
    json_object *difference = results_member(record, key, json_type_object);
    if (!difference)
        return;
    const char *ulps = results_text(difference, "ulps");
    fprintf(out, "<tr><th>%s</th>", key);
    put_coordinates(out, results_member(difference, "coordinates", json_type_array));
    put_value(out, difference, "expected", "expectedHex");
    put_value(out, difference, "actual", "actualHex");
    fputs("<td class=\"number\">", out);
    html_format(out, *ulps ? "%s %s" : "NaN%s%s", ulps, *ulps ? unit : "");
    fputs("</td></tr>\n", out);
}

static void put_differences(FILE *out, json_object *record, const char *unit) {
    if (!results_member(record, "first", json_type_object))
        return;
    fputs("<div class=\"scroll\"><table><thead><tr><th></th><th>element</th>"
          "<th class=\"number\">expected</th><th class=\"number\">actual</th>"
          "<th class=\"number\">apart</th></tr></thead><tbody>\n",
          out);
    put_difference(out, record, "first", unit);
    put_difference(out, record, "worst", unit);
    fputs("</tbody></table></div>\n", out);
}

static void put_charts(FILE *out, const case_spec *spec, uint64_t elements, json_object *record,
                       const char *unit) {
    json_object *first = results_member(record, "first", json_type_object);
    fputs("<div class=\"charts\">\n", out);
    svg_heat(out, results_member(record, "heatMap", json_type_object), spec->rank, spec->sizes,
             spec->axis, results_member(first, "coordinates", json_type_array));
    svg_axis(out, results_member(record, "alongAxis", json_type_object), spec->sizes[spec->axis],
             spec->decreasing, elements, unit);
    svg_histogram(out, results_member(record, "ulpHistogram", json_type_object), unit);
    fputs("</div>\n", out);
}

static void put_command(FILE *out, json_object *header, const char *command, const char *name) {
    char *line = results_command(header, command, name);
    html_text(out, line);
    putc('\n', out);
    free(line);
}

/* A timeout is a failure like any other to minimize; so is what is written beside elements. */
static void put_commands(FILE *out, const report_model *model, const char *name) {
    fputs("<pre>", out);
    put_command(out, model->merge->header, "sweep", name);
    put_command(out, model->merge->header, "minimize", name);
    fputs("</pre>\n", out);
}

static void put_words(FILE *out, json_object *record) {
    const char *verdict = results_text(record, "verdict");
    char *headline = results_headline(record);
    fputs("<p><strong>", out);
    html_text(out, results_text(record, "state"));
    fputs(*headline ? ":</strong> " : "</strong>", out);
    html_text(out, headline);
    fputs("</p>\n", out);
    free(headline);
    if (*verdict) {
        fputs("<p>The oracle: ", out);
        html_text(out, verdict);
        fputs("</p>\n", out);
    }
}

void html_failure(FILE *out, const report_model *model, const model_case *one) {
    json_object *record = results_record(one->result);
    const char *unit = results_unit(one->name);
    fprintf(out, "<article class=\"%s\" id=\"case-%zu\"><h4>", sweep_state_name(one->result->state),
            (size_t)(one - model->cases));
    html_case_name(out, one->name);
    fputs("</h4>\n", out);
    put_words(out, record);
    put_differences(out, record, unit);
    put_charts(out, &one->spec, one->elements, record, unit);
    put_commands(out, model, one->name);
    fputs("</article>\n", out);
    json_object_put(record);
}

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
