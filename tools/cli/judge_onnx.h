/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_JUDGE_ONNX_H
#define CUMSUM_TOOLS_JUDGE_ONNX_H

/* cumsum judge --onnx DIR: the verdict on each data set below a folder. */

#include "judge_result.h"

/* Judges a model; what cmd_judge.c has for a model from a file. */
typedef tool_status (*judge_model_function)(void *state, model *m, tool_error *error);

/* judge --onnx DIR: every data set below DIR, judged by a function or reported as what it is.
 * TOOL_ENVIRONMENT where DIR cannot be read. */
tool_status judge_onnx(judge_report *to, judge_model_function judge, void *state,
                       tool_error *error);

#endif
