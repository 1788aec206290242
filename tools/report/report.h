/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_REPORT_H
#define CUMSUM_TOOLS_REPORT_H

#include <cumsum/cumsum.h>
#include <json-c/json.h>

#include "error.h"
#include "junit.h"

/* Members of the JSON objects that the tool prints. 64-bit integers are exact; a floating-point
 * value that JSON has no number for is the string "nan", "inf" or "-inf", as in case files. */

/* Text from anywhere: what is not UTF-8 in it becomes U+FFFD. */
void fields_text(json_object *object, const char *key, const char *text);
void fields_count(json_object *object, const char *key, uint64_t count);
void fields_flag(json_object *object, const char *key, bool flag);
void fields_double(json_object *object, const char *key, double value);
void fields_numbers(json_object *object, const char *key, uint32_t count, const uint32_t *numbers);

/* An element as a number (or a string, see above). */
json_object *fields_element(cumsum_data_type type, uint64_t bits);

/* `key` with the value and `key`Hex with the bits. */
void fields_value(json_object *object, const char *key, cumsum_data_type type, uint64_t bits);

/* "ulps": null for a NaN against a number. */
void fields_ulps(json_object *object, cumsum_data_type type, uint64_t ulps);

/* order, halfAccumulator, halfStore, denormals, as far as they matter for the type. */
void fields_numerics(json_object *object, cumsum_data_type type, const cumsum_numerics *numerics);

/* type, sizes, axis, direction, exclusive of a valid operator. */
void fields_operator(json_object *object, const cumsum_operator_desc *desc);

/*
 * Where results go: text or JSON lines on standard output, and a JUnit file from the same records.
 * A report also counts, and knows the exit status that the counts mean.
 */

typedef enum color_choice {
    COLOR_AUTO, /* on a terminal, unless NO_COLOR is set */
    COLOR_ALWAYS,
    COLOR_NEVER
} color_choice;

typedef struct report_settings {
    const char *command; /* its name, in JSON and JUnit */
    bool json;
    const char *junit; /* a file, or NULL */
    color_choice color;
    bool quiet;
    bool verbose;
} report_settings;

typedef enum result_status {
    RESULT_PASS,
    RESULT_FAIL,
    RESULT_SKIP
} result_status;

/* One line of a report. The strings stay the caller's. */
typedef struct report_record {
    result_status status;
    const char *event; /* "dispatch" or "descriptor" */
    const char *file;
    uint64_t line;        /* in the file, or 0 */
    const char *name;     /* of the dispatch or descriptor */
    const char *summary;  /* the rest of the line */
    const char *headline; /* of a JUnit failure; NULL: the summary */
    const char *detail;   /* lines of explanation, or NULL */
    json_object *fields;  /* members of the JSON object besides these, or NULL; taken over */
} report_record;

typedef struct report {
    const report_settings *settings;
    bool color;
    uint64_t passed;
    uint64_t failed;
    uint64_t skipped;
    bool ran; /* something has, although nothing passed and nothing failed */
    bool malformed;
    bool environment;
    junit_log *junit; /* NULL: none asked for */
} report;

/* TOOL_ENVIRONMENT where --junit was given and this build has no JUnit. */
tool_status report_begin(report *r, const report_settings *settings, tool_error *error);

/* Counts and shows a result. */
void report_result(report *r, const report_record *record);

/* A file (or the whole command) that could not be done: TOOL_MALFORMED or TOOL_ENVIRONMENT. file
 * may be NULL. The message goes to stderr. */
void report_error(report *r, tool_status status, const char *file, const char *message);

/* Writes the JUnit file and the last line. Returns the exit status. */
int report_end(report *r);

/* The same for a command without a last line: in JSON alone there is a summary. */
int report_end_quietly(report *r);

/* The exit status of what was reported so far, without a last line. */
int report_status(const report *r);

/* Prints one JSON object as a line on standard output, and frees it. */
void report_json_line(json_object *object);

/* "PASS", "FAIL" or "SKIP". */
const char *result_status_name(result_status status);

/* Adds to r->junit, which must be there: report_junit.c. */
void report_junit_result(const report *r, const report_record *record);
void report_junit_error(const report *r, const char *file, const char *message);

#endif
