/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_HTML_REPORT_H
#define CUMSUM_TOOLS_HTML_REPORT_H

/* The report of a sweep, or of two side by side, as a page for a browser. */

#include "merge.h"
#include "results_compare.h"

/*
 * Writes the results of a sweep as one page of well-formed XHTML5, for the screen and for paper,
 * light and dark. The page has no script and loads nothing. Equal results give equal bytes.
 * TOOL_ENVIRONMENT if the file cannot be written.
 */
tool_status html_report(const results_merge *merge, const char *path, tool_error *error);

/* The same of two sweeps, side by side. */
tool_status html_comparison(const results_comparison *comparison, const char *path,
                            tool_error *error);

/* The page of html_comparison. */
void html_comparison_page(FILE *out, const results_comparison *comparison);

#endif
