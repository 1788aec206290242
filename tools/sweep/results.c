/* SPDX-License-Identifier: MIT */
/*
 * Reads the results files of a sweep's shards (docs/command-line.md, the results of a sweep), joins
 * them, and checks that they are one whole sweep: equal headers, each shard once, each case once
 * and in its own shard, footers that count right. A broken line ends the reading of its file.
 */
#include "results.h"

#include <inttypes.h>
#include <json-c/json.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case_name.h"
#include "error.h"
#include "json_parse.h"
#include "json_print.h"
#include "json_value.h"
#include "memory.h"
#include "memory_limit.h"
#include "results_words.h"
#include "sweep_state.h"
#include "text.h"
#include "word_table.h"

typedef enum results_event {
    RESULTS_SWEEP,
    RESULTS_CASE,
    RESULTS_END,
    RESULTS_SUMMARY
} results_event;

typedef struct results_line {
    const char *text; /* not terminated */
    size_t length;
    results_event event;
    json_object *object;       /* of a sweep and an end; else NULL */
    char name[CASE_NAME_ROOM]; /* of a case, as the three below */
    sweep_state state;
    sweep_state outcome;
    bool flaky;
    uint64_t shard; /* of a sweep, as the two below */
    uint64_t shards;
    uint64_t selected;
} results_line;

static bool is_among(const char *key, const char *const *keys) {
    for (; *keys; keys++)
        if (strcmp(*keys, key) == 0)
            return true;
    return false;
}

/* The first member of a that b lacks, or has with another value. */
static const char *missing_in(json_object *b, json_object *a, const char *const *apart) {
    json_object *other = NULL;
    json_object_object_foreach(a, key, value) {
        bool same = json_object_object_get_ex(b, key, &other) && json_object_equal(value, other);
        if (!same && !is_among(key, apart))
            return key;
    }
    return NULL;
}

const char *header_difference(json_object *a, json_object *b, const char *const *apart) {
    const char *key = missing_in(b, a, apart);
    return key ? key : missing_in(a, b, apart);
}

const char *header_member_text(json_object *header, const char *key) {
    json_object *member;
    return json_object_object_get_ex(header, key, &member)
               ? json_print(member, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE)
               : "absent";
}

const char *header_other_selection(json_object *a, json_object *b) {
    return json_object_object_get_ex(a, "selection", NULL) &&
                   json_object_object_get_ex(b, "selection", NULL)
               ? "the same lists and patterns select other cases here and there"
               : "an older cumsum began one of them, and did not record what its lists select";
}

static results_event read_event(const json_value *root) {
    static const word_row events[] = {{"sweep", RESULTS_SWEEP},
                                      {"case", RESULTS_CASE},
                                      {"end", RESULTS_END},
                                      {"summary", RESULTS_SUMMARY},
                                      {NULL, 0}};
    const json_value member = json_need(root, "event");
    const char *text = json_string(member);
    int event = RESULTS_SUMMARY;
    if (!word_find(events, text, &event))
        json_fail(&member, TOOL_MALFORMED, "'%.40s' is none of the events sweep, case and end",
                  text);
    return (results_event)event;
}

static uint64_t read_count_member(const json_value *root, const char *name, uint64_t minimum,
                                  uint64_t maximum) {
    const json_value member = json_need(root, name);
    const uint64_t number = json_integer(member, "a count", 0, maximum);
    if (number < minimum)
        json_fail(&member, TOOL_MALFORMED, "shards are counted from 1 on");
    return number;
}

static void read_sweep(const json_value *root, results_line *line) {
    json_string(json_need(root, "version"));
    json_string(json_need(root, "backend"));
    line->shards = read_count_member(root, "shards", 1, UINT32_MAX);
    line->shard = read_count_member(root, "shard", 1, line->shards);
    line->selected = read_count_member(root, "selected", 0, INT64_MAX);
}

static sweep_state read_state(const json_value *value) {
    const char *word = json_string(*value);
    sweep_state state = 0;
    if (json_ok(value) && !sweep_state_find(word, &state))
        json_fail(value, TOOL_MALFORMED, "'%.40s' is no state of a case", word);
    return state;
}

/* The member "outcome" is there if it differs from the state. */
static void read_case(const json_value *root, results_line *line) {
    json_value member = json_need(root, "name");
    const char *name = json_string(member);
    case_spec spec;
    tool_error inner;
    if (json_ok(root) && case_parse(name, &spec, &inner) != TOOL_OK)
        json_fail(&member, TOOL_MALFORMED, "%.600s", inner.message);
    snprintf(line->name, sizeof line->name, "%s", name);
    member = json_need(root, "state");
    line->state = line->outcome = read_state(&member);
    if (json_member(root, "outcome", &member))
        line->outcome = read_state(&member);
    line->flaky = json_member(root, "flaky", &member);
}

static void keep_object(results_line *line, const json_value *root) {
    line->object = json_read(line->text, line->length);
    if (!line->object)
        json_fail(root, TOOL_MALFORMED, "the line cannot be read");
}

/*
 * Reads the members of line->text that joining needs. TOOL_MALFORMED, with a message that begins
 * with "path:number:", if it is no JSON object, or none that a sweep writes. line_free frees the
 * line in any case.
 */
static tool_status line_read(results_line *line, const char *path, uint64_t number,
                             tool_error *error) {
    json_document document;
    if (json_parse(&document, line->text, line->length, path, number, error) == TOOL_OK) {
        const json_value root = json_root(&document);
        if (json_expect(&root, json_type_object))
            line->event = read_event(&root);
        if (json_ok(&root) && line->event == RESULTS_SWEEP)
            read_sweep(&root, line);
        else if (json_ok(&root) && line->event == RESULTS_CASE)
            read_case(&root, line);
        if (json_ok(&root) && (line->event == RESULTS_SWEEP || line->event == RESULTS_END))
            keep_object(line, &root);
    }
    json_free(&document);
    return document.status;
}

static void line_free(results_line *line) {
    json_object_put(line->object);
    line->object = NULL;
}

static results_problem *add_problem(sweep_results *r, tool_status status, const char *message) {
    r->problems = tool_grow(r->problems, r->problem_count, sizeof *r->problems);
    results_problem *problem = &r->problems[r->problem_count++];
    *problem = (results_problem){.status = status, .message = tool_strdup(message)};
    problem->rule = problem->message;
    return problem;
}

static void note_problem(sweep_results *r, const results_file *file, uint64_t line, bool incomplete,
                         const char *format, ...) __attribute__((format(printf, 5, 6)));

static void note_problem(sweep_results *r, const results_file *file, uint64_t line, bool incomplete,
                         const char *format, ...) {
    char text[600];
    char rule[sizeof text];
    tool_error error;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    text_printable(rule, sizeof rule, text, strlen(text));
    tool_fail(&error, TOOL_MALFORMED, "%.400s:%" PRIu64 ": %s", file->path, line, rule);
    results_problem *problem = add_problem(r, TOOL_MALFORMED, error.message);
    problem->incomplete = incomplete;
    problem->rule += strlen(error.message) - strlen(rule);
}

static bool check_same_sweep(sweep_results *r, const results_file *first,
                             const results_file *file) {
    static const char *const apart[] = {"run", "runs", "shard", "selected", "incomplete", NULL};
    const char *key = header_difference(file->header, first->header, apart);
    if (key && strcmp(key, "selection") == 0) {
        note_problem(r, file, 1, false, "another sweep than that of %.150s: %s", first->path,
                     header_other_selection(file->header, first->header));
    } else if (key) {
        note_problem(r, file, 1, false,
                     "another sweep than that of %.150s: \"%.40s\" is %.150s here, and "
                     "%.150s there",
                     first->path, key, header_member_text(file->header, key),
                     header_member_text(first->header, key));
    }
    return !key;
}

/* Checks that the last file belongs to the same sweep as the files before it, and that its shard is
 * new. Otherwise adds a problem. */
static bool check_first_line(sweep_results *r, const results_file *file) {
    const results_file *first = NULL;
    const results_file *twin = NULL;
    for (const results_file *other = r->files; other < file; other++) {
        first = first || !other->header ? first : other;
        twin = other->header && other->shard == file->shard ? other : twin;
    }
    if (!first)
        return true;
    if (!check_same_sweep(r, first, file))
        return false;
    if (twin) {
        note_problem(r, file, 1, false, "shard %" PRIu64 " of %" PRIu64 " is also in %.400s",
                     file->shard, file->shards, twin->path);
    }
    return !twin;
}

/* A state that is missing is younger than the file: 0. */
static uint64_t count_of(json_object *states, const char *key) {
    json_object *member;
    if (json_object_is_type(states, json_type_object) &&
        !json_object_object_get_ex(states, key, &member))
        return 0;
    const bool found = json_object_object_get_ex(states, key, &member) &&
                       json_object_is_type(member, json_type_int) &&
                       json_object_get_int64(member) >= 0; /* a negative one becomes 0 below */
    return found ? json_object_get_uint64(member) : UINT64_MAX;
}

/* The footer of a file has its counts. */
static void check_counts(sweep_results *r, const results_file *file) {
    json_object *states = NULL;
    json_object_object_get_ex(file->end, "states", &states);
    for (int i = 0; i < SWEEP_STATES; i++) {
        const char *name = sweep_state_name((sweep_state)i);
        if (count_of(states, name) != file->counts.states[i]) {
            note_problem(r, file, file->lines, false,
                         "the end counts other cases than there are: %" PRIu64
                         " with the state %s are there",
                         file->counts.states[i], name);
            return;
        }
    }
    if (file->cases != file->selected) {
        note_problem(r, file, file->lines, false,
                     "%" PRIu64 " cases are there, but %" PRIu64 " were selected", file->cases,
                     file->selected);
    }
}

static void check_file(sweep_results *r, const results_file *file) {
    json_object *reasons = json_find(file->header, "incomplete", json_type_array);
    if (file->end) {
        check_counts(r, file);
    } else {
        note_problem(r, file, file->lines, true,
                     "shard %" PRIu64 " of %" PRIu64 " is not complete, the event \"end\" "
                     "is missing: it was killed or still runs, and %" PRIu64 " of %" PRIu64
                     " cases are there",
                     file->shard, file->shards, file->cases, file->selected);
    }
    for (size_t i = 0; reasons && i < json_object_array_length(reasons); i++)
        note_problem(r, file, 1, true, "%.500s", json_item_text(reasons, i));
}

/* Reports the shards from `from` to below `to` as missing. */
static void say_missing(sweep_results *r, const results_file *first, uint64_t from, uint64_t to) {
    if (from + 1 == to) {
        note_problem(r, first, 1, true, "of %" PRIu64 " shards, %" PRIu64 " is missing",
                     first->shards, from);
    } else if (from < to) {
        note_problem(r, first, 1, true,
                     "of %" PRIu64 " shards, %" PRIu64 " to %" PRIu64 " are missing", first->shards,
                     from, to - 1);
    }
}

static int by_shard(const void *a, const void *b) {
    const results_file *x = a;
    const results_file *y = b;
    return x->shard < y->shard ? -1 : x->shard > y->shard;
}

/* The files in the order of their shards, as copies that share what r owns. The caller frees the
 * array. */
static results_file *sorted_files(const sweep_results *r) {
    results_file *files = tool_calloc((size_t)r->file_count + 1, sizeof *files);
    memcpy(files, r->files, r->file_count * sizeof *files);
    qsort(files, r->file_count, sizeof *files, by_shard);
    return files;
}

static void check_shards(sweep_results *r, const results_file *files) {
    uint64_t next = 1;
    for (uint32_t i = 0; i < r->file_count; i++) {
        say_missing(r, &files[0], next, files[i].shard);
        next = files[i].shard + 1;
    }
    say_missing(r, &files[0], next, files[0].shards + 1);
}

/* A broken file may hold any shard, so missing shards are not searched for then. */
results_file *sweep_results_check(sweep_results *r) {
    results_file *files = sorted_files(r);
    for (uint32_t i = 0; i < r->file_count; i++)
        if (!files[i].broken)
            check_file(r, &files[i]);
    if (r->file_count && !sweep_results_wrong(r))
        check_shards(r, files);
    return files;
}

bool sweep_results_wrong(const sweep_results *r) {
    for (size_t i = 0; i < r->problem_count; i++)
        if (!r->problems[i].incomplete)
            return true;
    return false;
}

/* Stops the reading of a file: behind a broken line there may be anything. */
static void give_up(sweep_results *r, results_file *file, tool_status status,
                    const tool_error *error) {
    file->broken = true;
    add_problem(r, status, error->message);
}

static void say_twice(sweep_results *r, const results_file *file, const char *name) {
    const results_case *first = &r->cases[name_set_find(&r->names, name)];
    note_problem(r, file, file->lines, false,
                 "the case %.300s is also in %.150s:%" PRIu64 ": a case has one result", name,
                 r->files[first->file].path, first->line);
}

static void take_case(sweep_results *r, results_file *file, const results_line *line) {
    const sweep_shard shard = {(uint32_t)file->shard - 1, (uint32_t)file->shards};
    file->cases++;
    file->counts.states[line->state]++;
    file->counts.flaky += line->flaky;
    if (!sweep_shard_has(&shard, line->name)) {
        note_problem(r, file, file->lines, false,
                     "the case %.300s is not one of shard %" PRIu64 " of %" PRIu64, line->name,
                     file->shard, file->shards);
        return;
    }
    if (!name_set_add(&r->names, line->name)) {
        say_twice(r, file, line->name);
        return;
    }
    r->cases = tool_grow(r->cases, r->names.count - 1, sizeof *r->cases);
    r->cases[r->names.count - 1] = (results_case){.name = r->names.names[r->names.count - 1],
                                                  .file = (uint32_t)(file - r->files),
                                                  .line = file->lines,
                                                  .text = line->text,
                                                  .length = line->length,
                                                  .state = line->state,
                                                  .outcome = line->outcome,
                                                  .flaky = line->flaky};
    r->counts.states[line->state]++;
    r->counts.flaky += line->flaky;
}

static void take_header(sweep_results *r, results_file *file, const results_line *line) {
    file->header = json_object_get(line->object);
    file->shard = line->shard;
    file->shards = line->shards;
    file->selected = line->selected;
    file->broken = !check_first_line(r, file);
}

static bool is_in_place(const results_file *file, const results_line *line, tool_error *error) {
    if ((line->event == RESULTS_SWEEP) != (file->lines == 1)) {
        tool_fail(error, TOOL_MALFORMED,
                  "%.400s:%" PRIu64 ": the first line of results, and no other, has the event "
                  "\"sweep\"",
                  file->path, file->lines);
        return false;
    }
    /* The standard output of sweep --json has a summary behind the footer, and is accepted. */
    if (file->end && line->event != RESULTS_SUMMARY) {
        tool_fail(error, TOOL_MALFORMED, "%.400s:%" PRIu64 ": there is more behind the end",
                  file->path, file->lines);
        return false;
    }
    return true;
}

static void take_result_line(sweep_results *r, results_file *file, const char *text,
                             size_t length) {
    tool_error error;
    results_line line = {.text = text, .length = length};
    const tool_status status = line_read(&line, file->path, ++file->lines, &error);
    if (status != TOOL_OK || !is_in_place(file, &line, &error))
        give_up(r, file, status != TOOL_OK ? status : TOOL_MALFORMED, &error);
    else if (line.event == RESULTS_SWEEP)
        take_header(r, file, &line);
    else if (line.event == RESULTS_CASE)
        take_case(r, file, &line);
    else if (line.event == RESULTS_END)
        file->end = json_object_get(line.object);
    line_free(&line);
}

static void take_lines(sweep_results *r, results_file *file) {
    const char *at = file->text;
    const char *end = at + file->size;
    while (at < end && !file->broken) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        if (!stop && !file->end) /* cut off: check_file reports the missing footer */
            return;
        take_result_line(r, file, at, (size_t)((stop ? stop : end) - at));
        at = stop ? stop + 1 : end;
        file->kept = file->end || file->broken ? file->kept : (size_t)(at - file->text);
    }
}

static results_file *add_file(sweep_results *r, const char *path) {
    r->files = tool_grow(r->files, r->file_count, sizeof *r->files);
    results_file *file = &r->files[r->file_count++];
    *file = (results_file){.path = path};
    return file;
}

static void take_results(sweep_results *r, results_file *file, const char *text, size_t size) {
    file->text = text;
    file->size = size;
    take_lines(r, file);
    if (!file->header && !file->broken) {
        note_problem(r, file, 1, false,
                     "the first line of results, which says what the sweep is, is missing");
        file->broken = true;
    }
}

void sweep_results_read(sweep_results *r, const char *path) {
    tool_error error;
    results_file *file = add_file(r, path);
    tool_status status = file_read(path, &file->contents, &error);
    if (status == TOOL_OK) {
        take_results(r, file, (const char *)file->contents.bytes, file->contents.size);
    } else {
        file->broken = true;
        add_problem(r, status, error.message);
    }
}

void sweep_results_read_text(sweep_results *r, const char *path, const char *text, size_t length) {
    take_results(r, add_file(r, path), text, length);
}

void sweep_results_free(sweep_results *r) {
    for (uint32_t i = 0; i < r->file_count; i++) {
        json_object_put(r->files[i].header);
        json_object_put(r->files[i].end);
        memory_free(r->files[i].contents.bytes);
    }
    for (size_t i = 0; i < r->problem_count; i++)
        free(r->problems[i].message);
    name_set_free(&r->names);
    free(r->files);
    free(r->cases);
    free(r->problems);
    free(r->sorted);
    json_object_put(r->header);
    json_object_put(r->footer);
    *r = (sweep_results){0};
}
