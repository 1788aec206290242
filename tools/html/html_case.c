/* SPDX-License-Identifier: MIT */
/* One failing case in full: what differs, the first and the worst element, charts, and the commands
 * that run it again and reduce it. */
#include <stdlib.h>

#include "html_sections.h"
#include "html_text.h"
#include "results_words.h"
#include "svg.h"

static void put_value(FILE *out, json_object *difference, const char *key, const char *bits) {
    fputs("<td class=\"number\">", out);
    html_text(out, results_text(difference, key));
    putc(' ', out);
    html_element(out, "code class=\"soft\"", results_text(difference, bits));
    fputs("</td>", out);
}

static void put_difference(FILE *out, json_object *record, const char *key, const char *unit) {
    json_object *difference = results_member(record, key, json_type_object);
    if (!difference)
        return;
    json_object *coordinates = results_member(difference, "coordinates", json_type_array);
    size_t count = coordinates ? json_object_array_length(coordinates) : 0;
    const char *ulps = results_text(difference, "ulps");
    fprintf(out, "<tr><th>%s</th><td><code>[", key);
    for (size_t i = 0; i < count; i++) {
        fputs(i ? "," : "", out);
        html_text(out, results_item(coordinates, i));
    }
    fputs("]</code></td>", out);
    put_value(out, difference, "expected", "expectedHex");
    put_value(out, difference, "actual", "actualHex");
    fputs("<td class=\"number\">", out);
    html_format(out, *ulps ? "%s %s" : "NaN%s%s", ulps, *ulps ? unit : "");
    fputs("</td></tr>\n", out);
}

static void put_differences(FILE *out, json_object *record, const char *unit) {
    if (!results_member(record, "first", json_type_object))
        return;
    html_table_begin(out, "<th></th><th>element</th><th class=\"number\">expected</th>"
                          "<th class=\"number\">actual</th><th class=\"number\">distance</th>");
    put_difference(out, record, "first", unit);
    put_difference(out, record, "worst", unit);
    html_table_end(out);
}

static void put_charts(FILE *out, const model_case *one, json_object *record, const char *unit) {
    const case_spec *spec = &one->spec;
    json_object *first = results_member(record, "first", json_type_object);
    fputs("<div class=\"charts\">\n", out);
    svg_heat(out, results_member(record, "heatMap", json_type_object), spec->rank, spec->sizes,
             spec->axis, results_member(first, "coordinates", json_type_array));
    svg_axis(out, results_member(record, "alongAxis", json_type_object), spec->sizes[spec->axis],
             spec->decreasing, one->elements, unit);
    svg_histogram(out, results_member(record, "ulpHistogram", json_type_object), unit);
    fputs("</div>\n", out);
}

/* minimize runs a case once, so that it cannot see that one is unstable. */
static void put_commands(FILE *out, const report_model *model, json_object *record,
                         const char *name) {
    static const char *const commands[] = {"sweep", "minimize"};
    const int count = results_member(record, "unstable", json_type_object) ? 1 : 2;
    fputs("<pre>", out);
    for (int i = 0; i < count; i++) {
        char *line = results_command(model->merge->header, commands[i], name);
        html_text(out, line);
        putc('\n', out);
        free(line);
    }
    fputs("</pre>\n", out);
}

static void put_outcome(FILE *out, json_object *record) {
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
    char *outputs = results_outputs(record);
    if (*outputs)
        html_element(out, "pre", outputs);
    free(outputs);
}

void html_case(FILE *out, const report_model *model, const model_case *one) {
    json_object *record = results_record(one->result);
    const char *unit = results_unit(one->name);
    fprintf(out, "<article class=\"%s\" id=\"case-%zu\"><h4>", sweep_state_name(one->result->state),
            (size_t)(one - model->cases));
    html_case_name(out, one->name);
    fputs("</h4>\n", out);
    put_outcome(out, record);
    put_differences(out, record, unit);
    put_charts(out, one, record, unit);
    put_commands(out, model, record, one->name);
    fputs("</article>\n", out);
    json_object_put(record);
}
