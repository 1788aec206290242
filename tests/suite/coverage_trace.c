/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "coverage.h"
#include "doc_statements.h"
#include "memory.h"
#include "memory_limit.h"

static const char *const documents[] = {"docs/numerics.md", "docs/validation.md"};
#define DOCUMENTS (sizeof documents / sizeof documents[0])

/* Cuts the next line that is neither empty nor a comment; NULL after the last. */
static char *next_line(char **at) {
    while (**at) {
        char *line = *at;
        size_t length = strcspn(line, "\n");
        *at += length + (line[length] == '\n');
        line[length] = '\0';
        if (length > 0 && line[0] != '#')
            return line;
    }
    return NULL;
}

static void show_statement(FILE *out, const char *text) {
    size_t shown = strlen(text) < 90 ? strlen(text) : 90;
    while (shown < strlen(text) && text[shown] != ' ')
        shown++;
    for (size_t i = 0; i < shown; i++)
        fputs(text[i] == '|' ? "\\|" : (char[2]){text[i], '\0'}, out);
    fputs(text[shown] ? " ..." : "", out);
}

/* "    RULE RULE" or "    - why there is no case" */
static void take_rules(coverage *c, const char *statement, const char *line) {
    char *words = tool_strdup(line);
    char *position = NULL;
    char *word = strtok_r(words, " ", &position);
    fputs("| ", c->out);
    show_statement(c->out, statement);
    fputs(" | ", c->out);
    if (word && strcmp(word, "-") == 0) {
        fprintf(c->out, "*%s*", position);
        word = NULL;
    } else if (!word || line[0] != ' ') {
        coverage_problem(c, "rules.txt: no rules below '%.60s'", statement);
    }
    for (const char *before = ""; word; word = strtok_r(NULL, " ", &position), before = ", ") {
        name_set_add(&c->traced, word);
        fprintf(c->out, "%s%s", before, word);
    }
    fputs(" |\n", c->out);
    free(words);
}

/* One document: its statements and those of rules.txt go side by side. */
static void trace_document(coverage *c, const char *name, char **rules) {
    char *text = coverage_read(c, name);
    doc_statements said = doc_statements_of(text);
    const char *title = next_line(rules);
    if (!title || strcmp(title, name) != 0)
        coverage_problem(c, "rules.txt: '%s' stands where %s should", title ? title : "", name);
    fprintf(c->out, "\n### [%s](%s)\n\n| statement | rules |\n|---|---|\n", name,
            name + strlen("docs/"));
    for (size_t i = 0; i < said.count; i++) {
        const char *line = next_line(rules);
        if (!line || strncmp(line, "> ", 2) != 0 ||
            strncmp(said.texts[i], line + 2, strlen(line + 2)) != 0) {
            coverage_problem(
                c,
                "%s says '%.70s', and lists/rules.txt has '%.72s' in its place: name the "
                "rules that test it, or why there is no case",
                name, said.texts[i], line ? line : "nothing");
            break;
        }
        line = next_line(rules);
        take_rules(c, said.texts[i], line ? line : "");
    }
    doc_statements_free(&said);
    memory_release(text);
}

void coverage_trace(coverage *c) {
    char *text = coverage_read(c, "lists/rules.txt");
    char *rules = text;
    for (size_t i = 0; i < DOCUMENTS && !c->problems; i++)
        trace_document(c, documents[i], &rules);
    const char *rest = c->problems ? NULL : next_line(&rules);
    if (rest)
        coverage_problem(c, "lists/rules.txt goes on after the documents end: '%.72s'", rest);
    memory_release(text);
}
