/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_JUNIT_H
#define CUMSUM_TOOLS_JUNIT_H

/* JUnit files, which continuous integration servers read: suites of test cases. */

#include <stdint.h>

#include "error.h"

typedef enum junit_kind {
    JUNIT_PASSED,
    JUNIT_FAILURE, /* the answer is wrong */
    JUNIT_SKIPPED,
    JUNIT_ERROR, /* there is no answer */
    JUNIT_KINDS
} junit_kind;

/* A test case. Characters that XML cannot hold are replaced. */
typedef struct junit_entry {
    junit_kind kind;
    const char *suite; /* consecutive entries of one name are one suite */
    const char *class; /* servers group cases by it */
    const char *name;
    const char *message;   /* one line; of an entry that did not pass, as is the next */
    const char *detail;    /* more lines, or NULL */
    uint64_t microseconds; /* 0: not known */
} junit_entry;

typedef struct junit_log junit_log;

junit_log *junit_open(const char *command);

void junit_add(junit_log *log, const junit_entry *entry);

/* Adds a property to every suite. */
void junit_add_property(junit_log *log, const char *name, const char *value);

/* Writes the file and frees the log. TOOL_ENVIRONMENT if it cannot be written. */
tool_status junit_close(junit_log *log, const char *path, tool_error *error);

#endif
