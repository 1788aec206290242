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
#include "json_print.h"
#include "json_value.h"
#include "memory.h"
#include "memory_limit.h"
#include "sweep_state.h"
#include "text.h"

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

/* The member as JSON, or "absent". It lives as long as the object. */
static const char *member_text(json_object *header, const char *key) {
    json_object *member;
    return json_object_object_get_ex(header, key, &member)
               ? json_print(member, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE)
               : "absent";
}

bool header_differs(json_object *header, json_object *other, const char *const *apart,
                    char why[HEADER_WHY_ROOM]) {
    const char *key = missing_in(other, header, apart);
    char text[HEADER_WHY_ROOM];
    key = key ? key : missing_in(header, other, apart);
    if (!key)
        return false;
    if (strcmp(key, "selection") == 0)
        snprintf(text, sizeof text,
                 "the same lists and patterns select other cases here and there");
    else
        snprintf(text, sizeof text, "\"%.40s\" is %.150s, not %.150s", key,
                 member_text(header, key), member_text(other, key));
    text_printable(why, HEADER_WHY_ROOM, text, strlen(text));
    return true;
}

static results_problem *add_problem(sweep_results *r, tool_status status, const char *message) {
    r->problems = tool_grow(r->problems, r->problem_count, sizeof *r->problems);
    results_problem *problem = &r->problems[r->problem_count++];
    *problem = (results_problem){.status = status, .message = tool_strdup(message)};
    problem->rule = problem->message;
    return problem;
}

__attribute__((format(printf, 5, 6))) static void note_problem(sweep_results *r,
                                                               const results_file *file,
                                                               uint64_t line, bool incomplete,
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

/* Checks that the last file belongs to the same sweep as the files before it, and that its shard is
 * new. Otherwise adds a problem. */
static bool check_first_line(sweep_results *r, const results_file *file) {
    static const char *const apart[] = {"run", "runs", "shard", "selected", "incomplete", NULL};
    char why[HEADER_WHY_ROOM];
    const results_file *first = NULL;
    const results_file *twin = NULL;
    for (const results_file *other = r->files; other < file; other++) {
        first = first || !other->header ? first : other;
        twin = other->header && other->shard == file->shard ? other : twin;
    }
    if (first && header_differs(file->header, first->header, apart, why)) {
        note_problem(r, file, 1, false, "another sweep than that of %.150s: %s", first->path, why);
        return false;
    }
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

static void check_shards(sweep_results *r) {
    uint64_t next = 1;
    for (uint32_t i = 0; i < r->file_count; i++) {
        say_missing(r, &r->files[0], next, r->files[i].shard);
        next = r->files[i].shard + 1;
    }
    say_missing(r, &r->files[0], next, r->files[0].shards + 1);
}

/* A broken file may hold any shard, so missing shards are not searched for then. */
void sweep_results_check(sweep_results *r) {
    if (r->file_count)
        qsort(r->files, r->file_count, sizeof *r->files, by_shard);
    for (uint32_t i = 0; i < r->file_count; i++)
        if (!r->files[i].broken)
            check_file(r, &r->files[i]);
    if (r->file_count && !sweep_results_wrong(r))
        check_shards(r);
}

bool sweep_results_wrong(const sweep_results *r) {
    for (size_t i = 0; i < r->problem_count; i++)
        if (!r->problems[i].incomplete)
            return true;
    return false;
}

const results_case *sweep_results_find(const sweep_results *r, const char *name) {
    const size_t place = name_set_find(&r->names, name);
    return place == SIZE_MAX ? NULL : &r->cases[place];
}

/* The name belongs to the line that was read. */
static void take_case(sweep_results *r, results_file *file, const results_case *one) {
    const sweep_shard shard = {(uint32_t)file->shard - 1, (uint32_t)file->shards, NULL};
    file->cases++;
    sweep_count(&file->counts, one->state, one->flaky);
    if (!sweep_shard_has(&shard, one->name)) {
        note_problem(r, file, file->lines, false,
                     "the case %.300s is not one of shard %" PRIu64 " of %" PRIu64, one->name,
                     file->shard, file->shards);
        return;
    }
    if (!name_set_add(&r->names, one->name)) {
        const results_case *first = sweep_results_find(r, one->name);
        note_problem(r, file, file->lines, false,
                     "the case %.300s is also in %.150s:%" PRIu64 ": a case has one result",
                     one->name, first->path, first->line);
        return;
    }
    r->cases = tool_grow(r->cases, r->names.count - 1, sizeof *r->cases);
    r->cases[r->names.count - 1] = *one;
    r->cases[r->names.count - 1].name = r->names.names[r->names.count - 1];
    sweep_count(&r->counts, one->state, one->flaky);
}

static sweep_state read_state(const json_value *value) {
    const char *word = json_string(*value);
    sweep_state state = 0;
    if (json_ok(value) && !sweep_state_find(word, &state))
        json_fail(value, TOOL_MALFORMED, "'%.40s' is no state of a case", word);
    return state;
}

/* The member "outcome" is there if it differs from the state. */
static void read_case(sweep_results *r, results_file *file, const json_value *root) {
    json_value member = json_need(root, "name");
    results_case one = {.name = json_string(member),
                        .path = file->path,
                        .line = file->lines,
                        .text = root->document->text,
                        .length = root->document->length};
    case_spec spec;
    tool_error inner;
    if (json_ok(root) && case_parse(one.name, &spec, &inner) != TOOL_OK)
        json_fail(&member, TOOL_MALFORMED, "%.600s", inner.message);
    member = json_need(root, "state");
    one.state = one.outcome = read_state(&member);
    if (json_member(root, "outcome", &member))
        one.outcome = read_state(&member);
    one.flaky = json_member(root, "flaky", &member);
    one.remarked = json_member(root, "reason", &member);
    if (json_ok(root))
        take_case(r, file, &one);
}

static uint64_t read_count_member(const json_value *root, const char *name, uint64_t minimum,
                                  uint64_t maximum) {
    const json_value member = json_need(root, name);
    const uint64_t number = json_integer(member, "a count", 0, maximum);
    if (number < minimum)
        json_fail(&member, TOOL_MALFORMED, "shards are counted from 1 on");
    return number;
}

static json_object *object_of(const json_value *root) {
    return json_read(root->document->text, root->document->length);
}

static void read_header(sweep_results *r, results_file *file, const json_value *root) {
    json_string(json_need(root, "version"));
    json_string(json_need(root, "backend"));
    file->shards = read_count_member(root, "shards", 1, UINT32_MAX);
    file->shard = read_count_member(root, "shard", 1, file->shards);
    file->selected = read_count_member(root, "selected", 0, INT64_MAX);
    if (json_ok(root)) {
        file->header = object_of(root);
        file->broken = !check_first_line(r, file);
    }
}

/* The standard output of sweep --json has a summary behind the footer, and is accepted. */
static void read_result_line(sweep_results *r, results_file *file, const json_value *root) {
    const json_value member = json_need(root, "event");
    const char *event = json_string(member);
    const bool begins = strcmp(event, "sweep") == 0;
    const bool summary = strcmp(event, "summary") == 0;
    if (!json_ok(root))
        return;
    if (begins != (file->lines == 1)) {
        json_fail(&member, TOOL_MALFORMED,
                  "the first line of results, and no other, has the event \"sweep\"");
    } else if (file->end && !summary) {
        json_fail(&member, TOOL_MALFORMED, "there is more behind the end");
    } else if (begins) {
        read_header(r, file, root);
    } else if (strcmp(event, "case") == 0) {
        read_case(r, file, root);
    } else if (strcmp(event, "end") == 0) {
        file->end = object_of(root);
    } else if (!summary) {
        json_fail(&member, TOOL_MALFORMED, "'%.40s' is none of the events sweep, case and end",
                  event);
    }
}

/* Behind a broken line there may be anything, so it ends the reading of its file. */
static void take_result_line(sweep_results *r, results_file *file, const char *text,
                             size_t length) {
    tool_error error;
    json_document document;
    if (json_parse(&document, text, length, file->path, ++file->lines, &error) == TOOL_OK) {
        const json_value root = json_root(&document);
        if (json_expect(&root, json_type_object))
            read_result_line(r, file, &root);
    }
    if (document.status != TOOL_OK) {
        file->broken = true;
        add_problem(r, document.status, error.message);
    }
    json_free(&document);
}

static void take_lines(sweep_results *r, results_file *file) {
    const char *at = (const char *)file->contents.bytes;
    const char *end = at + file->contents.size;
    while (at < end && !file->broken) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        if (!stop && !file->end) /* cut off: check_file reports the missing footer */
            return;
        take_result_line(r, file, at, (size_t)((stop ? stop : end) - at));
        at = stop ? stop + 1 : end;
        file->kept = file->end || file->broken ? file->kept
                                               : (size_t)(at - (const char *)file->contents.bytes);
    }
}

static results_file *add_file(sweep_results *r, const char *path) {
    r->files = tool_grow(r->files, r->file_count, sizeof *r->files);
    results_file *file = &r->files[r->file_count++];
    *file = (results_file){.path = path};
    return file;
}

void sweep_results_read(sweep_results *r, const char *path) {
    tool_error error;
    results_file *file = add_file(r, path);
    const tool_status status = file_read(path, &file->contents, &error);
    if (status == TOOL_OK)
        take_lines(r, file);
    else
        add_problem(r, status, error.message);
    if (status == TOOL_OK && !file->header && !file->broken)
        note_problem(r, file, 1, false,
                     "the first line of results, which says what the sweep is, is missing");
    file->broken = file->broken || !file->header;
}

void sweep_results_add(sweep_results *r, const char *line) {
    results_file *file = r->file_count ? &r->files[0] : add_file(r, "the results");
    char *own = tool_strdup(line);
    r->lines = tool_grow(r->lines, r->line_count, sizeof *r->lines);
    r->lines[r->line_count++] = own;
    take_result_line(r, file, own, strlen(own));
}

void sweep_results_free(sweep_results *r) {
    for (size_t i = 0; i < r->line_count; i++)
        free(r->lines[i]);
    free(r->lines);
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

json_object *results_record(const results_case *one) {
    return json_read(one->text, one->length);
}

/* What happened, where the state is not that, and what the baseline has instead. */
static void put_outcome(FILE *out, json_object *record) {
    const char *outcome = json_find_text(record, "outcome");
    const char *expected = json_find_text(record, "expected");
    if (*outcome)
        fprintf(out, "; %s", outcome);
    if (*outcome && *expected && strcmp(outcome, expected) != 0)
        fprintf(out, ", where the baseline has %s", expected);
}

static void put_list(FILE *out, const char *title, json_object *texts, const char *separator) {
    for (size_t i = 0; texts && i < json_object_array_length(texts); i++)
        fprintf(out, "%s%s", i ? separator : title, json_item_text(texts, i));
}

static void put_words(FILE *out, json_object *record, bool counted) {
    const char *differing = json_find_text(record, "differing");
    const char *reason = json_find_text(record, "reason");
    const char *waiver = json_find_text(record, "waiver");
    put_outcome(out, record);
    if (counted && *differing && strcmp(differing, "0") != 0 &&
        !json_find(record, "unstable", json_type_object))
        fprintf(out, "; %s of %s elements differ", differing, json_find_text(record, "outputs"));
    put_list(out, json_object_object_get_ex(record, "flaky", NULL) ? "; flaky: " : "; ",
             json_find(record, "attempts", json_type_array), ", then ");
    put_list(out, "; adapted: ", json_find(record, "adapted", json_type_array), ", ");
    if (*reason)
        fprintf(out, "; %s", reason);
    if (*waiver)
        fprintf(out, "; %s", waiver);
}

/* Each phrase begins with a separator; the first separator is removed. */
char *results_headline(json_object *record, bool counted) {
    text_buffer buffer;
    text_buffer_open(&buffer);
    put_words(buffer.stream, record, counted);
    char *text = text_buffer_close(&buffer);
    size_t separator = *text ? 2 : 0;
    memmove(text, text + separator, strlen(text + separator) + 1);
    return text;
}

/* The reason of an accepted output has the verdict already. */
char *results_outcome_words(const results_case *one) {
    json_object *record = results_record(one);
    const char *verdict = one->outcome != SWEEP_PASS ? json_find_text(record, "verdict") : "";
    char *headline = results_headline(record, true);
    char *words =
        text_format("%s%s%s%s%s", sweep_state_name(one->state), *headline ? ": " : "", headline,
                    !*verdict   ? ""
                    : *headline ? "; "
                                : ": ",
                    verdict);
    free(headline);
    json_object_put(record);
    return words;
}

char *results_subject(json_object *header) {
    const char *device = json_find_text(header, "device");
    return *device ? tool_strdup(device)
                   : text_format("%s, kernel %s", json_find_text(header, "backend"),
                                 json_find_text(header, "kernel"));
}
