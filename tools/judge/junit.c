/* SPDX-License-Identifier: MIT */
/*
 * JUnit files by libxml2. The counts of a suite come first in the XML, so all entries are kept
 * until the end. A build without libxml2 has no JUnit files: junit_begin returns NULL, and --junit
 * is refused at the start.
 */
#include "junit.h"

#ifdef CUMSUM_TOOL_JUNIT

#include <inttypes.h>
#include <libxml/xmlwriter.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "memory.h"
#include "text.h"

/* An entry with texts of its own, in valid XML. */
typedef struct junit_case {
    junit_kind kind;
    char *suite;
    char *class;
    char *name;
    char *message;
    char *detail;
    uint64_t microseconds;
} junit_case;

typedef struct junit_property {
    char *name;
    char *value;
} junit_property;

struct junit_log {
    char *command;
    junit_case *cases;
    size_t count;
    junit_property *properties;
    size_t property_count;
};

junit_log *junit_begin(const char *command) {
    junit_log *log = tool_calloc(1, sizeof *log);
    log->command = tool_strdup(command);
    return log;
}

void junit_add(junit_log *log, const junit_entry *entry) {
    log->cases = tool_grow(log->cases, log->count, sizeof *log->cases);
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
    log->properties = tool_grow(log->properties, log->property_count, sizeof *log->properties);
    log->properties[log->property_count++] =
        (junit_property){text_utf8(name, 1), text_utf8(value, 1)};
}

static void junit_free(junit_log *log) {
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

#define XML(text) ((const xmlChar *)(text))

static void attribute(xmlTextWriter *writer, const char *name, const char *value) {
    xmlTextWriterWriteAttribute(writer, XML(name), XML(value));
}

/* Servers accept at most three decimals for a suite. */
static void suite_time(xmlTextWriter *writer, uint64_t microseconds) {
    if (microseconds) {
        xmlTextWriterWriteFormatAttribute(writer, XML("time"), "%" PRIu64 ".%03" PRIu64,
                                          microseconds / 1000000, microseconds / 1000 % 1000);
    }
}

static void case_time(xmlTextWriter *writer, uint64_t microseconds) {
    if (microseconds) {
        xmlTextWriterWriteFormatAttribute(writer, XML("time"), "%" PRIu64 ".%06" PRIu64,
                                          microseconds / 1000000, microseconds % 1000000);
    }
}

/* The element around all suites has no attribute "skipped". */
static void count_attributes(xmlTextWriter *writer, const junit_case *cases, size_t count,
                             bool of_suite) {
    static const char *const names[JUNIT_KINDS] = {NULL, "failures", "skipped", "errors"};
    size_t counts[JUNIT_KINDS] = {0};
    uint64_t microseconds = 0;
    for (size_t i = 0; i < count; i++) {
        counts[cases[i].kind]++;
        microseconds += cases[i].microseconds;
    }
    xmlTextWriterWriteFormatAttribute(writer, XML("tests"), "%zu", count);
    for (int kind = JUNIT_FAILURE; kind < JUNIT_KINDS; kind++)
        if (kind != JUNIT_SKIPPED || of_suite)
            xmlTextWriterWriteFormatAttribute(writer, XML(names[kind]), "%zu", counts[kind]);
    suite_time(writer, microseconds);
}

static void write_case(xmlTextWriter *writer, const junit_case *c) {
    static const char *const elements[JUNIT_KINDS] = {NULL, "failure", "skipped", "error"};
    xmlTextWriterStartElement(writer, XML("testcase"));
    attribute(writer, "classname", c->class);
    attribute(writer, "name", c->name);
    case_time(writer, c->microseconds);
    if (elements[c->kind]) {
        xmlTextWriterStartElement(writer, XML(elements[c->kind]));
        attribute(writer, "message", c->message);
        if (*c->detail)
            xmlTextWriterWriteString(writer, XML(c->detail));
        xmlTextWriterEndElement(writer);
    } else if (*c->detail) {
        xmlTextWriterWriteElement(writer, XML("system-out"), XML(c->detail));
    }
    xmlTextWriterEndElement(writer);
}

static void write_properties(xmlTextWriter *writer, const junit_log *log) {
    if (!log->property_count)
        return;
    xmlTextWriterStartElement(writer, XML("properties"));
    for (size_t i = 0; i < log->property_count; i++) {
        xmlTextWriterStartElement(writer, XML("property"));
        attribute(writer, "name", log->properties[i].name);
        attribute(writer, "value", log->properties[i].value);
        xmlTextWriterEndElement(writer);
    }
    xmlTextWriterEndElement(writer);
}

static void write_suite(xmlTextWriter *writer, const junit_log *log, size_t first, size_t end) {
    xmlTextWriterStartElement(writer, XML("testsuite"));
    attribute(writer, "name", log->cases[first].suite);
    count_attributes(writer, log->cases + first, end - first, true);
    write_properties(writer, log);
    for (size_t i = first; i < end; i++)
        write_case(writer, &log->cases[i]);
    xmlTextWriterEndElement(writer);
}

static void write_document(xmlTextWriter *writer, const junit_log *log) {
    xmlTextWriterSetIndent(writer, 1);
    xmlTextWriterStartDocument(writer, NULL, "UTF-8", NULL);
    xmlTextWriterStartElement(writer, XML("testsuites"));
    xmlTextWriterWriteFormatAttribute(writer, XML("name"), "cumsum %s", log->command);
    count_attributes(writer, log->cases, log->count, false);
    for (size_t first = 0, end; first < log->count; first = end) {
        for (end = first + 1;
             end < log->count && !strcmp(log->cases[first].suite, log->cases[end].suite); end++) {
        }
        write_suite(writer, log, first, end);
    }
    xmlTextWriterEndElement(writer);
}

static void *realloc_bytes(void *old, size_t size) {
    return tool_realloc(old, size, 1);
}

/* Without memory libxml2 may leave text out. So the program ends there instead. */
static void take_memory(void) {
    xmlMemSetup(free, tool_malloc, realloc_bytes, tool_strdup);
}

tool_status junit_end(junit_log *log, const char *path, tool_error *error) {
    take_memory();
    xmlBuffer *buffer = xmlBufferCreate();
    xmlTextWriter *writer = buffer ? xmlNewTextWriterMemory(buffer, 0) : NULL;
    tool_status status;
    if (!writer) {
        status = tool_fail(error, TOOL_ENVIRONMENT, "%s: out of memory", path);
    } else {
        write_document(writer, log);
        int ended = xmlTextWriterEndDocument(writer);
        xmlFreeTextWriter(writer); /* flushes into buffer */
        file_part whole = {xmlBufferContent(buffer), (size_t)xmlBufferLength(buffer)};
        status = ended < 0 ? tool_fail(error, TOOL_ENVIRONMENT, "%s: out of memory", path)
                           : file_write(path, &whole, 1, error);
    }
    xmlBufferFree(buffer);
    junit_free(log);
    return status;
}

#else

#include <stddef.h>

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

#endif
