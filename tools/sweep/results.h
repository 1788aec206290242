/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_RESULTS_H
#define CUMSUM_TOOLS_RESULTS_H

#include <json-c/json.h>

#include "error.h"
#include "file.h"
#include "name_set.h"
#include "sweep_state.h"

/* Two first lines of results, which say what a sweep is. */

/* The first member that the two do not share; NULL where there is none. `apart`, which NULL ends,
 * names those in which they may differ. */
const char *header_difference(json_object *a, json_object *b, const char *const *apart);

/* The member as JSON, or "absent". It lives as long as the object. */
const char *header_member_text(json_object *header, const char *key);

/*
 * The results of one sweep, read from the files of its shards: joined, and held to what a sweep is.
 * Nothing is taken silently: whatever is wrong or missing becomes a problem that names the file,
 * the line and the rule.
 */

/* A case, as its line says. */
typedef struct results_case {
    uint32_t part;
    uint64_t line;    /* of the part's file */
    const char *text; /* the line, not terminated */
    size_t length;
    sweep_state state;
    sweep_state outcome; /* what happened, where the state is known, unexpected or waived */
    bool flaky;
} results_case;

/* A file. */
typedef struct results_part {
    const char *path;       /* the caller's */
    file_contents contents; /* where it was read from a file */
    const char *text;
    size_t size;
    json_object *header; /* its first line; NULL where that is none */
    uint64_t shard;      /* from 1 on */
    uint64_t shards;
    uint64_t selected;
    uint64_t cases; /* that it has */
    uint64_t lines;
    sweep_tally tally;
    bool broken;      /* a line cannot be understood, and those behind it were not read */
    json_object *end; /* its last line; NULL: the sweep is not complete */
} results_part;

typedef struct results_problem {
    tool_status status;
    bool incomplete;  /* something is missing, but what is there is right */
    char *message;    /* with the file and the line */
    const char *rule; /* the part of it behind them */
} results_problem;

typedef struct sweep_results {
    results_part *parts;
    uint32_t part_count;
    name_set names;      /* of the cases */
    results_case *cases; /* one for each of the names */
    size_t room;
    sweep_tally tally;
    results_problem *problems;
    size_t problem_count;
} sweep_results;

/* Reads a file as a further part of r, which is all zero before the first. The path must stay. */
void sweep_results_read(sweep_results *r, const char *path);

/* The same of a text, which must stay too. path: its name in messages. */
void sweep_results_read_text(sweep_results *r, const char *path, const char *text, size_t length);

/* After the last file: are they the parts of one sweep, and all of them? */
void sweep_results_check(sweep_results *r);

/* Is there a problem other than that something is missing? */
bool sweep_results_wrong(const sweep_results *r);

/* A problem of a part's line. */
void sweep_results_problem(sweep_results *r, const results_part *part, uint64_t line,
                           bool incomplete, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* The parts by their shards: copies that share what r owns. To be freed. */
results_part *sweep_results_parts(const sweep_results *r);

void sweep_results_free(sweep_results *r);

#endif
