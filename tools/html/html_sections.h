/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_HTML_SECTIONS_H
#define CUMSUM_TOOLS_HTML_SECTIONS_H

/* The sections of the page that have files of their own. Each function writes one section, or
 * nothing if no case belongs into it. */

#include "report_model.h"

/* html_report.c: the whole page. */
void html_page(FILE *out, const report_model *model);

/* html_features.c: what failing cases have in common, and the smallest of them. */
void html_features(FILE *out, const report_model *model);

/* html_tables.c: how many cases are in each state, by data type and by rule. */
void html_breakdown(FILE *out, const report_model *model);

/* html_tables.c: improved, flaky, waived, known and unsupported cases. */
void html_others(FILE *out, const report_model *model);

/* html_failures.c: the failing cases, grouped by the rules that they test. */
void html_failures(FILE *out, const report_model *model);

/* html_case.c: everything known about one failing case. */
void html_case(FILE *out, const report_model *model, const model_case *one);

#endif
