/* SPDX-License-Identifier: MIT */
#include "html_report.h"

#include <stdlib.h>

#include "file.h"
#include "html_text.h"
#include "results_words.h"
#include "text.h"

static void put_subject(FILE *out, json_object *header) {
    const char *device = results_text(header, "device");
    html_text(out, *device ? device : results_text(header, "backend"));
    if (!*device)
        html_format(out, ", kernel %s", results_text(header, "kernel"));
}

static void put_head(FILE *out, json_object *header) {
    fputs("<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n"
          "<meta charset=\"utf-8\"/>\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>",
          out);
    fputs("cumsum sweep: ", out);
    put_subject(out, header);
    fputs("</title>\n<style>\n", out);
    fputs(embedded_style, out);
    fputs("</style>\n</head>\n<body>\n<header><h1>", out);
    put_subject(out, header);
    fputs("</h1>\n", out);
}

static void put_link(FILE *out, const char *id, const char *title) {
    fprintf(out, "<a href=\"#%s\">%s</a>\n", id, title);
}

static void put_navigation(FILE *out, const report_model *model) {
    bool failing = false;
    bool failed = false;
    for (size_t i = 0; i < model->count; i++) {
        failing = failing || model->cases[i].shown;
        failed = failed || model->cases[i].failed;
    }
    fputs("<nav>", out);
    if (failed)
        put_link(out, "common", "In common");
    if (model->count) {
        put_link(out, "types", "By data type");
        put_link(out, "rules", "By rule");
    }
    if (failing)
        put_link(out, "failures", "Failing cases");
    put_link(out, "run", "What ran");
    put_link(out, "words", "What the words mean");
    fputs("</nav></header>\n", out);
}

static void put_words(FILE *out) {
    fputs(
        "<section id=\"words\"><h2>What the words mean</h2>\n"
        "<p>A case is a cumulative summation whose name says all there is to know of it: data "
        "type, "
        "numerics, direction, sum, sizes, axis, the tensors' strides and offsets, data, seed. From "
        "the name the same bytes are made on every machine. It passes where every element has the "
        "expected bits (a NaN equals a NaN) and no other byte was written.</p>\n"
        "<p>An <em>ulp</em> is a step from one value of the type to the next; distances of "
        "integers "
        "are plain differences. The <em>oracle</em> says whether any order of additions could have "
        "given the output: what it fails, no order gives.</p>\n"
        "<p>A <em>heat map</em> shows the tensor along the two dimensions that tell most, a chart "
        "<em>along the axis</em> the dimension that is summed along; long dimensions are in 64 "
        "bins.</p></section>\n",
        out);
}

static void put_page(FILE *out, const report_model *model) {
    put_head(out, model->merge->header);
    put_navigation(out, model);
    html_overview(out, model);
    html_features(out, model);
    html_breakdown(out, model);
    html_failures(out, model);
    html_others(out, model);
    html_runs(out, model);
    put_words(out);
    fputs("</body>\n</html>\n", out);
}

tool_status html_report(const results_merge *merge, const char *path, tool_error *error) {
    text_buffer buffer;
    report_model model;
    report_model_begin(&model, merge);
    report_model_add_rules(&model);
    text_buffer_begin(&buffer);
    put_page(buffer.stream, &model);
    char *text = text_buffer_end(&buffer);
    const file_part part = {text, buffer.length};
    tool_status status = file_write(path, &part, 1, error);
    free(text);
    report_model_free(&model);
    return status;
}
