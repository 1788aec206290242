/* SPDX-License-Identifier: MIT */
#include "sweep_results.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json_document.h"
#include "memory.h"
#include "memory_limit.h"
#include "results_check.h"
#include "results_line.h"
#include "sweep_shard.h"

static results_problem *add_problem(sweep_results *r, tool_status status, const char *message) {
    size_t count = r->problem_count + 1;
    r->problems = tool_realloc(r->problems, count, sizeof *r->problems);
    results_problem *problem = &r->problems[r->problem_count++];
    *problem = (results_problem){.status = status, .message = tool_strdup(message)};
    problem->rule = problem->message;
    return problem;
}

void sweep_results_problem(sweep_results *r, const results_part *part, uint64_t line,
                           bool incomplete, const char *format, ...) {
    char text[600];
    char rule[sizeof text];
    tool_error error;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    json_printable(rule, sizeof rule, text, strlen(text));
    tool_fail(&error, TOOL_MALFORMED, "%.400s:%" PRIu64 ": %s", part->path, line, rule);
    results_problem *problem = add_problem(r, TOOL_MALFORMED, error.message);
    problem->incomplete = incomplete;
    problem->rule += strlen(error.message) - strlen(rule);
}

/* A line cannot be understood, or not kept: what follows may be anything. */
static void give_up(sweep_results *r, results_part *part, tool_status status,
                    const tool_error *error) {
    part->broken = true;
    add_problem(r, status, error->message);
}

static void say_twice(sweep_results *r, const results_part *part, const char *name) {
    const results_case *first = &r->cases[name_set_find(&r->names, name)];
    sweep_results_problem(r, part, part->lines, false,
                          "the case %.300s is also in %.150s:%" PRIu64 ": a case has one result",
                          name, r->parts[first->part].path, first->line);
}

static void add_case(sweep_results *r, results_part *part, const results_line *line) {
    const sweep_shard shard = {(uint32_t)part->shard - 1, (uint32_t)part->shards};
    part->cases++;
    part->tally.states[line->state]++;
    part->tally.flaky += line->flaky;
    if (!sweep_shard_has(&shard, line->name)) {
        sweep_results_problem(r, part, part->lines, false,
                              "the case %.300s is not one of shard %" PRIu64 " of %" PRIu64,
                              line->name, part->shard, part->shards);
        return;
    }
    if (!name_set_add(&r->names, line->name)) {
        say_twice(r, part, line->name);
        return;
    }
    if (r->names.count > r->room) {
        r->room = r->room ? 2 * r->room : 256;
        r->cases = tool_realloc(r->cases, r->room, sizeof *r->cases);
    }
    r->cases[r->names.count - 1] = (results_case){.part = (uint32_t)(part - r->parts),
                                                  .line = part->lines,
                                                  .text = line->text,
                                                  .length = line->length,
                                                  .state = line->state,
                                                  .outcome = line->outcome,
                                                  .flaky = line->flaky};
    r->tally.states[line->state]++;
    r->tally.flaky += line->flaky;
}

static void take_header(sweep_results *r, results_part *part, const results_line *line) {
    part->header = json_object_get(line->object);
    part->shard = line->shard;
    part->shards = line->shards;
    part->selected = line->selected;
    part->broken = !results_check_header(r, part);
}

static bool is_in_place(const results_part *part, const results_line *line, tool_error *error) {
    if ((line->event == RESULTS_SWEEP) != (part->lines == 1)) {
        tool_fail(error, TOOL_MALFORMED,
                  "%.400s:%" PRIu64 ": the first line of results, and no other, has the event "
                  "\"sweep\"",
                  part->path, part->lines);
        return false;
    }
    /* A sweep's standard output with --json has a summary behind the end, and is as good. */
    if (part->end && line->event != RESULTS_SUMMARY) {
        tool_fail(error, TOOL_MALFORMED, "%.400s:%" PRIu64 ": there is more behind the end",
                  part->path, part->lines);
        return false;
    }
    return true;
}

static void take_line(sweep_results *r, results_part *part, const char *text, size_t length) {
    tool_error error;
    results_line line = {.text = text, .length = length};
    const tool_status status = results_line_read(&line, part->path, ++part->lines, &error);
    if (status != TOOL_OK || !is_in_place(part, &line, &error))
        give_up(r, part, status != TOOL_OK ? status : TOOL_MALFORMED, &error);
    else if (line.event == RESULTS_SWEEP)
        take_header(r, part, &line);
    else if (line.event == RESULTS_CASE)
        add_case(r, part, &line);
    else if (line.event == RESULTS_END)
        part->end = json_object_get(line.object);
    results_line_free(&line);
}

static void take_lines(sweep_results *r, results_part *part) {
    const char *at = part->text;
    const char *end = at + part->size;
    while (at < end && !part->broken) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        if (!stop && !part->end) /* cut off: the end is missing, which is said elsewhere */
            return;
        take_line(r, part, at, (size_t)((stop ? stop : end) - at));
        at = stop ? stop + 1 : end;
    }
}

static results_part *add_part(sweep_results *r, const char *path) {
    r->parts = tool_realloc(r->parts, (size_t)r->part_count + 1, sizeof *r->parts);
    results_part *part = &r->parts[r->part_count++];
    *part = (results_part){.path = path};
    return part;
}

static void take_text(sweep_results *r, results_part *part, const char *text, size_t size) {
    part->text = text;
    part->size = size;
    take_lines(r, part);
    if (!part->header && !part->broken) {
        sweep_results_problem(
            r, part, 1, false,
            "the first line of results, which says what the sweep is, is missing");
        part->broken = true;
    }
}

void sweep_results_read(sweep_results *r, const char *path) {
    tool_error error;
    results_part *part = add_part(r, path);
    tool_status status = file_read(path, &part->contents, &error);
    if (status == TOOL_OK) {
        take_text(r, part, (const char *)part->contents.bytes, part->contents.size);
    } else {
        part->broken = true;
        add_problem(r, status, error.message);
    }
}

void sweep_results_read_text(sweep_results *r, const char *path, const char *text, size_t length) {
    take_text(r, add_part(r, path), text, length);
}

static int by_shard(const void *a, const void *b) {
    const results_part *x = a;
    const results_part *y = b;
    return x->shard < y->shard ? -1 : x->shard > y->shard;
}

results_part *sweep_results_parts(const sweep_results *r) {
    results_part *parts = tool_calloc((size_t)r->part_count + 1, sizeof *parts);
    memcpy(parts, r->parts, r->part_count * sizeof *parts);
    qsort(parts, r->part_count, sizeof *parts, by_shard);
    return parts;
}

void sweep_results_free(sweep_results *r) {
    for (uint32_t i = 0; i < r->part_count; i++) {
        json_object_put(r->parts[i].header);
        json_object_put(r->parts[i].end);
        memory_release(r->parts[i].contents.bytes);
    }
    for (size_t i = 0; i < r->problem_count; i++)
        free(r->problems[i].message);
    name_set_free(&r->names);
    free(r->parts);
    free(r->cases);
    free(r->problems);
    *r = (sweep_results){0};
}
