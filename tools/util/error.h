/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_ERROR_H
#define CUMSUM_TOOLS_ERROR_H

/* What a function of the tool returns. The values are the exit statuses of docs/command-line.md. */
typedef enum tool_status {
    TOOL_OK = 0,
    TOOL_MISMATCH = 1,    /* a mismatch or a FAIL verdict */
    TOOL_MALFORMED = 2,   /* usage, or a malformed file */
    TOOL_ENVIRONMENT = 3, /* no device, out of memory, an unreadable or unwritable file */
    TOOL_NOTHING_RAN = 77
} tool_status;

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
