/* SPDX-License-Identifier: MIT */
/* JUnit XML: a <testsuite> for each file, a <testcase> for each dispatch or descriptor. The suite's
 * counts come first in the XML, so the cases are kept until the end. */
#include <inttypes.h>
#include <libxml/xmlwriter.h>
#include <stdlib.h>
#include <string.h>

#include "file_write.h"
#include "memory.h"
#include "report.h"
#include "text.h"

typedef enum case_kind {
    CASE_PASSED,
    CASE_FAILURE,
    CASE_SKIPPED,
    CASE_ERROR,
    CASE_KINDS
} case_kind;

typedef struct junit_case {
    case_kind kind;
    char *file;
    char *name;
    char *message;
    char *detail;
} junit_case;

struct junit_log {
    char *command;
    junit_case *cases;
    size_t count;
    size_t room;
};

junit_log *junit_begin(const char *command) {
    junit_log *log = tool_calloc(1, sizeof *log);
    log->command = tool_strdup(command);
    return log;
}

static void add(junit_log *log, case_kind kind, const char *file, const char *name,
                const char *message, const char *detail) {
    if (log->count == log->room) {
        log->room = log->room ? 2 * log->room : 64;
        log->cases = tool_realloc(log->cases, log->room, sizeof *log->cases);
    }
    log->cases[log->count++] = (junit_case){kind, text_utf8(file, 1), text_utf8(name, 1),
                                            text_utf8(message, 1), text_utf8(detail, 1)};
}

/* "12: name" for a line of a file, else the name. */
static char *case_name(const result *record) {
    text_buffer name;
    text_buffer_begin(&name);
    if (record->line) {
        fprintf(name.stream, "%" PRIu64 ": ", record->line);
    }
    fputs(record->name, name.stream);
    return text_buffer_end(&name);
}

void junit_add(junit_log *log, const result *record) {
    static const case_kind kinds[] = {CASE_PASSED, CASE_FAILURE, CASE_SKIPPED};
    char *name = case_name(record);
    add(log, kinds[record->status], record->file, name,
        record->headline ? record->headline : record->summary,
        record->detail ? record->detail : "");
    free(name);
}

void junit_add_error(junit_log *log, const char *file, const char *message) {
    add(log, CASE_ERROR, file, "reading and running the file", message, "");
}

#define XML(text) ((const xmlChar *)(text))

static void attribute(xmlTextWriter *writer, const char *name, const char *value) {
    xmlTextWriterWriteAttribute(writer, XML(name), XML(value));
}

static void count_attributes(xmlTextWriter *writer, const junit_case *cases, size_t count) {
    static const char *const names[CASE_KINDS] = {NULL, "failures", "skipped", "errors"};
    size_t counts[CASE_KINDS] = {0};
    for (size_t i = 0; i < count; i++) {
        counts[cases[i].kind]++;
    }
    xmlTextWriterWriteFormatAttribute(writer, XML("tests"), "%zu", count);
    for (int kind = CASE_FAILURE; kind < CASE_KINDS; kind++) {
        xmlTextWriterWriteFormatAttribute(writer, XML(names[kind]), "%zu", counts[kind]);
    }
}

static void write_case(xmlTextWriter *writer, const junit_log *log, const junit_case *c) {
    static const char *const elements[CASE_KINDS] = {NULL, "failure", "skipped", "error"};
    xmlTextWriterStartElement(writer, XML("testcase"));
    xmlTextWriterWriteFormatAttribute(writer, XML("classname"), "cumsum.%s", log->command);
    attribute(writer, "name", c->name);
    if (elements[c->kind]) {
        xmlTextWriterStartElement(writer, XML(elements[c->kind]));
        attribute(writer, "message", c->message);
        if (*c->detail) {
            xmlTextWriterWriteString(writer, XML(c->detail));
        }
        xmlTextWriterEndElement(writer);
    }
    xmlTextWriterEndElement(writer);
}

static void write_suite(xmlTextWriter *writer, const junit_log *log, size_t first, size_t end) {
    xmlTextWriterStartElement(writer, XML("testsuite"));
    attribute(writer, "name", log->cases[first].file);
    count_attributes(writer, log->cases + first, end - first);
    for (size_t i = first; i < end; i++) {
        write_case(writer, log, &log->cases[i]);
    }
    xmlTextWriterEndElement(writer);
}

static void write_document(xmlTextWriter *writer, const junit_log *log) {
    xmlTextWriterSetIndent(writer, 1);
    xmlTextWriterStartDocument(writer, NULL, "UTF-8", NULL);
    xmlTextWriterStartElement(writer, XML("testsuites"));
    xmlTextWriterWriteFormatAttribute(writer, XML("name"), "cumsum %s", log->command);
    count_attributes(writer, log->cases, log->count);
    for (size_t first = 0, end; first < log->count; first = end) {
        for (end = first + 1;
             end < log->count && !strcmp(log->cases[first].file, log->cases[end].file); end++) {
        }
        write_suite(writer, log, first, end);
    }
    xmlTextWriterEndElement(writer);
}

static void free_log(junit_log *log) {
    for (size_t i = 0; i < log->count; i++) {
        free(log->cases[i].file);
        free(log->cases[i].name);
        free(log->cases[i].message);
        free(log->cases[i].detail);
    }
    free(log->cases);
    free(log->command);
    free(log);
}

tool_status junit_end(junit_log *log, const char *path, tool_error *error) {
    xmlBuffer *buffer = xmlBufferCreate();
    xmlTextWriter *writer = buffer ? xmlNewTextWriterMemory(buffer, 0) : NULL;
    tool_status status;
    if (!writer) {
        status = tool_fail(error, TOOL_ENVIRONMENT, "%s: out of memory", path);
    } else {
        write_document(writer, log);
        int ended = xmlTextWriterEndDocument(writer);
        xmlFreeTextWriter(writer); /* flushes into buffer */
        file_part part = {xmlBufferContent(buffer), (size_t)xmlBufferLength(buffer)};
        status = ended < 0 ? tool_fail(error, TOOL_ENVIRONMENT, "%s: out of memory", path)
                           : file_write(path, &part, 1, error);
    }
    xmlBufferFree(buffer);
    free_log(log);
    return status;
}
