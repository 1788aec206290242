/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_HTML_TEXT_H
#define CUMSUM_TOOLS_HTML_TEXT_H

/*
 * Text, elements and table cells of a page. Text from outside (names, drivers' messages, URLs)
 * reaches a page only through these functions. They escape it, so that it cannot become markup.
 *
 * `tag` is the inside of a start tag, "td" or "td class=\"time\"", and is written as it is.
 */

#include <stdint.h>
#include <stdio.h>

/* A page up to its heading, which its title ends with; and its end. */
void html_begin(FILE *out, const char *title, const char *heading);
void html_end(FILE *out);

/* Escapes any text for an element or for an attribute in double quotes. */
void html_text(FILE *out, const char *text);

/* printf, escaped; at most 1023 bytes. */
void html_format(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* "<tag>text</tag>" */
void html_element(FILE *out, const char *tag, const char *text);

/* The name of a case, with a possible line break after each dot and each x. */
void html_case_name(FILE *out, const char *name);

/* "12,345" */
void html_count(FILE *out, uint64_t count);

/* A table that scrolls sideways on a narrow screen. heads: the cells of its first row, as markup.
 */
void html_table_begin(FILE *out, const char *heads);
void html_table_end(FILE *out);

void html_count_cell(FILE *out, uint64_t count);

/* Two cells: a bar of the share part / whole, and the share in percent. */
void html_share_cells(FILE *out, uint64_t part, uint64_t whole);

/* Says that `count` more rows are in the results; nothing for 0. */
void html_rows_left_out(FILE *out, uint64_t count);

/* Files that embed_text.cmake makes part of the program. */
extern const char embedded_style[]; /* html_style.css */
extern const char embedded_rules[]; /* lists/rules.txt */

#endif
