/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_BENCH_MEASURE_H
#define CUMSUM_BENCH_MEASURE_H

/* Measures the entries of a selection, and shows each result. */

#include "backend.h"
#include "results.h"

typedef struct measure_settings {
    workload_selection selection;
    backend_settings backend;
    double patience;      /* seconds after which an entry is repeated no more */
    const char *variants; /* with cuda: the folder of the variants of kernels, or NULL */
} measure_settings;

/* The library or its oracle on the CPU, beside copies of the same bytes. TOOL_ENVIRONMENT if the
 * library refuses an operator, TOOL_MISMATCH if the oracle fails right sums, TOOL_SKIPPED if
 * nothing was measured. */
tool_status measure_cpu(const measure_settings *settings, bench_results *results,
                        tool_error *error);

/* The same operators on a device, by its own clock. With directml, the library's shaders on the
 * same device have a row below each of DirectML's; with variants, each variant of the kernel that
 * takes most of the time. TOOL_MISMATCH if an output differs from the CPU's. */
tool_status measure_device(const measure_settings *settings, bench_results *results,
                           tool_error *error);

#endif
