/* SPDX-License-Identifier: MIT */
/* What report_junit.c is in a build without libxml2: --junit is refused at the start. */
#include "report.h"

junit_log *junit_begin(const char *command) {
    (void)command;
    return NULL;
}

void junit_add(junit_log *log, const result *record) {
    (void)log;
    (void)record;
}

void junit_add_error(junit_log *log, const char *file, const char *message) {
    (void)log;
    (void)file;
    (void)message;
}

tool_status junit_end(junit_log *log, const char *path, tool_error *error) {
    (void)log;
    return tool_fail(error, TOOL_ENVIRONMENT, "%s: this build has no JUnit reports", path);
}
