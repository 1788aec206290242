/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_SPEED_MEASURE_H
#define CUMSUM_TOOLS_SPEED_MEASURE_H

#include "bench.h"
#include "workload.h"

/* One entry measured: the operator and two copies of as many bytes, in turns. */

struct pthreadpool;

/* How entries are measured. */
typedef struct speed_settings {
    cumsum_kernel kernel;
    uint32_t repetitions;
    struct pthreadpool *pool; /* of as many threads as the entry has, or NULL for one */
} speed_settings;

/* Medians, in seconds a call. */
typedef struct speed_times {
    double operator_seconds;
    double processor_seconds; /* of all threads, during the operator */
    double memcpy_seconds;
    double streaming_seconds;
    uint64_t iterations; /* calls of the operator in a repetition */
    cumsum_kernel kernel;
} speed_times;

/* TOOL_ENVIRONMENT where the library refuses the operator. */
tool_status speed_measure(const workload_operator *op, const workload_entry *entry,
                          const speed_settings *settings, speed_times *times, tool_error *error);

/* Of the faster copy. */
double speed_copy_seconds(const speed_times *times);

/* Which entries the settings ask for: pattern, type, order, threads. */

#define SELECTION_MAX 4

typedef struct speed_selection {
    const char *pattern;
    cumsum_data_type types[SELECTION_MAX];
    uint32_t type_count;
    cumsum_order orders[SELECTION_MAX];
    uint32_t order_count;
    uint32_t threads[SELECTION_MAX];
    uint32_t thread_count;
} speed_selection;

/* threads: those of the settings, with 0 replaced by a number. */
void speed_select(speed_selection *s, const bench_settings *settings, uint32_t threads);

/* The entries of a workload and type, in the order of the table: the one after *entry, whose work
 * and type stay as they are. Start with threads 0. False after the last. */
bool speed_next(const speed_selection *s, workload_entry *entry);

/* Is there an entry of this workload and type? */
bool speed_wants(const speed_selection *s, const workload *w, cumsum_data_type type);

/* How many entries there are. */
uint32_t speed_count(const speed_selection *s);

#endif
