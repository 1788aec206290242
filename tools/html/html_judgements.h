/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_HTML_JUDGEMENTS_H
#define CUMSUM_TOOLS_HTML_JUDGEMENTS_H

/* The page of cumsum judge: an article for each dispatch, with charts of its outputs. */

#include <stdio.h>

#include "report.h"

/* Writes the article of a result. profile: members of failure_profile_fields, of `outputs`, which
 * name what the charts show; NULL: no charts. first: the coordinates of the first output that
 * fails, or NULL. legend: an explanation of terms, or "". */
void html_judgement(FILE *out, const report_record *record, const cumsum_operator_desc *desc,
                    const char *legend, const char *outputs, json_object *profile,
                    json_object *first);

/* Writes the page of these articles. TOOL_ENVIRONMENT if the file cannot be written. */
tool_status html_judgements(const report *counts, const char *articles, const char *path,
                            tool_error *error);

#endif
