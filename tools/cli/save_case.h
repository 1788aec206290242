/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_SAVE_CASE_H
#define CUMSUM_TOOLS_SAVE_CASE_H

/* judge --save-case FILE: the arrays that were judged, as a case file. */

#include "options.h"
#include "recorded.h"

/* Checks the name of the file: TOOL_OK, or a usage error. */
tool_status save_case_check(const tool_options *options);

/* Writes the input and the output of a judged dispatch of arrays. numerics: those that the output
 * was held to, or NULL. verdict: the oracle's words. TOOL_MALFORMED for a type that case files do
 * not have, TOOL_ENVIRONMENT if a file cannot be written. */
tool_status save_case(const tool_options *options, const case_file_command *command,
                      const recorded_output *recorded, const cumsum_numerics *numerics,
                      const char *verdict, tool_error *error);

#endif
