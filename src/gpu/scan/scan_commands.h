/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_GPU_SCAN_COMMANDS_H
#define CUMSUM_GPU_SCAN_COMMANDS_H

/*
 * A queue of dispatches. It collects dispatches and submits them together, but never so many that
 * one submission could exceed the driver's or the device's time limit.
 */

#include "scan_constants.h"

enum {
    SCAN_COMMANDS_AT_ONCE = 64 /* dispatches of one submission */
};
/* Elements that the dispatches of one submission may read. A software device reads about 10^8 in a
 * second, so a submission stays near a second even there. */
#define SCAN_ELEMENTS_AT_ONCE (UINT64_C(1) << 27)

/* Buffers of a dispatch: u0, u1, u2. */
typedef struct scan_buffers {
    gpu_binding input;
    gpu_binding output;
    gpu_binding work;
} scan_buffers;

/* What becomes of the dispatches: they are executed; they are appended to a list of the caller's;
 * or they are only counted, so that every shader is created. In the last two cases nothing runs
 * before all of them are queued. */
typedef enum scan_mode {
    SCAN_EXECUTES,
    SCAN_RECORDS,
    SCAN_COUNTS
} scan_mode;

/* Dispatches of one recording. Counting fails above it. */
#define SCAN_MOST_RECORDED 65536

typedef struct scan_commands {
    gpu_device *device;
    scan_mode mode;
    void *target; /* SCAN_RECORDS: the list, or stream */
    gpu_command list[SCAN_COMMANDS_AT_ONCE];
    size_t count;
    uint64_t elements;
    uint64_t ticks; /* of all submissions so far */
    uint64_t begin; /* ticks, of the first one */
    uint64_t end;   /* of the last one */
    uint64_t dispatches;
    uint64_t read; /* elements, by all dispatches so far */
} scan_commands;

/* Executes what is queued and waits for it, or records it, or forgets it. */
gpu_status cumsum_scan_submit(scan_commands *commands, gpu_failure *why);

#endif
