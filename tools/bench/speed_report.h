/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_SPEED_REPORT_H
#define CUMSUM_TOOLS_SPEED_REPORT_H

#include <json-c/json.h>

#include "bench.h"
#include "competitors.h"
#include "speed_measure.h"

/* What bench has measured: a table, or one document in the format of Google Benchmark. */

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

void speed_report_begin(speed_report *r, const bench_settings *settings, const competitors *others,
                        uint32_t repetitions);
void speed_report_result(speed_report *r, const speed_result *result);
void speed_report_end(speed_report *r);

/* speed_table.c */
void speed_table_begin(const speed_report *r);
void speed_table_row(const speed_report *r, const speed_result *result);

/* speed_document.c: takes the benchmarks over and prints the document. */
void speed_document_add(json_object *benchmarks, const speed_report *r, const speed_result *result);
void speed_document_print(json_object *benchmarks, uint32_t repetitions, const competitors *others);

/* Of an operator that takes so many seconds a call; 0 for 0. */
double speed_elements_per_second(const workload_entry *entry, double seconds);

#endif
