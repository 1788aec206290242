/* SPDX-License-Identifier: MIT */
/*
 * The failing cases, grouped by the rules that they test. Rules with the same failing cases share a
 * group. A group begins with what the documents say about its rules (lists/rules.txt), shows a few
 * cases in full, and lists others in a table. Each case is shown in full at most once in the page.
 */
#include <stdlib.h>
#include <string.h>

#include "html_sections.h"
#include "html_text.h"
#include "memory.h"
#include "results_words.h"

/* Cases in full in a group, and in the page; rows of a group's table. */
#define FULL_OF_GROUP 3
#define FULL_OF_PAGE  48
#define ROWS_OF_GROUP 20

typedef struct failure_group {
    const model_rule **rules;
    size_t rule_count;
    const model_case **cases; /* failing ones, the smallest first */
    size_t count;
} failure_group;

typedef struct failure_groups {
    failure_group *list;
    size_t count;
} failure_groups;

/* Cases of equal size stay in the order of the model. */
static int by_size(const void *a, const void *b) {
    const model_case *x = *(const model_case *const *)a;
    const model_case *y = *(const model_case *const *)b;
    return x->elements < y->elements ? -1 : x->elements > y->elements ? 1 : x < y ? -1 : x > y;
}

static void add_rule(failure_group *group, const model_rule *rule) {
    group->rules = tool_grow(group->rules, group->rule_count, sizeof(const model_rule *));
    group->rules[group->rule_count++] = rule;
}

static void free_group(failure_group *group) {
    free(group->rules);
    free(group->cases);
}

/* Adds a rule to the group that has the same failing cases, or in a group of its own. */
static void group_rule(failure_groups *groups, const model_rule *rule) {
    failure_group made = {.cases = tool_calloc(rule->count, sizeof(const model_case *))};
    failure_group *group = groups->list;
    for (size_t i = 0; i < rule->count; i++)
        if (rule->cases[i]->shown)
            made.cases[made.count++] = rule->cases[i];
    qsort(made.cases, made.count, sizeof(const model_case *), by_size);
    for (; group < groups->list + groups->count; group++)
        if (group->count == made.count &&
            memcmp(group->cases, made.cases, made.count * sizeof(const model_case *)) == 0)
            break;
    if (made.count && group == groups->list + groups->count) {
        groups->list = tool_grow(groups->list, groups->count, sizeof *groups->list);
        group = &groups->list[groups->count++];
        *group = made;
        made.cases = NULL;
    }
    if (made.count)
        add_rule(group, rule);
    free_group(&made);
}

/* A line of rules.txt, not terminated. */
typedef struct rules_line {
    const char *text;
    int length;
} rules_line;

static bool next_line(const char **at, rules_line *line) {
    if (!**at)
        return false;
    line->text = *at;
    line->length = (int)strcspn(*at, "\n");
    *at += line->length + ((*at)[line->length] == '\n');
    return true;
}

/* Is the rule a word of the line? */
static bool has_word(const rules_line *line, const char *rule) {
    size_t length = strlen(rule);
    const char *end = line->text + line->length;
    for (const char *at = line->text; at < end;) {
        size_t word = strcspn(at, " \n");
        if (word == length && strncmp(at, rule, length) == 0)
            return true;
        at += word + 1;
    }
    return false;
}

/* Without Markdown's marks; a dot in the middle of the line separates the cells of a table. */
static void put_plain(FILE *out, const char *text, int length) {
    for (int i = 0; i < length; i++) {
        const char letter[2] = {text[i], '\0'};
        bool row = text[0] == '|';
        if (text[i] == '|' && row)
            fputs(i > 0 && i < length - 1 ? "\xc2\xb7" : "", out);
        else if (text[i] != '`' && text[i] != '*')
            html_text(out, letter);
    }
}

/* rules.txt quotes a statement by its first words, or whole if it is short. */
static void put_statement(FILE *out, const rules_line *document, const rules_line *statement) {
    const char *text = statement->text + 2;
    int length = statement->length - 2;
    bool whole = strchr(".|", text[length - 1]) != NULL;
    fputs("<p class=\"soft\">", out);
    html_format(out, "%.*s: ", document->length, document->text);
    put_plain(out, text, length);
    fputs(whole ? "</p>\n" : " ...</p>\n", out);
}

/* The statements of the documents that a rule tests. In rules.txt a line is the name of a document,
 * "> " and a statement, or " " and the rules that test the statement above. */
static void put_statements(FILE *out, const char *rule) {
    rules_line line;
    rules_line document = {"", 0};
    rules_line statement = {"", 0};
    for (const char *at = embedded_rules; next_line(&at, &line);) {
        if (line.text[0] == '>') {
            statement = line;
        } else if (line.text[0] == ' ') {
            if (*rule && statement.length > 2 && has_word(&line, rule))
                put_statement(out, &document, &statement);
        } else if (line.length && line.text[0] != '#') {
            document = line;
        }
    }
}

static void put_rule(FILE *out, const model_rule *rule) {
    case_counts counts = {0};
    for (size_t i = 0; i < rule->count; i++)
        case_counts_add(&counts, rule->cases[i]);
    fputs("<span id=\"rule-", out);
    html_text(out, rule->name);
    fputs("\">", out);
    html_text(out, *rule->name ? rule->name : "in no built-in list");
    fputs("</span> <span class=\"soft\">", out);
    html_count(out, counts.failed);
    fputs(" of ", out);
    html_count(out, counts.ran);
    fputs("</span>", out);
}

/* The page so far, and the group that is being written. */
typedef struct failure_page {
    FILE *out;
    const report_model *model;
    bool *in_full; /* by case: shown in full somewhere above */
    size_t full_count;
    const failure_group *group;
    bool *in_group;     /* by case: shown in full in this group */
    size_t group_count; /* how many of those */
    unsigned types;     /* bit mask of their data types */
} failure_page;

static void put_title(const failure_page *p) {
    const failure_group *group = p->group;
    fputs("<h3>", p->out);
    for (size_t i = 0; i < group->rule_count; i++) {
        fputs(i ? ", " : "", p->out);
        put_rule(p->out, group->rules[i]);
    }
    fputs("</h3>\n", p->out);
    for (size_t i = 0; i < group->rule_count; i++)
        put_statements(p->out, group->rules[i]->name);
}

static void put_in_full(failure_page *p, const model_case *one) {
    size_t index = (size_t)(one - p->model->cases);
    if (!p->in_full[index] && p->full_count < FULL_OF_PAGE) {
        html_case(p->out, p->model, one);
        p->in_full[index] = p->in_group[index] = true;
        p->types |= 1U << one->spec.type;
        p->full_count++;
        p->group_count++;
    }
}

/* Shows the smallest cases in full until the group has `most`; of all data types, or of those that
 * have no case in full yet. */
static void put_smallest(failure_page *p, size_t most, bool all_types) {
    for (size_t i = 0; i < p->group->count && p->group_count < most; i++) {
        const model_case *one = p->group->cases[i];
        if (all_types || !(p->types & 1U << one->spec.type))
            put_in_full(p, one);
    }
}

static void put_row(const failure_page *p, const model_case *one) {
    json_object *record = results_record(one->result);
    json_object *worst = results_member(record, "worst", json_type_object);
    size_t index = (size_t)(one - p->model->cases);
    char *headline = results_headline(record);
    fputs("<tr>", p->out);
    html_element(p->out, "td", sweep_state_name(one->result->state));
    fputs("<td>", p->out);
    if (p->in_full[index])
        fprintf(p->out, "<a href=\"#case-%zu\">", index);
    html_case_name(p->out, one->name);
    fputs(p->in_full[index] ? "</a></td>" : "</td>", p->out);
    html_element(p->out, "td", headline);
    html_element(p->out, "td", results_text(worst, "ulps"));
    fputs("</tr>\n", p->out);
    free(headline);
    json_object_put(record);
}

/* The cases that are not in full right above. */
static void put_table(const failure_page *p) {
    size_t rows = 0;
    for (size_t i = 0; i < p->group->count; i++) {
        const model_case *one = p->group->cases[i];
        if (p->in_group[one - p->model->cases] || ++rows > ROWS_OF_GROUP)
            continue;
        if (rows == 1)
            html_table_begin(p->out, "<th>state</th><th>case</th><th></th><th>worst</th>");
        put_row(p, one);
    }
    if (rows)
        html_table_end(p->out);
    html_rows_left_out(p->out, rows > ROWS_OF_GROUP ? rows - ROWS_OF_GROUP : 0);
}

/* Small cases show a cause best, and data types have causes of their own; the largest case shows
 * the pattern best. */
static void put_group(failure_page *p, const failure_group *group) {
    p->group = group;
    p->group_count = 0;
    p->types = 0;
    p->in_group = tool_calloc(p->model->count, sizeof *p->in_group);
    put_title(p);
    put_smallest(p, FULL_OF_GROUP - 1, false);
    put_in_full(p, group->cases[group->count - 1]);
    put_smallest(p, FULL_OF_GROUP, true);
    put_table(p);
    free(p->in_group);
}

void html_failures(FILE *out, const report_model *model) {
    failure_groups groups = {0};
    failure_page page = {
        .out = out, .model = model, .in_full = tool_calloc(model->count + 1, sizeof(bool))};
    for (size_t r = 0; r < model->rule_count; r++)
        group_rule(&groups, &model->rules[r]);
    if (groups.count) {
        fputs("<section id=\"failures\"><h2>Failing cases</h2>\n"
              "<p class=\"soft\">Grouped by the rules that they test, with the number of a rule's "
              "cases that fail. A group shows some of the smallest cases in full, one of each data "
              "type first, and the largest. Each case is shown in full once.</p>\n",
              out);
    }
    for (size_t i = 0; i < groups.count; i++) {
        put_group(&page, &groups.list[i]);
        free_group(&groups.list[i]);
    }
    fputs(groups.count ? "</section>\n" : "", out);
    free(page.in_full);
    free(groups.list);
}
