/* SPDX-License-Identifier: MIT */
/* Talks to competitors.py: a line of JSON asks about a workload, a line of JSON answers for all. */
#include "competitors.h"

#include <errno.h>
#include <json-c/json.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "competitors_place.h"
#include "json_parse.h"
#include "json_print.h"
#include "report.h"

static const char *const known[COMPETITORS_MAX] = {"numpy", "torch", "onnxruntime"};

/* Each name once: the list has room for one of each. */
static tool_status check_names(competitors *r, const char *names, tool_error *error) {
    bool given[COMPETITORS_MAX] = {false};
    for (const char *name = names; name; name = strchr(name, ',')) {
        name += *name == ',';
        const size_t length = strcspn(name, ",");
        int k = 0;
        while (k < COMPETITORS_MAX &&
               (strlen(known[k]) != length || strncmp(known[k], name, length) != 0))
            k++;
        if (k == COMPETITORS_MAX) {
            return tool_fail(error, TOOL_MALFORMED,
                             "option --against: '%.*s' is not one of numpy, torch, onnxruntime",
                             (int)length, name);
        }
        if (given[k])
            return tool_fail(error, TOOL_MALFORMED, "option --against: '%s' is given twice",
                             known[k]);
        given[k] = true;
        r->list[r->count++].name = known[k];
    }
    return TOOL_OK;
}

/* The next line as a JSON object, or NULL. */
static json_object *read_answer(competitors *r, tool_error *error) {
    const char *line;
    json_object *answer = child_process_receive(r->process, 0, &line) == CHILD_LINE
                              ? json_read(line, strlen(line))
                              : NULL;
    if (!answer)
        tool_fail(error, TOOL_ENVIRONMENT, "--against: the Python process ended early");
    return answer;
}

/* answer[key] as text, "" if there is none. */
static void copy_text(json_object *answer, const char *key, char *text, size_t room) {
    json_object *member = NULL;
    json_object_object_get_ex(answer, key, &member);
    snprintf(text, room, "%s", member ? json_word(member) : "");
}

/* The first line of the script names the version of each competitor, or why it is missing. */
static tool_status read_versions(competitors *r, tool_error *error) {
    json_object *answer = read_answer(r, error);
    if (!answer)
        return TOOL_ENVIRONMENT;
    for (uint32_t i = 0; i < r->count; i++) {
        json_object *member = NULL;
        json_object_object_get_ex(answer, r->list[i].name, &member);
        copy_text(member, "version", r->list[i].version, sizeof r->list[i].version);
        copy_text(member, "missing", r->list[i].missing, sizeof r->list[i].missing);
    }
    json_object_put(answer);
    return TOOL_OK;
}

/* The script has the same place below PREFIX of PREFIX/bin/cumsum and below BUILD of
 * BUILD/tools/cumsum. */
static bool find_script(char path[PATH_MAX]) {
    if (!child_process_self(path, PATH_MAX))
        return false;
    for (int i = 0; i < 2; i++) {
        char *slash = strrchr(path, '/');
        if (!slash)
            return false;
        *slash = '\0';
    }
    size_t used = strlen(path);
    snprintf(path + used, PATH_MAX - used, "/%s", COMPETITORS_PLACE);
    return access(path, R_OK) == 0;
}

static tool_status start_script(competitors *r, const char *names, tool_error *error) {
    char script[PATH_MAX];
    tool_error inner;
    const char *python = getenv("PYTHON");
    python = python && *python ? python : "python3";
    if (!find_script(script)) {
        return tool_fail(error, TOOL_ENVIRONMENT,
                         "--against: competitors.py is not beside the program (../%s)",
                         COMPETITORS_PLACE);
    }
    const char *const arguments[] = {script, names, NULL};
    const tool_status status = child_process_start(&r->process, python, arguments, &inner);
    return status == TOOL_OK ? status : tool_fail(error, status, "--against: %s", inner.message);
}

tool_status competitors_begin(competitors *r, const char *names, tool_error *error) {
    *r = (competitors){0};
    tool_status status = check_names(r, names, error);
    if (status == TOOL_OK)
        status = start_script(r, names, error);
    return status == TOOL_OK ? read_versions(r, error) : status;
}

void competitors_end(competitors *r) {
    if (r->process)
        child_process_end(r->process, CHILD_FOREVER, NULL, 0);
    r->process = NULL;
}

static bool any_strides(const workload *w, const uint32_t *strides) {
    uint32_t all = 0;
    for (uint32_t d = 0; d < w->rank; d++)
        all |= strides[d];
    return all != 0;
}

static tool_status send_request(competitors *r, const workload_entry *entry, uint32_t repetitions,
                                tool_error *error) {
    const workload *w = entry->work;
    json_object *request = json_make_object();
    fields_text(request, "type", cumsum_data_type_name(entry->type));
    fields_numbers(request, "sizes", w->rank, w->sizes);
    fields_count(request, "axis", w->axis);
    if (any_strides(w, w->input_strides))
        fields_numbers(request, "inputStrides", w->rank, w->input_strides);
    if (any_strides(w, w->output_strides))
        fields_numbers(request, "outputStrides", w->rank, w->output_strides);
    fields_flag(request, "decreasing", w->decreasing);
    fields_flag(request, "exclusive", w->exclusive);
    fields_flag(request, "inPlace", w->in_place);
    fields_count(request, "threads", entry->threads);
    fields_count(request, "repetitions", repetitions);
    const bool sent = child_process_send(r->process, json_print(request, JSON_C_TO_STRING_PLAIN));
    const int failure = errno;
    json_object_put(request);
    return sent ? TOOL_OK
                : tool_fail(error, TOOL_ENVIRONMENT, "--against: cannot ask the Python process: %s",
                            strerror(failure));
}

tool_status competitors_measure(competitors *r, const workload_entry *entry, uint32_t repetitions,
                                competitor_time *times, tool_error *error) {
    if (r->count == 0)
        return TOOL_OK;
    const tool_status status = send_request(r, entry, repetitions, error);
    json_object *answer = status == TOOL_OK ? read_answer(r, error) : NULL;
    if (!answer)
        return TOOL_ENVIRONMENT;
    for (uint32_t i = 0; i < r->count; i++) {
        json_object *member = NULL;
        json_object *seconds = NULL;
        json_object_object_get_ex(answer, r->list[i].name, &member);
        json_object_object_get_ex(member, "seconds", &seconds);
        times[i].seconds = json_object_get_double(seconds);
        copy_text(member, "reason", times[i].reason, sizeof times[i].reason);
    }
    json_object_put(answer);
    return TOOL_OK;
}
