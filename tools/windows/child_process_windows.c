/* SPDX-License-Identifier: MIT */
#include "child_process.h"

bool child_process_available(void) {
    return false;
}

tool_status child_process_start(child_process **child, const char *const *arguments,
                                tool_error *error) {
    (void)arguments;
    *child = NULL;
    return tool_fail(error, TOOL_ENVIRONMENT,
                     "another process for the cases is not available on Windows");
}

bool child_process_send(child_process *child, const char *line) {
    (void)line;
    return child != NULL;
}

child_answer child_process_receive(child_process *child, uint32_t milliseconds, const char **line) {
    (void)child;
    (void)milliseconds;
    *line = NULL;
    return CHILD_ENDED;
}

void child_process_end(child_process *child, bool at_once, char *how, size_t room) {
    (void)child;
    (void)at_once;
    (void)how;
    (void)room;
}
