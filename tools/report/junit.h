/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_JUNIT_H
#define CUMSUM_TOOLS_JUNIT_H

#include <stdint.h>

#include "error.h"

/* A JUnit file, as continuous integration servers read it: suites of test cases. A build
 * without libxml2 has none. */

typedef enum junit_kind {
    JUNIT_PASSED,
    JUNIT_FAILURE, /* the answer is wrong */
    JUNIT_SKIPPED,
    JUNIT_ERROR, /* there is no answer */
    JUNIT_KINDS
} junit_kind;

/* A test case. Texts may hold anything: what XML cannot is replaced. */
typedef struct junit_entry {
    junit_kind kind;
    const char *suite; /* entries that follow one another and share it are one suite */
    const char *class; /* what servers group cases by */
    const char *name;
    const char *message;   /* of what did not pass: one line */
    const char *detail;    /* more lines, or NULL; of what passed: a remark */
    uint64_t microseconds; /* 0: not known */
} junit_entry;

typedef struct junit_log junit_log;

/* NULL where this build has no JUnit files. */
junit_log *junit_begin(const char *command);

void junit_add(junit_log *log, const junit_entry *entry);

/* A property of every suite. */
void junit_add_property(junit_log *log, const char *name, const char *value);

/* Writes the file and frees the log. TOOL_ENVIRONMENT where it cannot be written. */
tool_status junit_end(junit_log *log, const char *path, tool_error *error);

#endif
