/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_BENCH_DEVICE_H
#define CUMSUM_TOOLS_BENCH_DEVICE_H

/* How the speed of a device is shown. */

#include <json-c/json.h>

#include "backend_device.h"
#include "workload.h"

typedef struct device_result {
    workload_entry entry;
    char name[WORKLOAD_NAME + 16]; /* CASE/TYPE/ORDER/BACKEND */
    const char *skipped;           /* why it was not measured, or NULL */
    backend_speed speed;
} device_result;

typedef struct device_report {
    const char *backend;
    const char *device;
    uint32_t repetitions;
    json_object *benchmarks; /* NULL: a table */
} device_report;

void device_report_begin(device_report *r, bool json);
void device_report_result(device_report *r, const device_result *result);
void device_report_end(device_report *r);

#endif
