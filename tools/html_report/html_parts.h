/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_HTML_PARTS_H
#define CUMSUM_TOOLS_HTML_PARTS_H

/* The parts of the page, in their order. Each writes its section, or nothing where there is nothing
 * to say. */

#include "report_model.h"

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

#endif
