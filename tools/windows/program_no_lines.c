/* SPDX-License-Identifier: MIT */
/* --exec needs a POSIX shell. */
#include "line_runner.h"

tool_status program_lines_begin(program_lines *p, const char *command, tool_error *error) {
    *p = (program_lines){.command = command};
    return tool_fail(error, TOOL_ENVIRONMENT, "--exec is not available on Windows");
}

void program_lines_end(program_lines *p) {
    p->command = NULL;
}

tool_status program_lines_run(void *state, const line_block *block, const void *input, void *output,
                              tool_error *error) {
    (void)state;
    (void)block;
    (void)input;
    (void)output;
    return tool_fail(error, TOOL_ENVIRONMENT, "--exec is not available on Windows");
}
