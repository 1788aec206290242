/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_HTML_REPORT_H
#define CUMSUM_TOOLS_HTML_REPORT_H

#include "results_merge.h"

/*
 * Writes the results of a sweep as one page of well-formed XHTML5: no script, nothing from
 * elsewhere, in light and dark, to be read on a screen and on paper. The same results make the same
 * bytes. TOOL_ENVIRONMENT where the file cannot be written.
 */
tool_status html_report(const results_merge *merge, const char *path, tool_error *error);

#endif
