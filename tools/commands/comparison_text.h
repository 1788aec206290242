/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_COMPARISON_TEXT_H
#define CUMSUM_TOOLS_COMPARISON_TEXT_H

/* A comparison that found differences, in words and in JSON. */

#include <json-c/json.h>

#include "compare.h"
#include "show_line.h"

/* How many elements differ, the first and the worst, and the lines around them. To be freed. */
char *comparison_explain(const comparison *c, const line_view *view);

/* "outputs", "differing" and, where some differ, "first" and "worst". */
void comparison_fields(json_object *fields, const layout *tensor, const comparison *c);

#endif
