/* SPDX-License-Identifier: MIT */
/* Escaping, and the elements and cells that the sections share. */
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

void html_element(FILE *out, const char *tag, const char *text) {
    fprintf(out, "<%s>", tag);
    html_text(out, text);
    fprintf(out, "</%.*s>", (int)strcspn(tag, " "), tag);
}

/* The name of a case is ASCII: the parser accepts nothing else. */
void html_case_name(FILE *out, const char *name) {
    fputs("<code class=\"name\">", out);
    for (; *name; name++) {
        put_letter(out, *name);
        if (*name == '.' || *name == 'x')
            fputs("<wbr/>", out);
    }
    fputs("</code>", out);
}

void html_begin(FILE *out, const char *title, const char *heading) {
    fputs("<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n"
          "<meta charset=\"utf-8\"/>\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>",
          out);
    html_text(out, title);
    html_text(out, heading);
    fprintf(out, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<header>", embedded_style);
    html_element(out, "h1", heading);
    putc('\n', out);
}

void html_end(FILE *out) {
    fputs("</body>\n</html>\n", out);
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

void html_table_begin(FILE *out, const char *heads) {
    fprintf(out, "<div class=\"scroll\"><table><thead><tr>%s</tr></thead><tbody>\n", heads);
}

void html_table_end(FILE *out) {
    fputs("</tbody></table></div>\n", out);
}

/* Zeros are printed pale, so that the other numbers of a column stand out. */
void html_count_cell(FILE *out, uint64_t count) {
    fputs(count ? "<td class=\"number\">" : "<td class=\"number zero\">", out);
    html_count(out, count);
    fputs("</td>", out);
}

void html_share_cells(FILE *out, uint64_t part, uint64_t whole) {
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

void html_rows_left_out(FILE *out, uint64_t count) {
    if (count) {
        fputs("<p class=\"soft\">And ", out);
        html_count(out, count);
        fputs(" more: they are in the results.</p>\n", out);
    }
}
