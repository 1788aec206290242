/* SPDX-License-Identifier: MIT */
/* The records of a report as JUnit: a suite for each file, a case for each dispatch or descriptor.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "report.h"
#include "text.h"

/* "12: name" for a line of a file, else the name. */
static char *case_name(const result *record) {
    text_buffer name;
    text_buffer_begin(&name);
    if (record->line)
        fprintf(name.stream, "%" PRIu64 ": ", record->line);
    fputs(record->name, name.stream);
    return text_buffer_end(&name);
}

static void add(const report *r, junit_entry entry) {
    char class[40];
    snprintf(class, sizeof class, "cumsum.%s", r->options->command_name);
    entry.class = class;
    junit_add(r->junit, &entry);
}

void report_junit_result(const report *r, const result *record) {
    static const junit_kind kinds[] = {JUNIT_PASSED, JUNIT_FAILURE, JUNIT_SKIPPED};
    char *name = case_name(record);
    const junit_entry entry = {.kind = kinds[record->status],
                               .suite = record->file,
                               .name = name,
                               .message = record->headline ? record->headline : record->summary,
                               .detail = record->status == RESULT_PASS ? NULL : record->detail};
    add(r, entry);
    free(name);
}

void report_junit_error(const report *r, const char *file, const char *message) {
    const junit_entry entry = {.kind = JUNIT_ERROR,
                               .suite = file,
                               .name = "reading and running the file",
                               .message = message};
    add(r, entry);
}
