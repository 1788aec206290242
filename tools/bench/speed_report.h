/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_SPEED_REPORT_H
#define CUMSUM_TOOLS_SPEED_REPORT_H

/* What bench has measured: a table, or one document in the format of Google Benchmark. */

#include <json-c/json.h>

#include "competitors.h"
#include "speed_measure.h"

typedef struct speed_result {
    workload_entry entry;
    char name[WORKLOAD_NAME];
    const char *skipped; /* why the entry was not measured, or NULL */
    speed_times times;
    competitor_time competitor_times[COMPETITORS_MAX];
} speed_result;

typedef struct speed_report {
    const competitors *competitors;
    uint32_t repetitions;
    json_object *benchmarks; /* NULL: a table */
} speed_report;

void speed_report_begin(speed_report *r, bool json, const competitors *others,
                        uint32_t repetitions);
void speed_report_result(speed_report *r, const speed_result *result);
void speed_report_end(speed_report *r);

/* Shared with the report on a device. */

/* Columns for "judge-hillis-steele-l2/FLOAT32/verdict/1t". */
#define SPEED_NAME_WIDTH 41

/* Of an operator that takes so many seconds per call; 0 for 0. */
double speed_elements_per_second(const workload_entry *entry, double seconds);

/* An entry of a document, and why it was not measured. */
json_object *speed_document_entry(const char *name);
void speed_document_error(json_object *entry, const char *message);

/* Prints a document; takes ownership of both. */
void speed_document_print(json_object *context, json_object *benchmarks);

#endif
