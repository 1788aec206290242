/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_JUDGE_CHARTS_H
#define CUMSUM_TOOLS_JUDGE_CHARTS_H

/* What the charts of judge --html show: outputs beside the exact sums, rounded once. */

#include <cumsum/oracle.h>
#include <json-c/json.h>

#include "recorded.h"

/* Of a pass all outputs that are not the exact sums; otherwise those that fail or are
 * indeterminate. NULL if there are none. The members are those of failure_profile_fields,
 * "outputs", which says which outputs these are, and of a failure "first", the coordinates of the
 * first. */
json_object *judge_charts(const recorded_output *recorded, const unsigned char *input,
                          uint64_t input_in_bytes, const cumsum_judge_options *options,
                          const cumsum_judgement *j);

#endif
