/* SPDX-License-Identifier: MIT */
#include "results_line.h"

#include <stdio.h>
#include <string.h>

#include "json_document.h"
#include "json_field.h"

static tool_status read_event(const json_value *root, results_event *event, tool_error *error) {
    static const char *const names[] = {"sweep", "case", "end", "summary"};
    json_value member;
    tool_status status = json_need_type(root, "event", json_type_string, &member, error);
    for (int i = 0; i < 4 && status == TOOL_OK; i++) {
        if (strcmp(names[i], json_object_get_string(member.object)) == 0) {
            *event = (results_event)i;
            return TOOL_OK;
        }
    }
    return status != TOOL_OK ? status
                             : json_fail(&member, error, TOOL_MALFORMED,
                                         "'%.40s' is none of the events sweep, case and end",
                                         json_object_get_string(member.object));
}

static tool_status read_number(const json_value *root, const char *name, uint64_t minimum,
                               uint64_t maximum, uint64_t *number, tool_error *error) {
    json_value member;
    tool_status status = json_need(root, name, &member, error);
    if (status == TOOL_OK)
        status = json_to_integer(&member, "a count", 0, maximum, number, error);
    if (status == TOOL_OK && *number < minimum)
        status = json_fail(&member, error, TOOL_MALFORMED, "shards are counted from 1 on");
    return status;
}

static tool_status read_sweep(const json_value *root, results_line *line, tool_error *error) {
    json_value member;
    tool_status status = json_need_type(root, "version", json_type_string, &member, error);
    if (status == TOOL_OK)
        status = json_need_type(root, "backend", json_type_string, &member, error);
    if (status == TOOL_OK)
        status = read_number(root, "shards", 1, UINT32_MAX, &line->shards, error);
    if (status == TOOL_OK)
        status = read_number(root, "shard", 1, line->shards, &line->shard, error);
    if (status == TOOL_OK)
        status = read_number(root, "selected", 0, INT64_MAX, &line->selected, error);
    return status;
}

static tool_status read_state(const json_value *value, sweep_state *state, tool_error *error) {
    const char *word;
    tool_status status = json_to_string(value, &word, error);
    if (status == TOOL_OK && !sweep_state_find(word, state))
        status = json_fail(value, error, TOOL_MALFORMED, "'%.40s' is no state of a case", word);
    return status;
}

/* "outcome" is there where what happened and what it means are two things. */
static tool_status read_case(const json_value *root, results_line *line, tool_error *error) {
    json_value name;
    json_value member;
    case_spec spec;
    tool_error inner;
    tool_status status = json_need_type(root, "name", json_type_string, &name, error);
    if (status == TOOL_OK && case_parse(json_object_get_string(name.object), &spec, &inner))
        return json_fail(&name, error, TOOL_MALFORMED, "%.600s", inner.message);
    if (status == TOOL_OK) {
        snprintf(line->name, sizeof line->name, "%s", json_object_get_string(name.object));
        status = json_need(root, "state", &member, error);
    }
    if (status == TOOL_OK)
        status = read_state(&member, &line->state, error);
    line->outcome = line->state;
    if (status == TOOL_OK && json_member(root, "outcome", &member))
        status = read_state(&member, &line->outcome, error);
    line->flaky = json_member(root, "flaky", &member);
    return status;
}

/* Numbers of the exact document are places in the text: the line is read once more. */
static tool_status keep_object(results_line *line, const json_value *root, tool_error *error) {
    line->object = json_read(line->text, line->length);
    return line->object ? TOOL_OK
                        : json_fail(root, error, TOOL_MALFORMED, "the line cannot be read");
}

tool_status results_line_read(results_line *line, const char *path, uint64_t number,
                              tool_error *error) {
    json_document document;
    tool_status status = json_open(&document, line->text, line->length, path, number, error);
    if (status != TOOL_OK)
        return status;
    const json_value root = json_root(&document);
    status = json_type_of(&root) == json_type_object ? read_event(&root, &line->event, error)
                                                     : json_fail_type(&root, error, "an object");
    if (status == TOOL_OK && line->event == RESULTS_SWEEP)
        status = read_sweep(&root, line, error);
    else if (status == TOOL_OK && line->event == RESULTS_CASE)
        status = read_case(&root, line, error);
    if (status == TOOL_OK && (line->event == RESULTS_SWEEP || line->event == RESULTS_END))
        status = keep_object(line, &root, error);
    json_close(&document);
    return status;
}

void results_line_free(results_line *line) {
    json_object_put(line->object);
    line->object = NULL;
}
