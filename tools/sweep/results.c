/* SPDX-License-Identifier: MIT */
/*
 * Reads the results files of a sweep's shards (docs/formats.md, the results of a sweep), joins
 * them, and checks that they are one whole sweep: equal headers, each shard once, each case once
 * and in its own shard. The first thing that is wrong ends the reading.
 */
#include "results.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case_name.h"
#include "error.h"
#include "json_tree.h"
#include "json_value.h"
#include "memory.h"
#include "memory_limit.h"
#include "report.h"
#include "sweep_source.h"
#include "sweep_state.h"
#include "text.h"

/* Is it a member of a header in which the shards of a sweep differ? */
static bool is_apart(const char *key) {
    static const char *const apart[] = {"machines", "shard", "selected", "incomplete"};
    for (size_t i = 0; i < sizeof apart / sizeof apart[0]; i++)
        if (strcmp(apart[i], key) == 0)
            return true;
    return false;
}

/* The first member of a that b lacks, or has with another value; NULL if there is none. */
static const char *missing_in(json_object *b, json_object *a) {
    json_object_object_foreach(a, key, value) {
        json_object *other = json_member(b, key);
        const bool same = other && strcmp(json_print(value), json_print(other)) == 0;
        if (!same && !is_apart(key))
            return key;
    }
    return NULL;
}

/* A member in which two headers differ, or NULL. */
static const char *difference_of(json_object *a, json_object *b) {
    const char *key = missing_in(b, a);
    return key ? key : missing_in(a, b);
}

/* The file belongs to the same sweep as the files before it, and its shard is new. */
static void check_header(const sweep_results *r, const results_file *file,
                         const json_object *root) {
    const char *key = file > r->files ? difference_of(file->header, r->files[0].header) : NULL;
    if (key)
        json_fail(root, TOOL_MALFORMED, "another sweep than that of %.300s: it has another \"%s\"",
                  r->files[0].path, key);
    for (const results_file *other = r->files; other < file; other++)
        if (other->shard == file->shard)
            json_fail(root, TOOL_MALFORMED, "shard %" PRIu64 " of %" PRIu64 " is also in %.300s",
                      file->shard, file->shards, other->path);
}

const results_case *sweep_results_find(const sweep_results *r, const char *name) {
    const size_t place = name_set_find(&r->names, name);
    return place == SIZE_MAX ? NULL : &r->cases[place];
}

/* The name belongs to the line that was read. */
static void take_case(sweep_results *r, results_file *file, results_case one, json_object *root) {
    const sweep_shard shard = {(uint32_t)file->shard - 1, (uint32_t)file->shards};
    file->cases++;
    if (!sweep_shard_has(&shard, one.name)) {
        json_fail(root, TOOL_MALFORMED, "the case is not one of shard %" PRIu64 " of %" PRIu64,
                  file->shard, file->shards);
    } else if (!name_set_add(&r->names, one.name)) {
        json_fail(root, TOOL_MALFORMED, "the case is also in %.150s: a case has one result",
                  sweep_results_find(r, one.name)->path);
    } else {
        one.name = r->names.names[r->names.count - 1];
        one.text = tool_strdup(json_print(root));
        r->cases = tool_grow(r->cases, r->names.count - 1, sizeof *r->cases);
        r->cases[r->names.count - 1] = one;
        r->counts.states[one.state]++;
    }
}

/* The member "outcome" is there if it differs from the state. */
static void read_case(sweep_results *r, results_file *file, json_object *root) {
    const json_object *member = json_need(root, "name");
    results_case one = {.name = json_string(member), .path = file->path};
    case_spec spec;
    tool_error inner;
    if (json_ok(root) && !source_is_file(one.name) &&
        case_parse(one.name, &spec, &inner) != TOOL_OK)
        json_fail(member, TOOL_MALFORMED, "%.600s", inner.message);
    one.state = one.outcome = (sweep_state)json_choice(json_need(root, "state"), sweep_state_words);
    if (json_member(root, "outcome"))
        one.outcome = (sweep_state)json_choice(json_member(root, "outcome"), sweep_state_words);
    one.remarked = json_member(root, "reason") || json_member(root, "change");
    if (json_ok(root))
        take_case(r, file, one, root);
}

static void read_header(const sweep_results *r, results_file *file, json_object *root) {
    json_string(json_need(root, "version"));
    json_string(json_need(root, "backend"));
    file->shards = json_integer(json_need(root, "shards"), "a count", 1, UINT32_MAX);
    file->shard = json_integer(json_need(root, "shard"), "a number", 1, file->shards);
    file->selected = json_integer(json_need(root, "selected"), "a count", 0, INT64_MAX);
    if (!json_ok(root))
        return;
    file->header = json_object_get(root);
    check_header(r, file, root);
}

static void read_footer(results_file *file, json_object *root) {
    if (file->cases != file->selected)
        json_fail(root, TOOL_MALFORMED,
                  "%" PRIu64 " cases are there, but %" PRIu64 " were selected", file->cases,
                  file->selected);
    file->end = json_ok(root) ? json_object_get(root) : NULL;
}

/* The standard output of sweep --json has a summary behind the footer, and is accepted. */
static void read_result_line(sweep_results *r, results_file *file, json_object *root) {
    const json_object *member = json_need(root, "event");
    const char *event = json_string(member);
    const bool begins = strcmp(event, "sweep") == 0;
    const bool summary = strcmp(event, "summary") == 0;
    if (!json_ok(root))
        return;
    if (begins != (file->lines == 1)) {
        json_fail(member, TOOL_MALFORMED,
                  "the first line of results, and no other, has the event \"sweep\"");
    } else if (file->end && !summary) {
        json_fail(member, TOOL_MALFORMED, "there is more behind the end");
    } else if (begins) {
        read_header(r, file, root);
    } else if (strcmp(event, "case") == 0) {
        read_case(r, file, root);
    } else if (strcmp(event, "end") == 0) {
        read_footer(file, root);
    } else if (!summary) {
        json_fail(member, TOOL_MALFORMED, "'%.40s' is none of the events sweep, case and end",
                  event);
    }
}

/* The first file of a sweep has an error if another line stands first. */
static tool_status take_result_line(sweep_results *r, results_file *file, const char *text,
                                    size_t length, tool_error *error) {
    json_document document;
    if (json_parse(&document, text, length, file->path, ++file->lines, error) == TOOL_OK &&
        json_expect(document.root, json_type_object))
        read_result_line(r, file, document.root);
    json_free(&document);
    return document.status;
}

/* A last line that is cut off is left out: the footer is missing then, too. */
static tool_status read_lines(sweep_results *r, results_file *file, const char *start,
                              const char *end, tool_error *error) {
    tool_status status = TOOL_OK;
    for (const char *at = start; at < end && status == TOOL_OK;) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        if (!stop && !file->end)
            break;
        stop = stop ? stop : end;
        status = take_result_line(r, file, at, (size_t)(stop - at), error);
        at = stop < end ? stop + 1 : end;
    }
    if (status == TOOL_OK && !file->header)
        return tool_fail(error, TOOL_MALFORMED,
                         "%.400s:1: the first line of results, which says what the sweep is, is "
                         "missing",
                         file->path);
    return status;
}

static results_file *add_file(sweep_results *r, const char *path) {
    r->files = tool_grow(r->files, r->file_count, sizeof *r->files);
    results_file *file = &r->files[r->file_count++];
    *file = (results_file){.path = path};
    return file;
}

static tool_status read_shard(sweep_results *r, const char *path, tool_error *error) {
    file_contents contents;
    tool_status status = file_read(path, &contents, error);
    if (status == TOOL_OK) {
        const char *start = (const char *)contents.bytes;
        status = read_lines(r, add_file(r, path), start, start + contents.size, error);
        memory_free(contents.bytes);
    }
    return status;
}

/* Where all its shards are read, the next file begins other results. */
tool_status sweep_results_read(sweep_results *r, const char *const *paths, size_t count,
                               size_t *used, tool_error *error) {
    tool_status status = TOOL_OK;
    size_t i = 0;
    while (i < count && status == TOOL_OK && !(used && i > 0 && i == r->files[0].shards))
        status = read_shard(r, paths[i++], error);
    if (used)
        *used = i;
    if (status == TOOL_OK)
        sweep_results_join(r);
    return status;
}

void sweep_results_add(sweep_results *r, const char *line) {
    results_file *file = r->file_count ? &r->files[0] : add_file(r, "the results");
    tool_error error;
    (void)take_result_line(r, file, line, strlen(line), &error); /* its own lines are valid */
}

void sweep_results_free(sweep_results *r) {
    for (size_t i = 0; i < r->names.count; i++)
        free(r->cases[i].text);
    for (uint32_t i = 0; i < r->file_count; i++) {
        json_object_put(r->files[i].header);
        json_object_put(r->files[i].end);
    }
    name_set_free(&r->names);
    free(r->files);
    free(r->cases);
    free(r->sorted);
    json_object_put(r->common);
    json_object_put(r->incomplete);
    json_object_put(r->header);
    json_object_put(r->footer);
    *r = (sweep_results){0};
}

accept_choice sweep_results_accept(const sweep_results *r) {
    int word = ACCEPT_BITS;
    (void)word_find(accept_words, json_find_text(r->files[0].header, "accept"), &word);
    return (accept_choice)word;
}

/* What the cases that failed have in common, beside the others that ran. Found once. */
static json_object *common_of_failures(sweep_results *r) {
    conjunction ran = {0};
    for (const results_case *one = r->cases; !r->common && one < r->cases + r->names.count; one++)
        if (one->outcome != SWEEP_NOT_SUPPORTED)
            conjunction_add(&ran, one->name, sweep_state_is_failure(one->outcome));
    r->common = r->common ? r->common : conjunction_end(&ran);
    return r->common;
}

json_object *sweep_footer(sweep_results *r, const char *ended) {
    json_object *footer = report_event("end");
    json_object *states = json_make_object();
    json_object *common = common_of_failures(r);
    for (int i = 0; i < SWEEP_STATES; i++)
        fields_count(states, sweep_state_name((sweep_state)i), r->counts.states[i]);
    fields_count(footer, "cases", r->names.count);
    json_put_member(footer, "states", states);
    if (common)
        json_put_member(footer, "common", json_object_get(common));
    if (*ended)
        fields_text(footer, "ended", ended);
    return footer;
}

/* Says which shards are missing from `from` to below `to`. */
static void add_missing_shards(sweep_results *r, uint64_t from, uint64_t to) {
    const uint64_t shards = r->files[0].shards;
    if (from + 1 == to)
        json_put_text(r->incomplete,
                      text_format("of %" PRIu64 " shards, %" PRIu64 " is missing", shards, from));
    else if (from < to)
        json_put_text(r->incomplete,
                      text_format("of %" PRIu64 " shards, %" PRIu64 " to %" PRIu64 " are missing",
                                  shards, from, to - 1));
}

/* What files that were joined before lack is still missing. */
static void find_missing(sweep_results *r) {
    uint64_t next = 1;
    r->incomplete = json_make_array();
    for (const results_file *file = r->files; file < r->files + r->file_count; file++) {
        json_object *earlier = json_find(file->header, "incomplete", json_type_array);
        for (size_t i = 0; i < json_length(earlier); i++)
            json_put_text(r->incomplete, tool_strdup(json_item_text(earlier, i)));
        if (!file->end)
            json_put_text(r->incomplete,
                          text_format("shard %" PRIu64 " of %" PRIu64 " is not complete, the event "
                                      "\"end\" is missing: it was killed or still runs, and "
                                      "%" PRIu64 " of %" PRIu64 " cases are there",
                                      file->shard, file->shards, file->cases, file->selected));
        add_missing_shards(r, next, file->shard);
        next = file->shard + 1;
    }
    add_missing_shards(r, next, r->files[0].shards + 1);
}

/* What all shards share, and the machines of all. */
static json_object *joined_header(const sweep_results *r) {
    json_object *header = json_make_object();
    json_object *machines = json_make_array();
    json_object_object_foreach(r->files[0].header, key, value) {
        if (!is_apart(key))
            json_put_member(header, key, json_object_get(value));
    }
    for (uint32_t i = 0; i < r->file_count; i++) {
        json_object *own = json_find(r->files[i].header, "machines", json_type_array);
        for (size_t m = 0; m < json_length(own); m++)
            json_put_element(machines, json_object_get(json_element(own, m)));
    }
    fields_count(header, "shard", 1);
    fields_count(header, "shards", 1);
    fields_count(header, "selected", r->names.count);
    json_put_member(header, "machines", machines);
    if (json_length(r->incomplete))
        json_put_member(header, "incomplete", json_object_get(r->incomplete));
    return header;
}

/* The latest end, or "". ISO 8601 times in UTC compare as texts. */
static const char *latest_end(const sweep_results *r) {
    const char *last = "";
    for (uint32_t i = 0; i < r->file_count; i++) {
        const char *text = json_find_text(r->files[i].end, "ended");
        last = strcmp(text, last) > 0 ? text : last;
    }
    return last;
}

static int by_shard(const void *a, const void *b) {
    const results_file *x = a;
    const results_file *y = b;
    return x->shard < y->shard ? -1 : x->shard > y->shard;
}

static int by_name(const void *a, const void *b) {
    return strcmp((*(const results_case *const *)a)->name, (*(const results_case *const *)b)->name);
}

void sweep_results_join(sweep_results *r) {
    qsort(r->files, r->file_count, sizeof *r->files, by_shard);
    find_missing(r);
    r->header = joined_header(r);
    r->sorted = tool_calloc(r->names.count + 1, sizeof(const results_case *));
    for (size_t i = 0; i < r->names.count; i++)
        r->sorted[i] = &r->cases[i];
    qsort(r->sorted, r->names.count, sizeof(const results_case *), by_name);
    r->footer = sweep_footer(r, latest_end(r));
}

json_object *results_record(const results_case *one) {
    return json_read(one->text, strlen(one->text));
}

static void put_phrase(FILE *out, const char *title, json_object *record, const char *member) {
    const char *text = json_find_text(record, member);
    if (*text)
        fprintf(out, "; %s%s", title, text);
}

/* What happened, where the state is not that, how the case has changed, and why. */
static void put_words(FILE *out, json_object *record, bool counted) {
    const char *differing = json_find_text(record, "differing");
    json_object *adapted = json_find(record, "adapted", json_type_array);
    put_phrase(out, "", record, "outcome");
    put_phrase(out, "", record, "change");
    if (counted && *differing && strcmp(differing, "0") != 0 &&
        !json_find(record, "unstable", json_type_object))
        fprintf(out, "; %s of %s elements differ", differing, json_find_text(record, "outputs"));
    json_show_list(out, adapted, "; adapted: ", ", ");
    put_phrase(out, "", record, "reason");
    put_phrase(out, "before: ", record, "before");
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
