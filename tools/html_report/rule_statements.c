/* SPDX-License-Identifier: MIT */
#include "rule_statements.h"

#include <stdbool.h>
#include <string.h>

#include "embedded_text.h"
#include "html_text.h"

/* A line of rules.txt, not terminated. */
typedef struct text_line {
    const char *text;
    int length;
} text_line;

static bool next_line(const char **at, text_line *line) {
    if (!**at) {
        return false;
    }
    line->text = *at;
    line->length = (int)strcspn(*at, "\n");
    *at += line->length + ((*at)[line->length] == '\n');
    return true;
}

/* Is the rule a word of the line? */
static bool has_word(const text_line *line, const char *rule) {
    size_t length = strlen(rule);
    const char *end = line->text + line->length;
    for (const char *at = line->text; at < end;) {
        size_t word = strcspn(at, " \n");
        if (word == length && strncmp(at, rule, length) == 0) {
            return true;
        }
        at += word + 1;
    }
    return false;
}

static void put_statement(FILE *out, const text_line *document, const text_line *statement) {
    fputs("<p class=\"soft\">", out);
    html_format(out, "%.*s: \"%.*s ...\"", document->length, document->text, statement->length - 2,
                statement->text + 2);
    fputs("</p>\n", out);
}

void rule_statements(FILE *out, const char *rule) {
    text_line line;
    text_line document = {"", 0};
    text_line statement = {"", 0};
    for (const char *at = embedded_rules; next_line(&at, &line);) {
        if (line.text[0] == '>') {
            statement = line;
        } else if (line.text[0] == ' ') {
            if (*rule && statement.length > 2 && has_word(&line, rule)) {
                put_statement(out, &document, &statement);
            }
        } else if (line.length && line.text[0] != '#') {
            document = line;
        }
    }
}
