/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_BENCH_RESULTS_H
#define CUMSUM_BENCH_RESULTS_H

/* What was measured, as a table whose rows appear as they are measured, or as one JSON document,
 * which tools/performance and competitors.py read. */

#include "json_tree.h"
#include "workload.h"

#define COUNTERS_MAX 16

/* A number of an entry: a column of the table, a member in the document. */
typedef struct result_counter {
    const char *name; /* in the document */
    const char *head; /* of the column; NULL: not in the table */
    double value;
    double unit; /* of the column: it shows value / unit */
} result_counter;

typedef struct bench_result {
    const workload_entry *entry;
    const char *failure; /* why there are no numbers, or NULL */
    const char *kernel;  /* of the CPU */
    double seconds;      /* of a call */
    uint32_t counter_count;
    result_counter counters[COUNTERS_MAX];
} bench_result;

void result_add(bench_result *result, const char *name, const char *head, double value,
                double unit);

/* Elements per second; in the table 10^9 of them. */
void result_add_speed(bench_result *result, const char *name, const char *head, double seconds);

typedef struct bench_results {
    uint32_t repetitions;
    const char *explanation; /* the lines above the table */
    const char *backend;     /* NULL: the CPU */
    char device[256];        /* of the backend */
    json_object *benchmarks; /* NULL: a table */
    bool has_heads;
} bench_results;

void results_show(bench_results *r, const bench_result *result);

/* Prints the document. */
void results_print(bench_results *r);

#endif
