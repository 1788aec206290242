/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_HTML_REPORT_H
#define CUMSUM_TOOLS_HTML_REPORT_H

#include "merge.h"
#include "report_model.h"

/* The parts of the page, in their order. Each writes its section, or nothing where there is nothing
 * to say. */

/* What came of it, in one line and in numbers; what is missing. */
void html_overview(FILE *out, const report_model *model);

/* What failing cases have in common, and the smallest of them. */
void html_features(FILE *out, const report_model *model);

/* Counts by data type, and by rule. */
void html_breakdown(FILE *out, const report_model *model);

/* The failing cases, by rule. */
void html_failures(FILE *out, const report_model *model);

/* Improvements, flaky, known, waived and unsupported cases. */
void html_others(FILE *out, const report_model *model);

/* Device, versions, machines, command lines. */
void html_runs(FILE *out, const report_model *model);

/* One failing case with all that is known of it. */
void html_failure(FILE *out, const report_model *model, const model_case *one);

/*
 * Writes the results of a sweep as one page of well-formed XHTML5: no script, nothing from
 * elsewhere, in light and dark, to be read on a screen and on paper. The same results make the same
 * bytes. TOOL_ENVIRONMENT where the file cannot be written.
 */
tool_status html_report(const results_merge *merge, const char *path, tool_error *error);

#endif
