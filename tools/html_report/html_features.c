/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "case_features.h"
#include "html_parts.h"
#include "html_text.h"
#include "results_words.h"

/* Features that say less are not shown, nor more of them, nor more of their values. */
#define TELLING_LEAST 0.03
#define FEATURES_MOST 6
#define VALUES_MOST   10

static void put_value(FILE *out, const feature_value *value) {
    fputs("<tr>", out);
    html_cell(out, value->text);
    html_count_cell(out, value->counts.failed);
    html_count_cell(out, value->counts.ran);
    html_bar_cell(out, value->counts.failed, value->counts.ran);
    fputs("</tr>\n", out);
}

static void put_feature(FILE *out, const case_feature *feature) {
    fputs("<table><thead><tr><th>", out);
    html_text(out, feature->title);
    fputs("</th><th class=\"number\">failed</th><th class=\"number\">of</th><th colspan=\"2\"></th>"
          "</tr></thead><tbody>\n",
          out);
    for (size_t i = 0; i < feature->texts.count && i < VALUES_MOST; i++)
        put_value(out, &feature->values[i]);
    fputs("</tbody></table>\n", out);
}

static void put_shared(FILE *out, const case_feature *features) {
    bool any = false;
    for (int f = 0; f < CASE_FEATURES; f++) {
        const feature_value *value = case_feature_shared(&features[f]);
        if (!value)
            continue;
        fputs(any ? "; " : "<p>All of them have: ", out);
        html_format(out, "%s ", features[f].title);
        fputs("<strong>", out);
        html_text(out, value->text);
        fputs("</strong>", out);
        any = true;
    }
    fputs(any ? ".</p>\n" : "", out);
}

static const model_case *smallest(const report_model *model) {
    const model_case *found = NULL;
    for (size_t i = 0; i < model->count; i++) {
        const model_case *one = &model->cases[i];
        if (one->shown && (!found || one->elements < found->elements))
            found = one;
    }
    return found;
}

static void put_smallest(FILE *out, const report_model *model) {
    const model_case *one = smallest(model);
    if (!one)
        return;
    char *command = results_command(model->merge->header, "minimize", one->name);
    fputs("<p>The smallest of them, with ", out);
    html_count(out, one->elements);
    fputs(one->elements == 1 ? " element, is " : " elements, is ", out);
    html_case_name(out, one->name);
    fputs(". This makes it as small as it can be while it fails:</p>\n<pre>", out);
    html_text(out, command);
    fputs("</pre>\n", out);
    free(command);
}

void html_features(FILE *out, const report_model *model) {
    case_feature features[CASE_FEATURES];
    case_counts all = {0};
    for (size_t i = 0; i < model->count; i++)
        case_counts_add(&all, &model->cases[i]);
    if (!all.failed)
        return;
    fputs("<section id=\"common\"><h2>What failing cases have in common</h2>\n", out);
    case_features_of(features, model);
    put_shared(out, features);
    put_smallest(out, model);
    fputs("<div class=\"common\">\n", out);
    for (int f = 0; f < FEATURES_MOST && features[f].telling > TELLING_LEAST; f++)
        put_feature(out, &features[f]);
    fputs("</div></section>\n", out);
    case_features_free(features);
}
