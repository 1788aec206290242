/* SPDX-License-Identifier: MIT */
/* Reads the lists and the descriptors once and sorts their cases by rule. */
#include "rule_cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case_file.h"
#include "case_list.h"
#include "file.h"
#include "memory.h"
#include "memory_limit.h"

/* The table, and the list whose names are being added to it. */
typedef struct filling {
    rule_cases *rules;
    rule_list list;
} filling;

static rule_row *row_of(rule_cases *rules, const char *rule) {
    for (size_t i = 0; i < rules->count; i++)
        if (strcmp(rules->rows[i].rule, rule) == 0)
            return &rules->rows[i];
    rules->rows = tool_realloc(rules->rows, rules->count + 1, sizeof *rules->rows);
    rule_row *row = &rules->rows[rules->count++];
    *row = (rule_row){.rule = tool_strdup(rule)};
    return row;
}

const rule_row *rule_cases_find(const rule_cases *rules, const char *rule) {
    for (size_t i = 0; i < rules->count; i++)
        if (strcmp(rules->rows[i].rule, rule) == 0)
            return &rules->rows[i];
    return NULL;
}

static tool_status take(void *context, const listed_name *listed, tool_error *error) {
    filling *f = context;
    char *rest = tool_strdup(listed->rules);
    char *position = NULL;
    size_t rules = 0;
    for (char *rule = strtok_r(rest, " ", &position); rule; rule = strtok_r(NULL, " ", &position)) {
        name_set_add(&row_of(f->rules, rule)->cases[f->list], listed->name);
        rules++;
    }
    free(rest);
    name_set_add(&f->rules->names[f->list], listed->name);
    return rules ? TOOL_OK
                 : tool_fail(error, TOOL_MALFORMED, "%s: no rule is named for it", listed->name);
}

static tool_status read_list(rule_cases *rules, const char *root, rule_list which,
                             tool_error *error) {
    static const char *const names[RULE_LISTS] = {"quick", "mustpass", "stress"};
    char path[1024];
    file_contents contents;
    filling f = {rules, which};
    snprintf(path, sizeof path, "%s/lists/%s.list", root, names[which]);
    tool_status status = file_read(path, &contents, error);
    if (status == TOOL_OK) {
        const case_list list = {path, (const char *)contents.bytes};
        status = list_walk(&list, take, &f, error);
        memory_free(contents.bytes);
    }
    return status;
}

/* "RULE/what it is" is the name of a descriptor. */
static tool_status read_descriptor(rule_cases *rules, const char *text, size_t length,
                                   uint64_t line, tool_error *error) {
    descriptor_line c;
    tool_status status = descriptor_read_line(text, length, "invalid.jsonl", line, &c, error);
    if (status != TOOL_OK)
        return status;
    char *slash = strchr(c.name, '/');
    if (slash) {
        *slash = '\0';
        rule_row *row = row_of(rules, c.name);
        row->accepted += c.hresult_ok;
        row->rejected += !c.hresult_ok;
    }
    status = slash && c.has_hresult ? TOOL_OK
                                    : tool_fail(error, TOOL_MALFORMED,
                                                "invalid.jsonl: %s: no RULE/ in its name, or no "
                                                "hresult",
                                                c.name);
    descriptor_line_free(&c);
    return status;
}

static tool_status read_descriptors(rule_cases *rules, const char *root, tool_error *error) {
    char path[1024];
    file_contents contents;
    uint64_t line = 0;
    snprintf(path, sizeof path, "%s/lists/invalid.jsonl", root);
    tool_status status = file_read(path, &contents, error);
    if (status != TOOL_OK)
        return status;
    for (const char *at = (const char *)contents.bytes; *at && status == TOOL_OK;) {
        size_t length = strcspn(at, "\n");
        status = read_descriptor(rules, at, length, ++line, error);
        at += length + (at[length] == '\n');
    }
    memory_free(contents.bytes);
    return status;
}

tool_status rule_cases_read(const char *root, rule_cases *out, tool_error *error) {
    tool_status status = TOOL_OK;
    *out = (rule_cases){0};
    for (int list = 0; list < RULE_LISTS && status == TOOL_OK; list++)
        status = read_list(out, root, (rule_list)list, error);
    return status == TOOL_OK ? read_descriptors(out, root, error) : status;
}

void rule_cases_free(rule_cases *rules) {
    for (size_t i = 0; i < rules->count; i++) {
        free(rules->rows[i].rule);
        for (int list = 0; list < RULE_LISTS; list++)
            name_set_free(&rules->rows[i].cases[list]);
    }
    for (int list = 0; list < RULE_LISTS; list++)
        name_set_free(&rules->names[list]);
    free(rules->rows);
}
