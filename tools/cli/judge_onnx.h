/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_JUDGE_ONNX_H
#define CUMSUM_TOOLS_JUDGE_ONNX_H

/* cumsum judge --onnx DIR: the verdict on each data set below a folder. */

#include "judge_result.h"

/* Judges a model in memory. judge.c passes its own function, so that this file need not know how a
 * model is judged. */
typedef tool_status (*judge_model_function)(void *state, model *m, tool_error *error);

/* judge --onnx DIR: calls `judge` for every data set in DIR and below. A data set that cannot be
 * judged is reported as skipped or as an error. TOOL_ENVIRONMENT if DIR cannot be read. */
tool_status judge_onnx(judge_report *to, judge_model_function judge, void *state,
                       tool_error *error);

#endif
