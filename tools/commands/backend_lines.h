/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_BACKEND_LINES_H
#define CUMSUM_TOOLS_BACKEND_LINES_H

/* The line_runner of a backend. */

#include "executor.h"
#include "line_runner.h"

/* state: a const executor. */
tool_status backend_lines_run(void *state, const line_block *block, const void *input, void *output,
                              tool_error *error);

#endif
