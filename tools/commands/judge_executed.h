/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_JUDGE_EXECUTED_H
#define CUMSUM_TOOLS_JUDGE_EXECUTED_H

#include "executor.h"
#include "judge_result.h"

/* cumsum judge --backend: executes every dispatch of a checked model and judges what it computes.
 * What the backend cannot compute at all is skipped with the reason. */
tool_status judge_executed(judge_report *to, const executor *e, model *m, tool_error *error);

#endif
