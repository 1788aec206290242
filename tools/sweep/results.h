/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_RESULTS_H
#define CUMSUM_TOOLS_RESULTS_H

/*
 * The results of one sweep, read from the files of its shards as if one shard had run all cases;
 * what is worse in them than in earlier results; and reports of them.
 */

#include "json_tree.h"
#include <stdio.h>

#include "case_name.h"
#include "error.h"
#include "file.h"
#include "judged_output.h"
#include "junit.h"
#include "name_set.h"
#include "sweep_state.h"

/* A case, from its line. */
typedef struct results_case {
    const char *name;
    const char *path; /* of the file */
    char *text;       /* the line */
    sweep_state state;
    sweep_state outcome; /* the state without earlier results */
    bool remarked;       /* it has a reason, or has changed */
} results_case;

/* The results of one shard. */
typedef struct results_file {
    const char *path;    /* owned by the caller */
    json_object *header; /* NULL if the first line is none */
    uint64_t shard;      /* from 1 on */
    uint64_t shards;
    uint64_t selected;
    uint64_t cases; /* in this file */
    uint64_t lines;
    json_object *end; /* the footer; NULL: the sweep is not complete */
} results_file;

typedef struct sweep_results {
    results_file *files;
    uint32_t file_count;
    name_set names;      /* of the cases */
    results_case *cases; /* one for each name */
    sweep_counts counts;
    json_object *common; /* what the failed cases have in common (conjunction_end) */

    /* After sweep_results_join. They do not depend on the order of files. */
    const results_case **sorted; /* by name */
    json_object *incomplete;     /* an array of texts: what is missing */
    json_object *header;         /* its member "machines" has those of all files */
    json_object *footer;         /* the last line */
} sweep_results;

/*
 * Reads the files of a sweep into r, which is all zero, and joins them. TOOL_MALFORMED, with the
 * file, the line and the rule, if one is no file of results, or if they do not belong together.
 * used: NULL, or it receives how many files are this sweep's: where all its shards are read, the
 * next file begins other results. r keeps the paths. The caller frees r in any case.
 */
tool_status sweep_results_read(sweep_results *r, const char *const *paths, size_t count,
                               size_t *used, tool_error *error);

/* Adds a line to the one file, that of a sweep that is under way. */
void sweep_results_add(sweep_results *r, const char *line);

/* Finds what is missing, and makes the header, the footer and the order of the results. */
void sweep_results_join(sweep_results *r);

void sweep_results_free(sweep_results *r);

/* The result of this case, or NULL. */
const results_case *sweep_results_find(const sweep_results *r, const char *name);

/* What the sweep took as a pass. Two sweeps are compared by what the laxer one took. */
accept_choice sweep_results_accept(const sweep_results *r);

/* The footer: how many cases there are of each state, what the failed cases have in common, and
 * when the sweep ended ("": not known). */
json_object *sweep_footer(sweep_results *r, const char *ended);

/* Reports of joined results. */

/* All lines. */
void sweep_results_print(const sweep_results *r, FILE *out);

/*
 * Adds the results to a JUnit log, with one suite for each data type. A case that fails the sweep
 * is a failure; a crash or a timeout is an error; a case that is not supported, or known to fail,
 * is skipped, with the reason. The properties say what the sweep ran on.
 */
void sweep_results_junit(const sweep_results *r, junit_log *log);

/*
 * Writes the page of a sweep. Its records are the results (docs/formats.md) without passes
 * that have nothing to say, and
 *
 *     {"event":"names"}  "names": the names of all cases, sorted: for each one how many letters at
 *                        its beginning and at its end are those of the one before, and the letters
 *                        between
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
    uint32_t met; /* the conditions that it meets, in conjunction_end */
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
 *     "conditions"    as few as tell where the failures are: ["exclusive", "lines of 513 elements
 *                     or more"]; empty if none do
 *     "shared"        all conditions that all failed cases meet and some other case does not
 */
json_object *conjunction_end(conjunction *c);

/* "exclusive and lines of 513 elements or more: 1307 of 1307", NULL without conditions. The caller
 * frees it. */
char *conjunction_words(json_object *record);

/* "float16; lines of 17 elements or more": what is shared, or "". The caller frees it. */
char *conjunction_shared(json_object *record);

/* What is worse, better, or just another in results than in earlier ones. */

typedef enum change_kind {
    CHANGE_WORSE,
    CHANGE_BETTER,
    CHANGE_OTHER, /* other bits, another order: neither better nor worse */
    CHANGE_NONE,
    CHANGE_KINDS
} change_kind;

/* "worse", "better", "changed", "same" */
const char *change_kind_name(change_kind kind);

/*
 * How a case changed, and what: "pass -> fail", of which parts may come from the files, and longer
 * texts are cut. It is worse by the first of these that differs:
 *   1. its outcome: pass, not-supported, suspect, fail or unstable, crash or timeout;
 *   2. the class of its outputs, if the oracle judged them;
 *   3. of a failure: the bytes written between the elements, the outputs that no order gives, then
 *      those that are suspect.
 * Otherwise it may have another outcome of the same rank, verdict, order, bits or remark. What
 * `accept` takes is a pass, also in sweeps that accepted less.
 */
#define CHANGE_WHAT_ROOM 200
change_kind case_change_of(const results_case *a, const results_case *b, accept_choice accept,
                           char what[CHANGE_WHAT_ROOM]);

/* The state of a case that has this outcome, beside earlier results, which may be NULL. The record
 * receives "state", "outcome" if that differs, "change" ("worse: pass -> fail") if the case has
 * changed, and "before", what earlier results say of a failure: their own "before", or the reason.
 */
sweep_state sweep_results_against(const sweep_results *before, accept_choice accept,
                                  const char *name, sweep_state outcome, json_object *record);

/* A case that is in A and in B. */
typedef struct case_change {
    const results_case *a; /* NULL without A */
    const results_case *b;
    change_kind kind;
    const char *what; /* that of its group; NULL if the kind is CHANGE_NONE */
    uint64_t elements;
} case_change;

/* The cases that changed in the same way. */
typedef struct change_group {
    change_kind kind;
    const char *what; /* "pass -> fail"; parts of it may come from the files */
    uint64_t count;
} change_group;

typedef struct results_comparison {
    const sweep_results *a; /* NULL: the failures of B are all that is worse */
    const sweep_results *b;
    case_change *cases; /* the smallest first */
    size_t count;
    change_group *groups; /* by kind; of a kind the largest first */
    uint32_t group_count;
    name_set descriptions;
    uint64_t counts[CHANGE_KINDS];
    uint64_t only_a; /* cases that B does not have */
    uint64_t only_b;
} results_comparison;

/* Compares the cases of joined results. Without A the cases of B that ran are compared with
 * passes, and those that fail the sweep are grouped by what the oracle says of them. */
void results_compare_init(results_comparison *comparison, const sweep_results *a,
                          const sweep_results *b, accept_choice accept);
void results_compare_free(results_comparison *comparison);

/* Writes a JSON object a line: "comparison", a "group" each, a "change" for each case that changed
 * and for each that is in A or B alone (docs/command-line.md). */
void results_compare_print(const results_comparison *comparison, FILE *out);

/* Shows how many cases changed, and then the groups, each with what its cases share and up to
 * `shown` of them, the smallest first. -v shows all, -q what is worse. */
void results_compare_show(const results_comparison *comparison, const report *r, uint64_t shown);

#endif
