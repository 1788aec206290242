/* SPDX-License-Identifier: MIT */
/* The page of two sweeps side by side: what ran, the cases by state, and what changed, grouped. */
#include <stdlib.h>
#include <string.h>

#include "case_features.h"
#include "file.h"
#include "html_report.h"
#include "html_text.h"
#include "results_words.h"
#include "text.h"

/* Groups of changes in the page, and cases of a group. */
#define GROUPS_MAX 20
#define ROWS_MAX   20

static void put_verdict(FILE *out, const results_comparison *c) {
    const uint64_t worse = c->counts[CHANGE_WORSE];
    fprintf(out, "<p class=\"lead\"><span class=\"verdict %s\">%s</span> B is worse in ",
            worse      ? "fail"
            : c->count ? "pass"
                       : "nothing",
            worse      ? "WORSE"
            : c->count ? "NOT WORSE"
                       : "NOTHING IN COMMON");
    html_count(out, worse);
    fputs(" of ", out);
    html_count(out, c->count);
    fputs(" cases, better in ", out);
    html_count(out, c->counts[CHANGE_BETTER]);
    fputs(", otherwise changed in ", out);
    html_count(out, c->counts[CHANGE_OTHER]);
    fputs(".</p>\n", out);
    if (c->only_a || c->only_b) {
        fputs("<p>Not compared: ", out);
        html_count(out, c->only_a);
        fputs(" cases that only A has, and ", out);
        html_count(out, c->only_b);
        fputs(" that only B has.</p>\n", out);
    }
}

static void put_row(FILE *out, const char *title, const char *a, const char *b) {
    if (!*a && !*b)
        return;
    fprintf(out, "<tr><th>%s</th>", title);
    html_element(out, "td", a);
    html_element(out, strcmp(a, b) == 0 ? "td class=\"soft\"" : "td", b);
    fputs("</tr>\n", out);
}

static void put_facts(FILE *out, const results_comparison *c) {
    static const char *const keys[] = {"device",  "backend", "kernel", "version", "cases",
                                       "include", "exclude", "accept", "baseline"};
    fputs("<section id=\"run\"><h2>What ran</h2>\n", out);
    html_table_begin(out, "<th></th><th>A</th><th>B</th>");
    put_row(out, "results", c->a->results->files[0].path, c->b->results->files[0].path);
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        put_row(out, keys[i], results_text(c->a->header, keys[i]),
                results_text(c->b->header, keys[i]));
    put_row(out, "ended (UTC)", results_text(c->a->footer, "ended"),
            results_text(c->b->footer, "ended"));
    html_table_end(out);
    fputs("</section>\n", out);
}

static void put_states(FILE *out, const results_comparison *c) {
    fputs("<section id=\"states\"><h2>Cases by state</h2>\n", out);
    html_table_begin(out, "<th></th><th class=\"number\">A</th><th class=\"number\">B</th>");
    for (int i = 0; i < SWEEP_STATES; i++) {
        const char *name = sweep_state_name((sweep_state)i);
        const uint64_t a = c->a->results->tally.states[i];
        const uint64_t b = c->b->results->tally.states[i];
        if (!a && !b)
            continue;
        fprintf(out, "<tr><th><span class=\"swatch %s\"></span>%s</th>", name, name);
        html_count_cell(out, a);
        html_count_cell(out, b);
        fputs("</tr>\n", out);
    }
    html_table_end(out);
    fputs("</section>\n", out);
}

static void put_side(FILE *out, const results_case *result) {
    char *words = results_outcome_words(result);
    html_element(out, "td", words);
    free(words);
}

static void put_cases(FILE *out, const results_comparison *c, uint32_t group) {
    uint64_t rows = 0;
    html_table_begin(out, "<th>case</th><th>A</th><th>B</th>");
    for (size_t i = 0; i < c->count; i++) {
        const case_change *change = &c->cases[i];
        if (change->kind == CHANGE_NONE || change->group != group || ++rows > ROWS_MAX)
            continue;
        fputs("<tr><td>", out);
        html_case_name(out, change->name);
        fputs("</td>", out);
        put_side(out, change->a);
        put_side(out, change->b);
        fputs("</tr>\n", out);
    }
    html_table_end(out);
    html_rows_left_out(out, rows > ROWS_MAX ? rows - ROWS_MAX : 0);
}

static void put_group(FILE *out, const results_comparison *c, uint32_t group, model_case *cases) {
    const change_group *g = &c->groups[group];
    for (size_t i = 0; i < c->count; i++)
        cases[i].failed = c->cases[i].kind != CHANGE_NONE && c->cases[i].group == group;
    char *common = case_features_words(cases, c->count);
    fputs("<h3>", out);
    html_text(out, g->what);
    fputs(" <span class=\"soft\">", out);
    html_count(out, g->count);
    fputs("</span></h3>\n", out);
    if (*common && g->count > 1) {
        fputs("<p>All of them have: ", out);
        html_element(out, "strong", common);
        fputs(".</p>\n", out);
    }
    put_cases(out, c, group);
    free(common);
}

static void put_groups(FILE *out, const results_comparison *c) {
    static const char *const titles[] = {"Worse in B", "Better in B", "Changed"};
    model_case *cases = report_model_changes(c);
    for (uint32_t i = 0; i < c->group_count && i < GROUPS_MAX; i++) {
        const change_kind kind = c->groups[i].kind;
        if (i == 0 || kind != c->groups[i - 1].kind) {
            fprintf(out, "%s<section id=\"%s\"><h2>%s</h2>\n", i ? "</section>\n" : "",
                    change_kind_name(kind), titles[kind]);
        }
        put_group(out, c, i, cases);
    }
    fputs(c->group_count ? "</section>\n" : "", out);
    html_rows_left_out(out, c->group_count > GROUPS_MAX ? c->group_count - GROUPS_MAX : 0);
    free(cases);
}

void html_comparison_page(FILE *out, const results_comparison *c) {
    char *a = results_subject(c->a->header);
    char *b = results_subject(c->b->header);
    text_buffer heading;
    text_buffer_begin(&heading);
    fprintf(heading.stream, "B: %s, beside A: %s", b, a);
    char *text = text_buffer_end(&heading);
    html_begin(out, "cumsum compare: ", text);
    fputs("</header>\n", out);
    put_verdict(out, c);
    put_groups(out, c);
    put_states(out, c);
    put_facts(out, c);
    html_end(out);
    free(text);
    free(a);
    free(b);
}

tool_status html_comparison(const results_comparison *c, const char *path, tool_error *error) {
    text_buffer buffer;
    text_buffer_begin(&buffer);
    html_comparison_page(buffer.stream, c);
    char *text = text_buffer_end(&buffer);
    const file_part part = {text, buffer.length};
    const tool_status status = file_write(path, &part, 1, error);
    free(text);
    return status;
}
