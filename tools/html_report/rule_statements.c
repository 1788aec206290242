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
    if (!**at)
        return false;
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
        if (word == length && strncmp(at, rule, length) == 0)
            return true;
        at += word + 1;
    }
    return false;
}

/* Without the marks of Markdown; the cells of a table's row one after the other. */
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

/* A statement is told by its first words, or whole where it is short. */
static void put_statement(FILE *out, const text_line *document, const text_line *statement) {
    const char *text = statement->text + 2;
    int length = statement->length - 2;
    bool whole = strchr(".|", text[length - 1]) != NULL;
    fputs("<p class=\"soft\">", out);
    html_format(out, "%.*s: ", document->length, document->text);
    put_plain(out, text, length);
    fputs(whole ? "</p>\n" : " ...</p>\n", out);
}

void rule_statements(FILE *out, const char *rule) {
    text_line line;
    text_line document = {"", 0};
    text_line statement = {"", 0};
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
