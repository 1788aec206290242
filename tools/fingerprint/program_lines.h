/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_PROGRAM_LINES_H
#define CUMSUM_TOOLS_PROGRAM_LINES_H

/* The line_runner of any program that reads one .npy file and writes another: the shell runs
 * COMMAND INPUT.npy OUTPUT.npy. */

#include "line_runner.h"

typedef struct program_lines {
    const char *command;
    bool decreasing; /* how the program sums; it cannot be told */
    bool exclusive;
    char folder[256]; /* where the files are */
    char input[300];
    char output[300];
} program_lines;

/* Makes the folder. program_lines_end removes it with the files in it. */
tool_status program_lines_begin(program_lines *p, const char *command, tool_error *error);
void program_lines_end(program_lines *p);

/* state: a program_lines. */
tool_status program_lines_run(void *state, const line_block *block, const void *input, void *output,
                              tool_error *error);

#endif
