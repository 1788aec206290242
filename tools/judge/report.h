/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_REPORT_H
#define CUMSUM_TOOLS_REPORT_H

/*
 * A report: results as text or JSON lines on standard output, and as a JUnit file, from the same
 * records. It also counts, and knows the status of all results.
 */

#include <cumsum/cumsum.h>
#include <stdio.h>

#include "error.h"
#include "json_tree.h"
#include "junit.h"
#include "name_set.h"
#include "text.h"

/* Members of JSON objects. 64-bit integers are exact. NaN and infinities are the strings "nan",
 * "inf" and "-inf", as in case files. */

void fields_text(json_object *object, const char *key, const char *text);
void fields_count(json_object *object, const char *key, uint64_t count);
void fields_flag(json_object *object, const char *key, bool flag);
void fields_double(json_object *object, const char *key, double value);
void fields_numbers(json_object *object, const char *key, uint32_t count, const uint32_t *numbers);

/* An element as a number (or a string, see above). */
json_object *fields_element(cumsum_data_type type, uint64_t bits);

/* Adds `key` with the value, and `key`Hex with the bits. */
void fields_value(json_object *object, const char *key, cumsum_data_type type, uint64_t bits);

/* Adds the members of another object, and frees that. */
void fields_move(json_object *object, json_object *from);

/* "ulps": null for a NaN against a number. */
void fields_ulps(json_object *object, cumsum_data_type type, uint64_t ulps);

/* Adds those of order, halfAccumulator, halfStore and denormals that affect the type. */
void fields_numerics(json_object *object, cumsum_data_type type, const cumsum_numerics *numerics);

/* Adds type, sizes, axis, direction and exclusive of a valid operator. */
void fields_operator(json_object *object, const cumsum_operator_desc *desc);

/* "FLOAT16 2x3x4 axis 1 increasing inclusive", as in each result line of a dispatch. */
void describe_operator(FILE *out, const cumsum_operator_desc *desc);

/* The same of an array whose shape and axis are given. */
void describe_sums(FILE *out, cumsum_data_type type, const char *shape, uint32_t axis,
                   const cumsum_operator_desc *desc);

/* "order sequential"; for FLOAT16 also accumulator and store; for FLOAT32 also flushed denormals.
 */
void describe_numerics(FILE *out, cumsum_data_type type, const cumsum_numerics *numerics);

typedef struct report_settings {
    const char *command; /* its name, in JSON and JUnit */
    bool json;
    const char *junit; /* files, or NULL */
    const char *html;
    bool quiet; /* failures only; unless verbose, all of them, each on one line */
    bool verbose;
} report_settings;

typedef enum result_status {
    RESULT_PASS,
    RESULT_FAIL,
    RESULT_SKIP,
    RESULT_SUSPECT /* a failure; docs/oracle.md, "SUSPECT" */
} result_status;

/* One result, from report_record_init to report_record_free; until report_result its texts are
 * written. It must not be moved. */
typedef struct report_record {
    const char *event; /* "dispatch" or "descriptor" */
    const char *file;
    uint64_t line;       /* in the file, or 0 */
    const char *name;    /* of the dispatch or descriptor */
    text_buffer summary; /* the rest of the line */
    text_buffer detail;  /* lines of explanation */
    json_object *fields; /* more members of the JSON object */
    char headline[64];   /* of a failure in JUnit and with --quiet; "": the summary */
    result_status status;
} report_record;

typedef struct report {
    const report_settings *settings;
    bool color;
    uint64_t passed;
    uint64_t failed;
    uint64_t suspect; /* of the failed ones */
    uint64_t weak;    /* passes whose note says that they say little */
    uint64_t skipped;
    name_set skip_reasons;
    uint64_t *skip_counts; /* of each reason */
    bool skips_hidden;     /* skipped results are not shown */
    uint64_t errors;       /* that report_error has reported */
    uint64_t most;     /* failures that are shown as text, unless --quiet or --verbose is given */
    uint64_t failures; /* that were to be shown as text; some of them may not have been */
    bool ran;          /* something ran, although nothing passed and nothing failed */
    bool silent;       /* no last line of text */
    bool malformed;
    bool environment;
    junit_log *junit; /* NULL: none asked for */
} report;

void report_open(report *r, const report_settings *settings);

/* Is a failure to be shown as text, or were there enough? Counts it. */
bool report_shows_failure(report *r);

/* Counts a reason for which a case is skipped; the last lines tell how often each was one. Of the
 * results of report_result the member "reason" is counted. */
void report_count_skip(report *r, const char *reason);

/* Is each failure one line? */
bool report_is_brief(const report_settings *settings);

/* Are there failures that were not shown? */
bool report_is_limited(const report *r);

/* Stands before the lines below a result. */
#define REPORT_INDENT "      "

/* The caller owns the strings. */
void report_record_init(report_record *record, const char *event, const char *file,
                        const char *name);

/* Counts and shows a result. Returns whether it was shown as text. */
bool report_result(report *r, report_record *record, result_status status);

void report_record_free(report_record *record);

/* A message on stderr, behind "cumsum: " and with a line's end. It counts nothing. */
void report_message(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Reports an error: TOOL_MALFORMED or TOOL_ENVIRONMENT. The message goes to stderr. file: NULL for
 * the whole command. */
void report_error(report *r, tool_status status, const char *file, const char *message);

/* Writes the JUnit file and the last line. Returns the status of all results. */
tool_status report_close(report *r);

/* The same for a command without a last line; in JSON there is a summary. */
tool_status report_close_quietly(report *r);

/* The status of the results so far. Prints nothing. */
tool_status report_status(const report *r);

/* A JSON object with the member `event`, for report_json_line. */
json_object *report_event(const char *event);

/* The JSON object of a result, after report_result. */
json_object *report_result_object(const report_record *record);

/* Prints one JSON object as a line, and frees it. */
void report_json_line_to(FILE *out, json_object *object);
void report_json_line(json_object *object); /* on standard output */

/* A progress line on stderr, if stderr is a terminal (progress.c). */

/* Shows that `done` of `total` steps (0: unknown) are done, and a name. The line appears after half
 * a second, and changes at most ten times a second. */
void progress_show(uint64_t done, uint64_t total, const char *what);

/* Removes the line, before other output. */
void progress_clear(void);

#endif
