/* SPDX-License-Identifier: MIT */
/* The page of cumsum judge. */
#include "html_judgements.h"

#include <inttypes.h>
#include <stdlib.h>

#include "file.h"
#include "html_text.h"
#include "layout.h"
#include "number.h"
#include "results_words.h"
#include "svg.h"
#include "text.h"

static const char *class_of(result_status status) {
    return status == RESULT_PASS ? "pass" : status == RESULT_FAIL ? "fail" : "nothing";
}

static void put_charts(FILE *out, const cumsum_operator_desc *desc, json_object *profile,
                       json_object *first) {
    const layout tensor = layout_of(desc->output_tensor->desc);
    const char *unit = number_is_float(tensor.type) ? "ulp" : "";
    fputs("<div class=\"charts\">\n", out);
    svg_heat(out, results_member(profile, "heatMap", json_type_object), tensor.rank, tensor.sizes,
             desc->axis, first);
    svg_axis(out, results_member(profile, "alongAxis", json_type_object), tensor.sizes[desc->axis],
             desc->axis_direction == CUMSUM_AXIS_DIRECTION_DECREASING, tensor.count, unit);
    svg_histogram(out, results_member(profile, "ulpHistogram", json_type_object), unit);
    fputs("</div>\n", out);
}

void html_judgement(FILE *out, const report_record *record, const cumsum_operator_desc *desc,
                    const char *legend, const char *outputs, json_object *profile,
                    json_object *first) {
    const char *class = class_of(record->status);
    fprintf(out, "<article class=\"%s\"><h2>", class);
    html_text(out, record->name);
    fprintf(out, "</h2>\n<p class=\"lead\"><span class=\"verdict %s\">%s</span> ", class,
            result_status_name(record->status));
    html_text(out, record->summary);
    fputs("</p>\n", out);
    html_element(out, "p class=\"soft\"", record->file);
    if (*legend)
        html_element(out, "p class=\"soft\"", legend);
    if (record->detail && *record->detail) {
        fputs("<div class=\"scroll\">", out);
        html_element(out, "pre", record->detail);
        fputs("</div>\n", out);
    }
    if (profile) {
        html_element(out, "h3", outputs);
        put_charts(out, desc, profile, first);
    }
    fputs("</article>\n", out);
}

tool_status html_judgements(const report *counts, const char *articles, const char *path,
                            tool_error *error) {
    text_buffer buffer;
    char heading[80];
    snprintf(heading, sizeof heading, "%" PRIu64 " passed, %" PRIu64 " failed, %" PRIu64 " skipped",
             counts->passed, counts->failed, counts->skipped);
    text_buffer_begin(&buffer);
    html_begin(buffer.stream, "cumsum judge: ", heading);
    fputs("</header>\n", buffer.stream);
    fputs(articles, buffer.stream);
    html_end(buffer.stream);
    char *text = text_buffer_end(&buffer);
    const file_part part = {text, buffer.length};
    const tool_status status = file_write(path, &part, 1, error);
    free(text);
    return status;
}
