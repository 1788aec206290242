/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_SPEED_MEASURE_H
#define CUMSUM_TOOLS_SPEED_MEASURE_H

/* Measures an entry: the library or its oracle, and the copies that it is compared with. */

#include "workload.h"

struct pthreadpool;

/* How entries are measured. */
typedef struct speed_settings {
    cumsum_kernel kernel;
    uint32_t repetitions;
    double patience;          /* seconds after which an entry is repeated no more */
    struct pthreadpool *pool; /* with as many threads as the entry has; NULL for one */
} speed_settings;

/* Medians, in seconds per call. */
typedef struct speed_times {
    double operator_seconds;
    double processor_seconds; /* of all threads, during the operator */
    double memcpy_seconds;
    double streaming_seconds;
    uint32_t repetitions;
    uint64_t iterations; /* calls of the operator in a repetition */
    cumsum_kernel kernel;
} speed_times;

/* TOOL_ENVIRONMENT if the library refuses the operator, TOOL_MISMATCH if the oracle fails its sums.
 */
tool_status speed_measure(const workload_operator *op, const workload_entry *entry,
                          const speed_settings *settings, speed_times *times, tool_error *error);

/* Of the faster copy. */
double speed_copy_seconds(const speed_times *times);

#endif
