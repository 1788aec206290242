/* SPDX-License-Identifier: MIT */
/* The statements of the documents and their rules: reads the documents sentence by sentence and
 * holds them against lists/rules.txt, which has the same sentences in the same order. */
#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "coverage.h"
#include "memory.h"
#include "memory_limit.h"
#include "text.h"

static const char *const documents[] = {"docs/numerics.md", "docs/validation.md"};
#define DOCUMENTS (sizeof documents / sizeof documents[0])

/* What a Markdown document says: its sentences and the rows of its tables, without headings and
 * code. A sentence ends with '.' or ':' before a space and a capital letter, '`', '*' or '['. */
typedef struct doc_statements {
    char **texts;
    size_t count;
} doc_statements;

/* A paragraph that is being collected. */
typedef struct reader {
    doc_statements found;
    char *paragraph;
    size_t used;
    bool in_code;
} reader;

static void add(doc_statements *to, const char *text, size_t length) {
    to->texts = tool_realloc(to->texts, to->count + 1, sizeof *to->texts);
    char *copy = tool_malloc(length + 1);
    memcpy(copy, text, length);
    copy[length] = '\0';
    to->texts[to->count++] = copy;
}

/* Does a sentence end at this character? */
static bool ends_here(const char *at) {
    return (at[0] == '.' || at[0] == ':') && at[1] == ' ' &&
           (isupper((unsigned char)at[2]) || (at[2] && strchr("`*[", at[2])));
}

static void end_paragraph(reader *r) {
    const char *start = r->paragraph;
    if (r->used == 0)
        return;
    for (const char *at = start; *at; at++) {
        if (ends_here(at)) {
            add(&r->found, start, (size_t)(at + 1 - start));
            start = at + 2;
        }
    }
    add(&r->found, start, strlen(start));
    r->used = 0;
}

static void append(reader *r, const char *line, size_t length) {
    while (length > 0 && *line == ' ') {
        line++;
        length--;
    }
    r->paragraph = tool_realloc(r->paragraph, r->used + length + 2, 1);
    if (r->used > 0)
        r->paragraph[r->used++] = ' ';
    memcpy(r->paragraph + r->used, line, length);
    r->used += length;
    r->paragraph[r->used] = '\0';
}

/* The length of "- " or "12. " at the start of a line, or 0. */
static size_t marker(const char *line) {
    size_t digits = strspn(line, "0123456789");
    const char *after = line + digits;
    return strncmp(line, "- ", 2) == 0              ? 2
           : digits && strncmp(after, ". ", 2) == 0 ? digits + 2
                                                    : 0;
}

static bool is_rule(const char *line) {
    size_t dashes = strspn(line, "|- ");
    return line[0] == '|' && (line[dashes] == '\n' || line[dashes] == '\0');
}

/* The row above a table's rule is its head, and says nothing. */
static void take_row(reader *r, const char *line, size_t length, const char *next) {
    end_paragraph(r);
    if (!is_rule(line) && !is_rule(next))
        add(&r->found, line, length);
}

static void take_line(reader *r, const char *line, size_t length, const char *next) {
    bool fence = strncmp(line, "```", 3) == 0;
    r->in_code = r->in_code != fence;
    if (r->in_code || fence || length == 0 || *line == '#' || strncmp(line, "    ", 4) == 0) {
        end_paragraph(r);
    } else if (*line == '|') {
        take_row(r, line, length, next);
    } else {
        size_t skip = marker(line);
        if (skip)
            end_paragraph(r);
        append(r, line + skip, length - skip);
    }
}

static doc_statements doc_statements_of(const char *markdown) {
    reader r = {0};
    while (*markdown) {
        size_t length = strcspn(markdown, "\n");
        const char *next = markdown + length + (markdown[length] == '\n');
        take_line(&r, markdown, length, next);
        markdown = next;
    }
    end_paragraph(&r);
    free(r.paragraph);
    return r.found;
}

static void doc_statements_free(doc_statements *statements) {
    for (size_t i = 0; i < statements->count; i++)
        free(statements->texts[i]);
    free(statements->texts);
    *statements = (doc_statements){0};
}

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

/* As much of a statement as fits on a line, in whole words. */
static void show_statement(const coverage *c, const char *text) {
    enum {
        MOST = 94
    };
    char shown[MOST + 5];
    size_t length = strlen(text);
    if (length > MOST)
        for (length = MOST; text[length] != ' ';)
            length--;
    snprintf(shown, sizeof shown, "%.*s%s", (int)length, text, text[length] ? " ..." : "");
    coverage_print(c, "- ", shown);
}

/* "    RULE RULE" or "    - why there is no case" */
static void take_rules(coverage *c, const char *statement, const char *line) {
    char *words = tool_strdup(line);
    char *position = NULL;
    char *word = strtok_r(words, " ", &position);
    show_statement(c, statement);
    if (word && strcmp(word, "-") == 0) {
        text_buffer reason;
        text_buffer_open(&reason);
        fprintf(reason.stream, "*%s*", position);
        char *text = text_buffer_close(&reason);
        coverage_print(c, "  ", text);
        free(text);
        word = NULL;
    } else if (!word || line[0] != ' ') {
        coverage_problem(c, "rules.txt: no rules below '%.60s'", statement);
    }
    for (const char *before = "  "; word; word = strtok_r(NULL, " ", &position), before = ", ") {
        name_set_add(&c->traced, word);
        fprintf(c->out, "%s%s%s", before, word, *position ? "" : "\n");
    }
    free(words);
}

/* One document: its statements and those of rules.txt go side by side. */
static void trace_document(coverage *c, const char *name, char **rules) {
    char *text = coverage_read(c, name);
    doc_statements said = doc_statements_of(text);
    const char *title = next_line(rules);
    if (!title || strcmp(title, name) != 0)
        coverage_problem(c, "rules.txt: '%s' stands where %s should", title ? title : "", name);
    fprintf(c->out, "\n### %s\n\n", name);
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
    memory_free(text);
}

void coverage_trace(coverage *c) {
    char *text = coverage_read(c, "lists/rules.txt");
    char *rules = text;
    for (size_t i = 0; i < DOCUMENTS && !c->problems; i++)
        trace_document(c, documents[i], &rules);
    const char *rest = c->problems ? NULL : next_line(&rules);
    if (rest)
        coverage_problem(c, "lists/rules.txt goes on after the documents end: '%.72s'", rest);
    memory_free(text);
}
