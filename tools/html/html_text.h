/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_HTML_TEXT_H
#define CUMSUM_TOOLS_HTML_TEXT_H

#include <stdint.h>
#include <stdio.h>

/* Text of a page. Nothing from outside gets into it but through these. */

/* Any text, as text of an element or of an attribute in double quotes. */
void html_text(FILE *out, const char *text);

/* printf, as text. */
void html_format(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The name of a case, which may be broken after its dots. */
void html_case_name(FILE *out, const char *name);

/* "12,345" */
void html_count(FILE *out, uint64_t count);

/* "<td>...</td>" */
void html_cell(FILE *out, const char *text);
void html_count_cell(FILE *out, uint64_t count);

/* A bar of `part` of `whole`, as wide as a cell. */
void html_bar_cell(FILE *out, uint64_t part, uint64_t whole);

/* Files that are part of the program. */

extern const char embedded_style[]; /* html_style.css */
extern const char embedded_rules[]; /* lists/rules.txt */

#endif
