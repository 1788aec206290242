/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_RESULTS_H
#define CUMSUM_TOOLS_RESULTS_H

/*
 * The results of one sweep, read from the files of its shards and joined, as if one shard had run
 * all cases. Everything that is wrong or missing becomes a problem, with the file, the line and the
 * rule.
 */

#include <json-c/json.h>
#include <stdio.h>

#include "case_name.h"
#include "error.h"
#include "file.h"
#include "judged_output.h"
#include "junit.h"
#include "name_set.h"
#include "sweep_state.h"

/* Do two headers differ in another member than those of `apart`, which NULL ends? Then `why` says
 * which one, and what `header` has instead of what `other` has. */
#define HEADER_WHY_ROOM 600
bool header_differs(json_object *header, json_object *other, const char *const *apart,
                    char why[HEADER_WHY_ROOM]);

/* A case, from its line. */
typedef struct results_case {
    const char *name;
    const char *path; /* of the file */
    uint64_t line;    /* in it */
    const char *text; /* the line, not terminated */
    size_t length;
    sweep_state state;
    sweep_state outcome; /* the state without baseline and waivers */
    bool flaky;
    bool remarked; /* it has a reason */
} results_case;

/* The results of one shard. */
typedef struct results_file {
    const char *path;       /* owned by the caller */
    file_contents contents; /* empty if the lines were added one by one */
    json_object *header;    /* NULL if the first line is none */
    uint64_t shard;         /* from 1 on */
    uint64_t shards;
    uint64_t selected;
    uint64_t cases; /* in this file */
    uint64_t lines;
    sweep_counts counts;
    bool broken;      /* a line could not be read; the lines after it were not tried */
    json_object *end; /* the footer; NULL: the sweep is not complete */
    size_t kept;      /* bytes of the whole lines before the footer */
} results_file;

typedef struct results_problem {
    tool_status status;
    bool incomplete;  /* something is missing, and nothing is wrong */
    char *message;    /* with the file and the line */
    const char *rule; /* the message behind file and line */
} results_problem;

typedef struct sweep_results {
    results_file *files;
    uint32_t file_count;
    name_set names;      /* of the cases */
    results_case *cases; /* one for each name */
    sweep_counts counts;
    char **lines; /* that were added one by one */
    size_t line_count;
    results_problem *problems;
    size_t problem_count;

    /* After sweep_results_join, if nothing is wrong. They do not depend on the order of files. */
    const results_case **sorted; /* by name, numbers in names by their value */
    json_object *header;         /* its member "runs" lists the "run" of each file */
    json_object *footer;         /* the last line */
} sweep_results;

/* Adds a file to r, which is all zero before the first one. r keeps the path. */
void sweep_results_read(sweep_results *r, const char *path);

/* Adds a line, which it copies, to the one file, that of a sweep that is under way. */
void sweep_results_add(sweep_results *r, const char *line);

/* The result of this case, or NULL. */
const results_case *sweep_results_find(const sweep_results *r, const char *name);

/* Checks, after the last file, that the files are one sweep's, and that none is missing. Sorts them
 * by their shards. sweep_results_join calls this. */
void sweep_results_check(sweep_results *r);

/* Is anything wrong, apart from what is missing? */
bool sweep_results_wrong(const sweep_results *r);

void sweep_results_free(sweep_results *r);

/* What the failed ones of the cases that ran have in common (conjunction_end). */
json_object *sweep_results_common(const sweep_results *r);

/* Checks the results, after the last file, and joins them if nothing is wrong. */
void sweep_results_join(sweep_results *r);

/* Of joined results. */

void sweep_results_print(const sweep_results *r, FILE *out);

/* Writes all lines to a file, which appears whole or not at all. TOOL_ENVIRONMENT on failure. */
tool_status sweep_results_write(const sweep_results *r, const char *path, tool_error *error);

/*
 * Adds the results to a JUnit log, with one suite for each data type. A failed or unexpected case
 * is a failure; a crash or a timeout is an error; a case that is not supported, known or waived is
 * skipped, with the reason. The properties say what the sweep ran on.
 */
void sweep_results_junit(const sweep_results *r, junit_log *log);

/* Shows the failures in groups of the same state and the same cause, the largest first: the state,
 * how many cases it has, the cause, what all of them have that other cases which ran have not, and
 * the name of the first. names: all cases in the order of the sweep; some may have no result. */
void failure_groups_show(FILE *out, const sweep_results *results, const name_set *names);

/*
 * Writes the page of a sweep. Its records are the results (docs/command-line.md) without passes
 * that have nothing to say, and:
 *
 *     {"event":"names"}     the names of all cases, sorted: for each one how many
 *                           letters at its beginning and at its end are those of the one before,
 *                           and the letters between
 *     {"event":"rules"}     "rules", some identifiers, and "cases", the places in these names of
 *                           the cases that a built-in list has below just these rules
 *
 * Equal results give equal bytes. TOOL_ENVIRONMENT if the file cannot be written.
 */
tool_status page_of_sweep(const sweep_results *r, const char *path, tool_error *error);

/* A result in words, for reports. Members that are missing, or of a wrong type, are left out. */

/* The whole line. The caller puts it. */
json_object *results_record(const results_case *one);

/* The result in one line: "3 of 148 elements differ; the reason; ...", or "". counted: with the
 * number of elements that differ. The caller frees it. */
char *results_headline(json_object *record, bool counted);

/* What was examined: the device, or "cpu, kernel auto". The caller frees it. */
char *results_subject(json_object *header);

/* What happened, in one line: "pass", "fail: 3 of 148 elements differ; FAIL: ...". The caller frees
 * it. */
char *results_outcome_words(const results_case *one);

/* What the failing ones of many cases have in common. The terminal, the results and the page say
 * the same, from the same record. */

/* The features of a case, which its name tells: the data type, the sum, ..., and numbers. */
#define FEATURE_WORDS   10
#define FEATURE_NUMBERS 3

typedef struct case_features {
    const char *words[FEATURE_WORDS];  /* static texts */
    uint64_t numbers[FEATURE_NUMBERS]; /* the length of the lines, lines, dimensions */
} case_features;

typedef struct conjunction_case {
    case_features features;
    bool failed;
} conjunction_case;

typedef struct conjunction {
    conjunction_case *cases;
    size_t count;
} conjunction;

/* Adds a case that ran, by its valid name. */
void conjunction_add(conjunction *c, const char *name, bool failed);

/*
 * What they have in common, as a JSON object; NULL if no case failed. Frees what c holds.
 *
 *     "failed", "of"  counts: the failed ones, of the cases that meet all conditions, or of all
 *     "conditions"    up to three that all failed cases meet: ["exclusive", "lines of 513 elements
 *                     or more"]; empty if none tells where the failures are
 *     "shared"        all conditions that all failed cases meet and some other case does not
 */
json_object *conjunction_end(conjunction *c);

/* "exclusive and lines of 513 elements or more: 1307 of 1307", NULL without conditions. The caller
 * frees it. */
char *conjunction_words(json_object *record);

/* "float16; lines of 17 elements or more": what is shared, or "". The caller frees it. */
char *conjunction_shared(json_object *record);

/* The results of two sweeps, A and B, case by case: where B is worse, better, or just another. */

typedef enum change_kind {
    CHANGE_WORSE,
    CHANGE_BETTER,
    CHANGE_OTHER, /* other bits, another order: neither better nor worse */
    CHANGE_NONE,
    CHANGE_KINDS
} change_kind;

/* "worse", "better", "changed", "same" */
const char *change_kind_name(change_kind kind);

/* A case that is in A and in B. */
typedef struct case_change {
    const char *name;
    const results_case *a;
    const results_case *b;
    change_kind kind;
    uint32_t group; /* unless the kind is CHANGE_NONE */
} case_change;

/* The cases that changed in the same way. */
typedef struct change_group {
    change_kind kind;
    const char *what; /* "pass -> fail"; parts of it may come from the files */
    uint64_t count;
} change_group;

typedef struct results_comparison {
    const sweep_results *a;
    const sweep_results *b;
    case_change *cases; /* sorted */
    size_t count;
    change_group *groups; /* by kind; of a kind the largest first */
    uint32_t group_count;
    name_set descriptions;
    uint64_t counts[CHANGE_KINDS];
    uint64_t only_a; /* cases that B does not have */
    uint64_t only_b;
} results_comparison;

/*
 * A case is worse by the first of these that differs:
 *   1. its outcome: pass, flaky pass, not-supported, doubtful, fail or unstable, crash or timeout;
 *   2. the class of its outputs, if the oracle judged them;
 *   3. of a failure: the bytes written between the elements, the outputs that no order gives, then
 *      those that are doubtful.
 * Otherwise it may have another outcome of the same rank, verdict, order, bits or remark. What
 * `accept` takes is a pass, also in sweeps that accepted less.
 */
void results_compare_init(results_comparison *comparison, const sweep_results *a,
                          const sweep_results *b, accept_choice accept);
void results_compare_free(results_comparison *comparison);

/* What the cases of a group have in common that other compared cases have not: a record of
 * conjunction_end, whose failed cases are those of the group. The caller puts it. */
json_object *results_compare_common(const results_comparison *comparison, uint32_t group);

/* Writes a JSON object a line: "comparison", a "group" each, a "change" for each case that changed
 * and for each that is in A or B alone (docs/command-line.md). */
void results_compare_print(const results_comparison *comparison, FILE *out);

#endif
