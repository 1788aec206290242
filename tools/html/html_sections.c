/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "failure_features.h"
#include "html_report.h"
#include "html_text.h"
#include "memory.h"
#include "report_model.h"
#include "results_words.h"

static const char *meaning_of(sweep_state state) {
    static const char *const meanings[SWEEP_STATES] = {
        [SWEEP_PASS] = "the expected output, and no other byte changed",
        [SWEEP_FAIL] = "another output, or a byte that is no element's was written",
        [SWEEP_NOT_SUPPORTED] = "the backend does not compute such sums; not run",
        [SWEEP_CRASH] = "the process or the device was lost",
        [SWEEP_TIMEOUT] = "no answer in time",
        [SWEEP_KNOWN] = "fails as the baseline says",
        [SWEEP_UNEXPECTED] = "something else than the baseline says, an improvement too",
        [SWEEP_WAIVED] = "fails, and somebody has taken note of it"};
    return meanings[state];
}

static void put_bar(FILE *out, const sweep_tally *tally, uint64_t cases) {
    double x = 0;
    fputs("<div class=\"states\"><svg viewBox=\"0 0 1000 10\" preserveAspectRatio=\"none\" "
          "role=\"img\" aria-label=\"Cases by state\">",
          out);
    for (int i = 0; i < SWEEP_STATES; i++) {
        double width = 1000.0 * (double)tally->states[i] / (double)cases;
        if (tally->states[i]) {
            fprintf(out, "<rect class=\"%s\" x=\"%.2f\" width=\"%.2f\" height=\"10\"/>",
                    sweep_state_name((sweep_state)i), x, width < 2 ? 2 : width);
        }
        x += width;
    }
    fputs("</svg></div>\n", out);
}

static void put_states(FILE *out, const sweep_tally *tally) {
    fputs("<table><tbody>\n", out);
    for (int i = 0; i < SWEEP_STATES; i++) {
        sweep_state state = (sweep_state)i;
        const char *name = sweep_state_name(state);
        if (!tally->states[i])
            continue;
        fprintf(out, "<tr><th><span class=\"swatch %s\"></span>%s</th>", name, name);
        html_count_cell(out, tally->states[i]);
        html_cell(out, meaning_of(state));
        fputs("</tr>\n", out);
    }
    if (tally->flaky) {
        fputs("<tr><th>of these flaky</th>", out);
        html_count_cell(out, tally->flaky);
        html_cell(out, "failed, and passed when tried again");
        fputs("</tr>\n", out);
    }
    fputs("</tbody></table>\n", out);
}

/* What is not complete does not pass. */
static void put_verdict(FILE *out, const sweep_tally *tally, uint64_t cases, bool complete) {
    uint64_t failed = sweep_tally_failed(tally);
    bool ran = sweep_tally_passed(tally) > 0;
    bool passed = ran && complete;
    fprintf(out, "<p class=\"lead\"><span class=\"verdict %s\">%s</span> ",
            failed   ? "fail"
            : passed ? "pass"
                     : "nothing",
            failed   ? "FAIL"
            : passed ? "PASS"
            : ran    ? "NOT COMPLETE"
                     : "NOTHING RAN");
    if (failed) {
        html_count(out, failed);
        fputs(failed == 1 ? " case of " : " cases of ", out);
        html_count(out, cases);
        fputs(failed == 1 ? " fails the sweep.</p>\n" : " fail the sweep.</p>\n", out);
    } else {
        html_count(out, sweep_tally_passed(tally));
        fputs(" of ", out);
        html_count(out, cases);
        fputs(" cases pass, none fails the sweep.</p>\n", out);
    }
}

static void put_missing(FILE *out, json_object *header) {
    json_object *missing = results_member(header, "incomplete", json_type_array);
    if (!missing)
        return;
    fputs("<div class=\"notice\"><p><strong>The results are not complete.</strong></p><ul>\n", out);
    for (size_t i = 0; i < json_object_array_length(missing); i++) {
        fputs("<li>", out);
        html_text(out, results_item(missing, i));
        fputs("</li>\n", out);
    }
    fputs("</ul></div>\n", out);
}

void html_overview(FILE *out, const report_model *model) {
    const sweep_tally *tally = &model->merge->results->tally;
    fputs("<section id=\"result\">\n", out);
    bool complete = !results_member(model->merge->header, "incomplete", json_type_array);
    put_verdict(out, tally, model->count, complete);
    put_missing(out, model->merge->header);
    if (model->count) {
        put_bar(out, tally, model->count);
        put_states(out, tally);
    }
    fputs("</section>\n", out);
}

/* A column of a state that no case has says nothing. */
static bool is_column(const report_model *model, int state) {
    return model->merge->results->tally.states[state] > 0;
}

static void begin_table(FILE *out, const report_model *model, const char *first) {
    fputs("<div class=\"scroll\"><table><thead><tr><th>", out);
    html_text(out, first);
    fputs("</th>", out);
    for (int i = 0; i < SWEEP_STATES; i++)
        if (is_column(model, i))
            fprintf(out, "<th class=\"number\">%s</th>", sweep_state_name((sweep_state)i));
    fputs("<th colspan=\"2\">failed of those that ran</th></tr></thead><tbody>\n", out);
}

static void end_table(FILE *out) {
    fputs("</tbody></table></div>\n", out);
}

typedef struct breakdown_row {
    uint64_t states[SWEEP_STATES];
    case_counts counts;
    bool shown; /* some are among the failing cases */
} breakdown_row;

static void row_add(breakdown_row *row, const model_case *one) {
    row->states[one->result->state]++;
    case_counts_add(&row->counts, one);
    row->shown = row->shown || one->shown;
}

static void put_breakdown_row(FILE *out, const report_model *model, const breakdown_row *row) {
    for (int i = 0; i < SWEEP_STATES; i++)
        if (is_column(model, i))
            html_count_cell(out, row->states[i]);
    html_bar_cell(out, row->counts.failed, row->counts.ran);
    fputs("</tr>\n", out);
}

/* Types stand together, since cases are in the order of their names. */
static void put_types(FILE *out, const report_model *model) {
    begin_table(out, model, "data type");
    for (size_t i = 0; i < model->count;) {
        breakdown_row row = {.shown = false};
        cumsum_data_type type = model->cases[i].spec.type;
        for (; i < model->count && model->cases[i].spec.type == type; i++)
            row_add(&row, &model->cases[i]);
        fputs("<tr>", out);
        html_cell(out, case_type_word(type));
        put_breakdown_row(out, model, &row);
    }
    end_table(out);
}

static void put_rule_name(FILE *out, const char *rule, bool linked) {
    bool none = strcmp(rule, RULE_NONE) == 0;
    fputs("<tr><td>", out);
    if (linked) {
        fputs("<a href=\"#rule-", out);
        html_text(out, rule);
        fputs("\">", out);
    }
    html_text(out, none ? "in no built-in list" : rule);
    fputs(linked ? "</a></td>" : "</td>", out);
}

/* Those of which a case has failed, or the others. */
static void put_rules(FILE *out, const report_model *model, bool failed) {
    const rule_index *rules = &model->rules;
    for (size_t i = 0; i < rules->count;) {
        breakdown_row row = {.shown = false};
        uint32_t rule = rules->links[i].rule;
        for (; i < rules->count && rules->links[i].rule == rule; i++)
            row_add(&row, report_model_linked(model, i));
        if (failed == (row.counts.failed > 0)) {
            put_rule_name(out, rules->rules.names[rule], row.shown);
            put_breakdown_row(out, model, &row);
        }
    }
}

void html_breakdown(FILE *out, const report_model *model) {
    if (!model->count)
        return;
    fputs("<section id=\"types\"><h2>By data type</h2>\n", out);
    put_types(out, model);
    fputs("</section>\n<section id=\"rules\"><h2>By rule</h2>\n"
          "<p class=\"soft\">A case can test several rules, and is then counted at each of "
          "them.</p>\n",
          out);
    begin_table(out, model, "rule");
    put_rules(out, model, true);
    put_rules(out, model, false);
    end_table(out);
    fputs("</section>\n", out);
}

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

/* Of each kind, as many rows as anybody reads. */
#define ROWS_MOST 200

typedef bool is_wanted(const model_case *one);

static bool is_improved(const model_case *one) {
    return one->result->state == SWEEP_UNEXPECTED && !one->failed;
}

static bool is_flaky(const model_case *one) {
    return one->result->flaky;
}

static bool is_waived(const model_case *one) {
    return one->result->state == SWEEP_WAIVED;
}

static bool is_known(const model_case *one) {
    return one->result->state == SWEEP_KNOWN;
}

/* A link where it is one that a browser should follow. */
static void put_waiver(FILE *out, const char *url) {
    bool link = strncmp(url, "https://", 8) == 0 || strncmp(url, "http://", 7) == 0;
    if (link) {
        fputs("<a href=\"", out);
        html_text(out, url);
        fputs("\">", out);
    }
    html_text(out, url);
    fputs(link ? "</a>" : "", out);
}

static void put_other(FILE *out, const model_case *one) {
    json_object *record = results_record(one->result);
    const char *waiver = results_text(record, "waiver");
    fputs("<tr><td>", out);
    html_case_name(out, one->name);
    fputs("</td>", out);
    html_cell(out, sweep_state_name(one->result->outcome));
    fputs("<td>", out);
    if (*waiver) {
        put_waiver(out, waiver);
    } else {
        char *headline = results_headline(record);
        html_text(out, headline);
        free(headline);
    }
    fputs("</td></tr>\n", out);
    json_object_put(record);
}

static void put_kind(FILE *out, const report_model *model, is_wanted *wanted, const char *id,
                     const char *title, const char *text) {
    uint64_t count = 0;
    for (size_t i = 0; i < model->count; i++) {
        if (!wanted(&model->cases[i]) || ++count > ROWS_MOST)
            continue;
        if (count == 1) {
            fprintf(out, "<section id=\"%s\"><h2>%s</h2>\n<p class=\"soft\">%s</p>\n", id, title,
                    text);
            fputs("<div class=\"scroll\"><table><thead><tr><th>case</th><th>outcome</th><th></th>"
                  "</tr></thead><tbody>\n",
                  out);
        }
        put_other(out, &model->cases[i]);
    }
    fputs(count ? "</tbody></table></div>\n" : "", out);
    if (count > ROWS_MOST) {
        fputs("<p class=\"soft\">And ", out);
        html_count(out, count - ROWS_MOST);
        fputs(" more: they are in the results.</p>\n", out);
    }
    fputs(count ? "</section>\n" : "", out);
}

/* The reasons why cases did not run, each with how many there are. */
typedef struct reasons {
    name_set texts;
    uint64_t *counts;
} reasons;

static void add_reason(reasons *r, const model_case *one) {
    json_object *record = results_record(one->result);
    const char *text = results_text(record, "reason");
    if (name_set_add(&r->texts, text)) {
        r->counts = tool_realloc(r->counts, r->texts.count, sizeof *r->counts);
        r->counts[r->texts.count - 1] = 0;
    }
    r->counts[name_set_find(&r->texts, text)]++;
    json_object_put(record);
}

static void put_unsupported(FILE *out, const report_model *model) {
    reasons r = {.counts = NULL};
    for (size_t i = 0; i < model->count; i++)
        if (model->cases[i].result->state == SWEEP_NOT_SUPPORTED)
            add_reason(&r, &model->cases[i]);
    if (r.texts.count)
        fputs("<section id=\"unsupported\"><h2>Not supported</h2>\n<table><tbody>\n", out);
    for (size_t i = 0; i < r.texts.count && i < ROWS_MOST; i++) {
        fputs("<tr>", out);
        html_count_cell(out, r.counts[i]);
        html_cell(out, r.texts.names[i]);
        fputs("</tr>\n", out);
    }
    fputs(r.texts.count ? "</tbody></table></section>\n" : "", out);
    name_set_free(&r.texts);
    free(r.counts);
}

void html_others(FILE *out, const report_model *model) {
    put_kind(out, model, is_improved, "improved", "Improvements",
             "The baseline has failures that are none any more. Write it anew to keep them so.");
    put_kind(out, model, is_flaky, "flaky", "Flaky",
             "These failed, and passed when they were tried again.");
    put_kind(out, model, is_waived, "waived", "Waived",
             "Failures that somebody has taken note of.");
    put_kind(out, model, is_known, "known", "Known", "Failures as the baseline has them.");
    put_unsupported(out, model);
}

static void put_fact(FILE *out, const char *title, const char *value) {
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
    put_fact(out, "device", results_text(header, "adapter"));
    put_fact(out, "driver", results_text(header, "driver"));
    put_fact(out, "backend", results_text(header, "backend"));
    put_fact(out, "kernel", results_text(header, "kernel"));
    put_fact(out, "cumsum", results_text(header, "version"));
    put_texts(out, "cases", results_member(header, "cases", json_type_array));
    put_texts(out, "include", results_member(header, "include", json_type_array));
    put_texts(out, "exclude", results_member(header, "exclude", json_type_array));
    put_fact(out, "accepted", results_text(header, "accept"));
    put_fact(out, "baseline", results_text(header, "baseline"));
    put_fact(out, "waivers", results_text(header, "waivers"));
    put_fact(out, "ended (UTC)", results_text(model->merge->footer, "ended"));
    fputs("</tbody></table>\n", out);
    if (runs)
        put_runs(out, runs);
    fputs("</section>\n", out);
}
