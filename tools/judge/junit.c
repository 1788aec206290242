/* SPDX-License-Identifier: MIT */
/* JUnit files as text. A suite's counts stand before its entries, so these wait in a buffer until
 * its last one is there. */
#include "junit.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "memory.h"
#include "text.h"

struct junit_log {
    text_buffer suites;          /* the file up to the present suite */
    text_buffer entries;         /* of the present suite */
    char *suite;                 /* its name; NULL before the first */
    char *properties;            /* of every suite */
    uint64_t kinds[JUNIT_KINDS]; /* the suite's entries of each kind, and the time of all */
    uint64_t microseconds;
};

/* Characters of `special` become references: those of XML's syntax, and in attributes the ends of
 * lines, which readers would take for blanks. */
static void put_text(FILE *out, const char *text, const char *special) {
    char *clean = text_utf8(text, 1);
    for (const char *at = clean; *at; at++)
        if (strchr(special, *at))
            fprintf(out, "&#%d;", *at);
        else
            putc(*at, out);
    free(clean);
}

static void put_attribute(FILE *out, const char *name, const char *text) {
    fprintf(out, " %s=\"", name);
    put_text(out, text, "&<>\"\r\n\t");
    putc('"', out);
}

/* Servers accept at most three decimals for a suite. */
static void put_time(FILE *out, uint64_t microseconds) {
    if (microseconds)
        fprintf(out, " time=\"%.3f\"", (double)microseconds / 1e6);
}

junit_log *junit_open(const char *command) {
    junit_log *log = tool_calloc(1, sizeof *log);
    log->properties = tool_strdup("");
    text_buffer_open(&log->suites);
    fprintf(log->suites.stream,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"cumsum %s\">\n",
            command);
    return log;
}

static void end_suite(junit_log *log) {
    FILE *out = log->suites.stream;
    uint64_t count = 0;
    if (!log->suite)
        return;
    for (int kind = 0; kind < JUNIT_KINDS; kind++)
        count += log->kinds[kind];
    fputs("  <testsuite", out);
    put_attribute(out, "name", log->suite);
    fprintf(out,
            " tests=\"%" PRIu64 "\" failures=\"%" PRIu64 "\" skipped=\"%" PRIu64
            "\" errors=\"%" PRIu64 "\"",
            count, log->kinds[JUNIT_FAILURE], log->kinds[JUNIT_SKIPPED], log->kinds[JUNIT_ERROR]);
    put_time(out, log->microseconds);
    fputs(">\n", out);
    if (*log->properties)
        fprintf(out, "    <properties>\n%s    </properties>\n", log->properties);
    fprintf(out, "%s  </testsuite>\n", text_buffer_close(&log->entries));
    free(log->entries.text);
    free(log->suite);
}

static void begin_suite(junit_log *log, const char *name) {
    end_suite(log);
    log->suite = tool_strdup(name);
    memset(log->kinds, 0, sizeof log->kinds);
    log->microseconds = 0;
    text_buffer_open(&log->entries);
}

void junit_add(junit_log *log, const junit_entry *entry) {
    static const char *const elements[JUNIT_KINDS] = {NULL, "failure", "skipped", "error"};
    const char *element = elements[entry->kind];
    if (!log->suite || strcmp(log->suite, entry->suite) != 0)
        begin_suite(log, entry->suite);
    log->kinds[entry->kind]++;
    log->microseconds += entry->microseconds;
    FILE *out = log->entries.stream;
    fputs("    <testcase", out);
    put_attribute(out, "classname", entry->class);
    put_attribute(out, "name", entry->name);
    put_time(out, entry->microseconds);
    if (element) {
        fprintf(out, ">\n      <%s", element);
        put_attribute(out, "message", entry->message);
        putc('>', out);
        put_text(out, entry->detail ? entry->detail : "", "&<>\r");
        fprintf(out, "</%s>\n    </testcase>\n", element);
    } else {
        fputs("/>\n", out);
    }
}

void junit_add_property(junit_log *log, const char *name, const char *value) {
    text_buffer all;
    text_buffer_open(&all);
    fprintf(all.stream, "%s      <property", log->properties);
    put_attribute(all.stream, "name", name);
    put_attribute(all.stream, "value", value);
    fputs("/>\n", all.stream);
    free(log->properties);
    log->properties = text_buffer_close(&all);
}

tool_status junit_close(junit_log *log, const char *path, tool_error *error) {
    end_suite(log);
    fputs("</testsuites>\n", log->suites.stream);
    const tool_status status = file_write_text(path, &log->suites, error);
    free(log->properties);
    free(log);
    return status;
}
