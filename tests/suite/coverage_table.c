/* SPDX-License-Identifier: MIT */
/*
 * What the conformance suite covers: which statement of docs/numerics.md and docs/validation.md is
 * tested by which rule, which rule by which cases, and which data there are.
 *
 * coverage_table ROOT: prints a page of them, Markdown, from lists/ and the documents.
 * coverage_table ROOT --check: prints the problems alone.
 *
 * Both fail if lists/rules.txt traces a statement to nothing or a rule to no statement, a rule or a
 * distribution has no case, a list names a rule that no statement does, or quick has a name that
 * mustpass does not have.
 */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "case_name.h"
#include "coverage.h"
#include "file.h"
#include "text.h"

void coverage_problem(coverage *c, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    c->problems++;
}

char *coverage_read(const coverage *c, const char *name) {
    char path[1024];
    file_contents contents;
    tool_error error;
    snprintf(path, sizeof path, "%s/%s", c->root, name);
    if (file_read(path, &contents, &error) != TOOL_OK) {
        fprintf(stderr, "%s\n", error.message);
        exit(3);
    }
    return (char *)contents.bytes;
}

enum {
    LONGEST = 100 /* characters of a line of the page */
};

void coverage_print(const coverage *c, const char *first, const char *text) {
    size_t column = strlen(first);
    const char *between = "";
    fputs(first, c->out);
    for (const char *word = text; *word; word += strspn(word, " ")) {
        const size_t length = strcspn(word, " ");
        const bool fits = column + strlen(between) + length <= LONGEST;
        between = fits || !*between ? between : "\n  ";
        column = (*between == '\n' ? 2 : column + strlen(between)) + length;
        fprintf(c->out, "%s%.*s", between, (int)length, word);
        between = " ";
        word += length;
    }
    fputc('\n', c->out);
}

static void show_rule(coverage *c, const char *rule) {
    const rule_row *row = rule_cases_find(&c->cases, rule);
    if (!row) {
        coverage_problem(c, "rule %s: no list has a case for it", rule);
        return;
    }
    size_t descriptors = row->accepted + row->rejected;
    const name_set *quick = &row->cases[RULE_QUICK];
    const name_set *must = &row->cases[RULE_MUSTPASS];
    if (!descriptors && (!quick->count || !must->count))
        coverage_problem(c, "rule %s: no case of quick, or none of mustpass", rule);
    fprintf(c->out, "- %s: quick %zu, mustpass %zu, stress %zu, descriptors %zu + %zu\n", rule,
            quick->count, must->count, row->cases[RULE_STRESS].count, row->accepted, row->rejected);
    if (must->count)
        fprintf(c->out, "  `%s`\n", must->names[must->count / 2]);
}

static void show_rules(coverage *c) {
    fprintf(c->out, "\n## The rules and their cases\n\n"
                    "How many cases of each list test a rule, and one of mustpass. Descriptors are "
                    "those of\nlists/invalid.jsonl: accepted + rejected.\n\n");
    for (size_t i = 0; i < c->traced.count; i++)
        show_rule(c, c->traced.names[i]);
    for (size_t i = 0; i < c->cases.count; i++) {
        if (!name_set_has(&c->traced, c->cases.rows[i].rule)) {
            coverage_problem(c, "rule %s is in a list, and no statement names it",
                             c->cases.rows[i].rule);
        }
    }
}

/* Appends the types that have the distribution. */
static void append_types(text_buffer *to, const distribution *data) {
    static const cumsum_data_type types[] = {CUMSUM_DATA_TYPE_FLOAT32, CUMSUM_DATA_TYPE_FLOAT16,
                                             CUMSUM_DATA_TYPE_INT32,   CUMSUM_DATA_TYPE_UINT32,
                                             CUMSUM_DATA_TYPE_INT64,   CUMSUM_DATA_TYPE_UINT64};
    const char *before = "";
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (distribution_suits(data, types[i])) {
            fprintf(to->stream, "%s%s", before, case_type_word(types[i]));
            before = ", ";
        }
    }
}

/* How many names have the data as their component, which the seed follows. */
static size_t cases_with(const name_set *names, const char *data) {
    char component[64];
    size_t count = 0;
    snprintf(component, sizeof component, ".%s.seed", data);
    for (size_t i = 0; i < names->count; i++)
        count += strstr(names->names[i], component) != NULL;
    return count;
}

static void show_distribution(coverage *c, const distribution *d) {
    const size_t must = cases_with(&c->cases.names[RULE_MUSTPASS], d->name);
    text_buffer buffer;
    text_buffer_open(&buffer);
    fprintf(buffer.stream, "`%s`, for ", d->name);
    append_types(&buffer, d);
    fprintf(buffer.stream, "%s: %s. quick %zu, mustpass %zu", d->draws ? "" : "; seed 0 only",
            d->gives, cases_with(&c->cases.names[RULE_QUICK], d->name), must);
    char *text = text_buffer_close(&buffer);
    coverage_print(c, "- ", text);
    free(text);
    if (!must)
        coverage_problem(c, "no case of mustpass has the data %s", d->name);
}

static void show_data(coverage *c) {
    fputs(
        "\n## The data\n\nThe distributions, their types, what they give, and how many cases have "
        "them.\n\n",
        c->out);
    for (const distribution *d = distribution_list; d->name; d++)
        show_distribution(c, d);
}

static void check_quick(coverage *c) {
    const name_set *quick = &c->cases.names[RULE_QUICK];
    for (size_t i = 0; i < quick->count; i++) {
        if (!name_set_has(&c->cases.names[RULE_MUSTPASS], quick->names[i])) {
            coverage_problem(c, "quick has %s, and mustpass has not", quick->names[i]);
            return;
        }
    }
}

static void print_table(coverage *c) {
    fprintf(c->out,
            "# What the suite covers\n\nquick has %zu cases, mustpass %zu, stress %zu "
            "(docs/suite.md).\n\n## The statements and their rules\n",
            c->cases.names[RULE_QUICK].count, c->cases.names[RULE_MUSTPASS].count,
            c->cases.names[RULE_STRESS].count);
    coverage_trace(c);
    show_rules(c);
    show_data(c);
    check_quick(c);
}

int main(int argc, char **argv) {
    coverage c = {.root = argc > 1 ? argv[1] : "."};
    tool_error error;
    text_buffer buffer;
    if (rule_cases_read(c.root, &c.cases, &error) != TOOL_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 2;
    }
    text_buffer_open(&buffer);
    c.out = buffer.stream;
    print_table(&c);
    char *made = text_buffer_close(&buffer);
    if (argc > 2 && strcmp(argv[2], "--check") == 0)
        printf("%zu rules, %d problems\n", c.traced.count, c.problems);
    else
        fputs(made, stdout);
    free(made);
    rule_cases_free(&c.cases);
    name_set_free(&c.traced);
    return c.problems != 0;
}
