/* SPDX-License-Identifier: MIT */
#include "html_text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

static const char *entity_of(char letter) {
    switch (letter) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

static void put_letter(FILE *out, char letter) {
    const char *entity = entity_of(letter);
    if (entity)
        fputs(entity, out);
    else
        putc(letter, out);
}

void html_text(FILE *out, const char *text) {
    char *clean = text_utf8(text, 1);
    for (const char *c = clean; *c; c++)
        put_letter(out, *c);
    free(clean);
}

void html_format(FILE *out, const char *format, ...) {
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    html_text(out, text);
}

/* A name is ASCII: it was parsed. */
void html_case_name(FILE *out, const char *name) {
    fputs("<code class=\"name\">", out);
    for (; *name; name++) {
        put_letter(out, *name);
        if (*name == '.' || *name == 'x')
            fputs("<wbr/>", out);
    }
    fputs("</code>", out);
}

void html_count(FILE *out, uint64_t count) {
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%" PRIu64, count);
    for (int i = 0; i < length; i++) {
        if (i && (length - i) % 3 == 0)
            putc(',', out);
        putc(digits[i], out);
    }
}

void html_cell(FILE *out, const char *text) {
    fputs("<td>", out);
    html_text(out, text);
    fputs("</td>", out);
}

/* A column of noughts hides the one number that is none. */
void html_count_cell(FILE *out, uint64_t count) {
    fputs(count ? "<td class=\"number\">" : "<td class=\"number zero\">", out);
    html_count(out, count);
    fputs("</td>", out);
}

void html_bar_cell(FILE *out, uint64_t part, uint64_t whole) {
    if (!whole) {
        fputs("<td class=\"bar\"></td><td class=\"number zero\">none ran</td>", out);
        return;
    }
    double share = 100.0 * (double)part / (double)whole;
    double shown = part && share < 1 ? 1 : share;
    fprintf(
        out,
        "<td class=\"bar\"><svg viewBox=\"0 0 100 8\" preserveAspectRatio=\"none\" role=\"img\" "
        "aria-label=\"%.1f %%\"><rect class=\"track\" width=\"100\" height=\"8\"/>"
        "<rect class=\"bad\" width=\"%.1f\" height=\"8\"/></svg></td>"
        "<td class=\"number\">%.*f %%</td>",
        share, shown, share > 0 && share < 10 ? 1 : 0, share);
}
