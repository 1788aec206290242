/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_ERROR_H
#define CUMSUM_TOOLS_ERROR_H

/* What functions of the tool return: a status, and a message if it is an error. */

/* How a function or a command of the tool ended. All but TOOL_OK and TOOL_MISMATCH come with a
 * tool_error that says why. */
typedef enum tool_status {
    TOOL_OK,
    TOOL_MISMATCH,    /* an output is not the expected one, or a verdict is FAIL */
    TOOL_NOT_FOUND,   /* what was searched for does not exist */
    TOOL_MALFORMED,   /* the command line is wrong, or a file is malformed */
    TOOL_ENVIRONMENT, /* no device, out of memory, an unreadable or unwritable file */
    TOOL_SKIPPED      /* nothing was executed, compared or judged */
} tool_status;

/* The exit status of a command that ends so, by the table of docs/command-line.md. */
int tool_exit_status(tool_status status);

/* One message: "FILE:LINE:COLUMN: PATH: what is wrong and the rule", as far as each is known. */
typedef struct tool_error {
    char message[1024];
} tool_error;

/* Formats a message into error (which may be NULL) and returns status. */
tool_status tool_fail(tool_error *error, tool_status status, const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 3, 4)))
#endif
    ;

#endif
