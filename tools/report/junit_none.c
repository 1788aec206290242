/* SPDX-License-Identifier: MIT */
#include <stddef.h>

#include "junit.h"

/* What junit_log.c and junit_xml.c are in a build without libxml2: --junit is refused at the start.
 */

junit_log *junit_begin(const char *command) {
    (void)command;
    return NULL;
}

void junit_add(junit_log *log, const junit_entry *entry) {
    (void)log;
    (void)entry;
}

void junit_add_property(junit_log *log, const char *name, const char *value) {
    (void)log;
    (void)name;
    (void)value;
}

tool_status junit_end(junit_log *log, const char *path, tool_error *error) {
    (void)log;
    return tool_fail(error, TOOL_ENVIRONMENT, "%s: this build has no JUnit reports", path);
}
