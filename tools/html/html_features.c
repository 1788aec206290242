/* SPDX-License-Identifier: MIT */
/* The section with what failing cases have in common, and the smallest of them. */
#include <stdlib.h>

#include "case_features.h"
#include "conjunction.h"
#include "html_sections.h"
#include "html_text.h"
#include "results_words.h"

/* Features below this coefficient are not shown, nor more features or values than this. */
#define COEFFICIENT_MIN 0.03
#define FEATURES_MAX    6
#define VALUES_MAX      10

static void put_shared(FILE *out, const case_feature *features) {
    bool any = false;
    for (int f = 0; f < CASE_FEATURES; f++) {
        const char *text = case_feature_shared(&features[f]);
        if (!text)
            continue;
        fprintf(out, "%s%s ", any ? "; " : "<p>All of them have: ", features[f].title);
        html_element(out, "strong", text);
        any = true;
    }
    fputs(any ? ".</p>\n" : "", out);
}

static void put_feature(FILE *out, const case_feature *feature) {
    fprintf(out,
            "<table><thead><tr><th>%s</th><th class=\"number\">failed</th>"
            "<th class=\"number\">of</th><th colspan=\"2\"></th></tr></thead><tbody>\n",
            feature->title);
    for (size_t i = 0; i < feature->texts.count && i < VALUES_MAX; i++) {
        const case_counts *counts = &feature->values[i].counts;
        fputs("<tr>", out);
        html_element(out, "td", feature->values[i].text);
        html_count_cell(out, counts->failed);
        html_count_cell(out, counts->ran);
        html_share_cells(out, counts->failed, counts->ran);
        fputs("</tr>\n", out);
    }
    fputs("</tbody></table>\n", out);
}

static void put_conjunction(FILE *out, const report_model *model) {
    conjunction common = {0};
    for (size_t i = 0; i < model->count; i++)
        if (model->cases[i].ran)
            conjunction_add(&common, &model->cases[i].spec, model->cases[i].failed);
    char *words = conjunction_words(&common);
    if (words) {
        fputs("<p>", out);
        html_element(out, "strong", words);
        fputs(".</p>\n", out);
    }
    free(words);
}

static void put_smallest(FILE *out, const report_model *model) {
    const model_case *smallest = NULL;
    for (size_t i = 0; i < model->count; i++) {
        const model_case *one = &model->cases[i];
        if (one->shown && (!smallest || one->elements < smallest->elements))
            smallest = one;
    }
    if (!smallest)
        return;
    char *command = results_command(model->merge->header, "minimize", smallest->name);
    fputs("<p>The smallest of them, with ", out);
    html_count(out, smallest->elements);
    fputs(smallest->elements == 1 ? " element, is " : " elements, is ", out);
    html_case_name(out, smallest->name);
    fputs(". This command reduces it to a minimal failing case:</p>\n", out);
    html_element(out, "pre", command);
    putc('\n', out);
    free(command);
}

void html_features(FILE *out, const report_model *model) {
    case_feature features[CASE_FEATURES];
    case_counts all = {0};
    for (size_t i = 0; i < model->count; i++)
        case_counts_add(&all, &model->cases[i]);
    if (!all.failed)
        return;
    fputs("<section id=\"common\"><h2>Common features of the failing cases</h2>\n", out);
    case_features_begin(features, model->cases, model->count);
    put_conjunction(out, model);
    put_shared(out, features);
    put_smallest(out, model);
    fputs("<div class=\"common\">\n", out);
    for (int f = 0; f < FEATURES_MAX && features[f].coefficient > COEFFICIENT_MIN; f++)
        put_feature(out, &features[f]);
    fputs("</div></section>\n", out);
    case_features_end(features);
}
