/* SPDX-License-Identifier: MIT */
/*
 * JUnit files by libxml2: a tree that grows with each entry. A suite's counts are set when its last
 * entry is there. A build without libxml2 has no JUnit files: junit_open returns NULL, and --junit
 * is refused at the start.
 */
#include "junit.h"

#ifdef CUMSUM_TOOL_JUNIT

#include <inttypes.h>
#include <libxml/tree.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "memory.h"
#include "text.h"

/* The entries of an element by kind, and the time of all. */
typedef struct junit_totals {
    size_t kinds[JUNIT_KINDS];
    uint64_t microseconds;
} junit_totals;

struct junit_log {
    xmlDoc *document;
    xmlNode *root;
    xmlNode *suite; /* the last one; NULL before the first */
    char *suite_name;
    xmlNode *properties; /* of every suite; NULL: none */
    junit_totals of_suite;
    junit_totals of_all;
};

static xmlNode *add_node(xmlNode *parent, const char *name) {
    return xmlNewChild(parent, NULL, BAD_CAST name, NULL);
}

static void set_attribute(xmlNode *node, const char *name, const char *text) {
    char *clean = text_utf8(text, 1);
    xmlSetProp(node, BAD_CAST name, BAD_CAST clean);
    free(clean);
}

static void add_clean_text(xmlNode *node, const char *text) {
    char *clean = text_utf8(text, 1);
    xmlAddChild(node, xmlNewDocText(node->doc, BAD_CAST clean));
    free(clean);
}

static void set_count(xmlNode *node, const char *name, size_t count) {
    char text[24];
    snprintf(text, sizeof text, "%zu", count);
    set_attribute(node, name, text);
}

/* Servers accept at most three decimals for a suite. */
static void set_time(xmlNode *node, uint64_t microseconds, int decimals) {
    char text[40];
    if (microseconds) {
        snprintf(text, sizeof text, "%" PRIu64 ".%0*" PRIu64, microseconds / 1000000, decimals,
                 microseconds % 1000000 / (decimals == 3 ? 1000 : 1));
        set_attribute(node, "time", text);
    }
}

/* The element around all suites has no attribute "skipped". */
static void set_totals(const junit_log *log, xmlNode *node, const junit_totals *totals) {
    size_t count = 0;
    for (int kind = 0; kind < JUNIT_KINDS; kind++)
        count += totals->kinds[kind];
    set_count(node, "tests", count);
    set_count(node, "failures", totals->kinds[JUNIT_FAILURE]);
    if (node != log->root)
        set_count(node, "skipped", totals->kinds[JUNIT_SKIPPED]);
    set_count(node, "errors", totals->kinds[JUNIT_ERROR]);
    set_time(node, totals->microseconds, 3);
}

/* Without memory libxml2 may leave text out. So the program ends there instead. */
static void *realloc_bytes(void *old, size_t size) {
    return tool_realloc(old, size, 1);
}

junit_log *junit_open(const char *command) {
    char name[80];
    junit_log *log = tool_calloc(1, sizeof *log);
    xmlMemSetup(free, tool_malloc, realloc_bytes, tool_strdup);
    snprintf(name, sizeof name, "cumsum %s", command);
    log->document = xmlNewDoc(BAD_CAST "1.0");
    log->root = xmlNewDocNode(log->document, NULL, BAD_CAST "testsuites", NULL);
    xmlDocSetRootElement(log->document, log->root);
    set_attribute(log->root, "name", name);
    return log;
}

static void end_suite(junit_log *log) {
    if (log->suite)
        set_totals(log, log->suite, &log->of_suite);
    log->of_suite = (junit_totals){0};
    free(log->suite_name);
}

static void begin_suite(junit_log *log, const char *name) {
    end_suite(log);
    log->suite_name = tool_strdup(name);
    log->suite = add_node(log->root, "testsuite");
    set_attribute(log->suite, "name", name);
    if (log->properties)
        xmlAddChild(log->suite, xmlCopyNode(log->properties, 1));
}

static void count_entry(junit_totals *totals, const junit_entry *entry) {
    totals->kinds[entry->kind]++;
    totals->microseconds += entry->microseconds;
}

void junit_add(junit_log *log, const junit_entry *entry) {
    static const char *const elements[JUNIT_KINDS] = {"system-out", "failure", "skipped", "error"};
    const bool passed = entry->kind == JUNIT_PASSED;
    const bool explained = entry->detail && *entry->detail;
    if (!log->suite || strcmp(log->suite_name, entry->suite) != 0)
        begin_suite(log, entry->suite);
    count_entry(&log->of_suite, entry);
    count_entry(&log->of_all, entry);
    xmlNode *node = add_node(log->suite, "testcase");
    set_attribute(node, "classname", entry->class);
    set_attribute(node, "name", entry->name);
    set_time(node, entry->microseconds, 6);
    if (passed && !explained)
        return;
    node = add_node(node, elements[entry->kind]);
    if (!passed)
        set_attribute(node, "message", entry->message);
    if (explained)
        add_clean_text(node, entry->detail);
}

void junit_add_property(junit_log *log, const char *name, const char *value) {
    if (!log->properties)
        log->properties = xmlNewDocNode(log->document, NULL, BAD_CAST "properties", NULL);
    xmlNode *property = add_node(log->properties, "property");
    set_attribute(property, "name", name);
    set_attribute(property, "value", value);
}

tool_status junit_close(junit_log *log, const char *path, tool_error *error) {
    xmlChar *text;
    int size;
    end_suite(log);
    set_totals(log, log->root, &log->of_all);
    xmlDocDumpFormatMemoryEnc(log->document, &text, &size, "UTF-8", 1);
    const tool_status status = file_write(path, &(file_part){text, (size_t)size}, 1, error);
    xmlFree(text);
    xmlFreeNode(log->properties);
    xmlFreeDoc(log->document);
    free(log);
    return status;
}

#else

#include <stddef.h>

junit_log *junit_open(const char *command) {
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

tool_status junit_close(junit_log *log, const char *path, tool_error *error) {
    (void)log;
    return tool_fail(error, TOOL_ENVIRONMENT, "%s: this build has no JUnit reports", path);
}

#endif
