/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_JUDGE_GATES_H
#define CUMSUM_TOOLS_JUDGE_GATES_H

/* What judge requires of an output beyond a verdict: --min-class and --require-order. */

#include <cumsum/oracle.h>

#include "case_file.h"
#include "options.h"
#include "order_expect.h"
#include "recorded.h"

/* A line for each requirement that the output does not meet; NULL if it meets all. With fields not
 * NULL, also adds them there, as `unmet` and `heldOrder`. The caller frees the text. */
char *judge_unmet(const tool_options *options, const held_order *held,
                  const case_file_command *command, const recorded_output *recorded,
                  const cumsum_judgement *j, json_object *fields);

#endif
