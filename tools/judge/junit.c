/* SPDX-License-Identifier: MIT */
/* JUnit files as text. A suite's counts stand before its entries, so these wait in a buffer until
 * its last one is there. */
#include "junit.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "memory.h"
#include "text.h"

/* The entries of an element by kind, and the time of all. */
typedef struct junit_totals {
    uint64_t kinds[JUNIT_KINDS];
    uint64_t microseconds;
} junit_totals;

struct junit_log {
    text_buffer suites;  /* those before the present one */
    text_buffer entries; /* of the present one */
    char *suite;         /* its name; NULL before the first */
    char *properties;    /* of every suite */
    char *command;
    junit_totals of_suite;
    junit_totals of_all;
};

/* Text between tags, or in an attribute, where the ends of lines would become blanks. */
static void put_text(FILE *out, const char *text, bool attribute) {
    static const struct {
        char character;
        const char *entity;
    } rows[] = {{'&', "&amp;"},
                {'<', "&lt;"},
                {'>', "&gt;"},
                {'\r', "&#13;"},
                /* in attributes: */
                {'"', "&quot;"},
                {'\n', "&#10;"},
                {'\t', "&#9;"}};
    const size_t count = attribute ? sizeof rows / sizeof rows[0] : 4;
    char *clean = text_utf8(text, 1);
    for (const char *at = clean; *at; at++) {
        size_t i = 0;
        while (i < count && rows[i].character != *at)
            i++;
        if (i < count)
            fputs(rows[i].entity, out);
        else
            putc(*at, out);
    }
    free(clean);
}

static void put_attribute(FILE *out, const char *name, const char *text) {
    fprintf(out, " %s=\"", name);
    put_text(out, text, true);
    putc('"', out);
}

/* Servers accept at most three decimals for a suite. */
static void put_time(FILE *out, uint64_t microseconds, int decimals) {
    if (microseconds)
        fprintf(out, " time=\"%" PRIu64 ".%0*" PRIu64 "\"", microseconds / 1000000, decimals,
                microseconds % 1000000 / (decimals == 3 ? 1000 : 1));
}

/* The start of an element with entries. That around all suites has no attribute "skipped". */
static void put_start(FILE *out, const char *tag, const char *name, const junit_totals *totals,
                      bool of_suite) {
    uint64_t count = 0;
    for (int kind = 0; kind < JUNIT_KINDS; kind++)
        count += totals->kinds[kind];
    fprintf(out, "<%s", tag);
    put_attribute(out, "name", name);
    fprintf(out, " tests=\"%" PRIu64 "\" failures=\"%" PRIu64 "\"", count,
            totals->kinds[JUNIT_FAILURE]);
    if (of_suite)
        fprintf(out, " skipped=\"%" PRIu64 "\"", totals->kinds[JUNIT_SKIPPED]);
    fprintf(out, " errors=\"%" PRIu64 "\"", totals->kinds[JUNIT_ERROR]);
    put_time(out, totals->microseconds, 3);
    fputs(">\n", out);
}

junit_log *junit_open(const char *command) {
    junit_log *log = tool_calloc(1, sizeof *log);
    log->command = text_format("cumsum %s", command);
    text_buffer_open(&log->suites);
    log->properties = tool_strdup("");
    return log;
}

static void end_suite(junit_log *log) {
    FILE *out = log->suites.stream;
    if (!log->suite)
        return;
    char *entries = text_buffer_close(&log->entries);
    fputs("  ", out);
    put_start(out, "testsuite", log->suite, &log->of_suite, true);
    if (*log->properties)
        fprintf(out, "    <properties>\n%s    </properties>\n", log->properties);
    fprintf(out, "%s  </testsuite>\n", entries);
    free(entries);
    free(log->suite);
    log->suite = NULL;
}

static void begin_suite(junit_log *log, const char *name) {
    end_suite(log);
    log->suite = tool_strdup(name);
    log->of_suite = (junit_totals){0};
    text_buffer_open(&log->entries);
}

static void count_entry(junit_totals *totals, const junit_entry *entry) {
    totals->kinds[entry->kind]++;
    totals->microseconds += entry->microseconds;
}

/* What is in a test case that did not pass, or that has a remark. */
static void put_answer(FILE *out, const junit_entry *entry, bool explained) {
    static const char *const elements[JUNIT_KINDS] = {"system-out", "failure", "skipped", "error"};
    const char *element = elements[entry->kind];
    fprintf(out, ">\n      <%s", element);
    if (entry->kind != JUNIT_PASSED)
        put_attribute(out, "message", entry->message);
    fputs(explained ? ">" : "/>", out);
    if (explained) {
        put_text(out, entry->detail, false);
        fprintf(out, "</%s>", element);
    }
    fputs("\n    </testcase>\n", out);
}

void junit_add(junit_log *log, const junit_entry *entry) {
    const bool explained = entry->detail && *entry->detail;
    if (!log->suite || strcmp(log->suite, entry->suite) != 0)
        begin_suite(log, entry->suite);
    count_entry(&log->of_suite, entry);
    count_entry(&log->of_all, entry);
    FILE *out = log->entries.stream;
    fputs("    <testcase", out);
    put_attribute(out, "classname", entry->class);
    put_attribute(out, "name", entry->name);
    put_time(out, entry->microseconds, 6);
    if (entry->kind != JUNIT_PASSED || explained)
        put_answer(out, entry, explained);
    else
        fputs("/>\n", out);
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
    text_buffer whole;
    end_suite(log);
    char *suites = text_buffer_close(&log->suites);
    text_buffer_open(&whole);
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", whole.stream);
    put_start(whole.stream, "testsuites", log->command, &log->of_all, false);
    fprintf(whole.stream, "%s</testsuites>\n", suites);
    free(log->properties);
    free(suites);
    free(log->command);
    free(log);
    return file_write_text(path, &whole, error);
}
