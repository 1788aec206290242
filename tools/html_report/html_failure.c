/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "html_parts.h"
#include "html_text.h"
#include "results_words.h"
#include "svg_plot.h"

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
