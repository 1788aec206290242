/* SPDX-License-Identifier: MIT */
#include "junit_log.h"

#include <stdlib.h>

#include "memory.h"
#include "text.h"

junit_log *junit_begin(const char *command) {
    junit_log *log = tool_calloc(1, sizeof *log);
    log->command = tool_strdup(command);
    return log;
}

void junit_add(junit_log *log, const junit_entry *entry) {
    if (log->count == log->room) {
        log->room = log->room ? 2 * log->room : 64;
        log->cases = tool_realloc(log->cases, log->room, sizeof *log->cases);
    }
    log->cases[log->count++] =
        (junit_case){.kind = entry->kind,
                     .suite = text_utf8(entry->suite, 1),
                     .class = text_utf8(entry->class, 1),
                     .name = text_utf8(entry->name, 1),
                     .message = text_utf8(entry->message, 1),
                     .detail = text_utf8(entry->detail ? entry->detail : "", 1),
                     .microseconds = entry->microseconds};
}

void junit_add_property(junit_log *log, const char *name, const char *value) {
    size_t count = log->property_count + 1;
    log->properties = tool_realloc(log->properties, count, sizeof *log->properties);
    log->properties[log->property_count++] =
        (junit_property){text_utf8(name, 1), text_utf8(value, 1)};
}

void junit_free(junit_log *log) {
    for (size_t i = 0; i < log->count; i++) {
        free(log->cases[i].suite);
        free(log->cases[i].class);
        free(log->cases[i].name);
        free(log->cases[i].message);
        free(log->cases[i].detail);
    }
    for (size_t i = 0; i < log->property_count; i++) {
        free(log->properties[i].name);
        free(log->properties[i].value);
    }
    free(log->cases);
    free(log->properties);
    free(log->command);
    free(log);
}
