/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "html_parts.h"
#include "html_text.h"
#include "results_words.h"

static void put_row(FILE *out, const char *title, const char *value) {
    if (*value) {
        fputs("<tr><th>", out);
        html_text(out, title);
        fputs("</th>", out);
        html_cell(out, value);
        fputs("</tr>\n", out);
    }
}

static void put_texts(FILE *out, const char *title, json_object *texts) {
    size_t count = texts ? json_object_array_length(texts) : 0;
    if (!count)
        return;
    fputs("<tr><th>", out);
    html_text(out, title);
    fputs("</th><td>", out);
    for (size_t i = 0; i < count; i++) {
        fputs(i ? "<br/><code>" : "<code>", out);
        html_text(out, results_item(texts, i));
        fputs("</code>", out);
    }
    fputs("</td></tr>\n", out);
}

static void put_run(FILE *out, json_object *run) {
    fputs("<tr>", out);
    html_cell(out, results_text(run, "shard"));
    html_count_cell(out, results_number(run, "cases", 0));
    html_cell(out, results_text(run, "host"));
    html_cell(out, results_text(run, "processor"));
    fputs("<td class=\"time\">", out);
    html_text(out, results_text(run, "started"));
    fputs("</td><td><code>", out);
    html_text(out, results_text(run, "command"));
    fputs("</code></td></tr>\n", out);
}

static void put_runs(FILE *out, json_object *runs) {
    fputs(
        "<div class=\"scroll\"><table><thead><tr><th>shard</th><th class=\"number\">cases</th>"
        "<th>machine</th><th>processor</th><th>started (UTC)</th><th>command line</th></tr></thead>"
        "<tbody>\n",
        out);
    for (size_t i = 0; i < json_object_array_length(runs); i++)
        put_run(out, json_object_array_get_idx(runs, i));
    fputs("</tbody></table></div>\n", out);
}

void html_runs(FILE *out, const report_model *model) {
    json_object *header = model->merge->header;
    json_object *runs = results_member(header, "runs", json_type_array);
    fputs("<section id=\"run\"><h2>What ran</h2>\n<table><tbody>\n", out);
    put_row(out, "device", results_text(header, "adapter"));
    put_row(out, "driver", results_text(header, "driver"));
    put_row(out, "backend", results_text(header, "backend"));
    put_row(out, "kernel", results_text(header, "kernel"));
    put_row(out, "cumsum", results_text(header, "version"));
    put_texts(out, "cases", results_member(header, "cases", json_type_array));
    put_texts(out, "include", results_member(header, "include", json_type_array));
    put_texts(out, "exclude", results_member(header, "exclude", json_type_array));
    put_row(out, "accepted", results_text(header, "accept"));
    put_row(out, "baseline", results_text(header, "baseline"));
    put_row(out, "waivers", results_text(header, "waivers"));
    put_row(out, "ended (UTC)", results_text(model->merge->footer, "ended"));
    fputs("</tbody></table>\n", out);
    if (runs)
        put_runs(out, runs);
    fputs("</section>\n", out);
}
