/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_GPU_SCAN_JOB_H
#define CUMSUM_GPU_SCAN_JOB_H

/*
 * One scan in progress. The calls between the files go one way:
 *
 *     scan.c, scan_record.c -> scan_whole.c, scan_pieces.c -> scan_job.c -> the two orders
 *
 * scan_whole.c uploads tensors as they are; scan_pieces.c lets the host pack them. Both take the
 * decisions that depend on the problem alone (order, shader flags, work buffer) from scan_job.c.
 */

#include "scan.h"
#include "scan_memory.h"
#include "scan_pass.h"

/* The largest buffer of a scan. Byte addresses in a shader have 32 bits, unless the driver's are
 * wide; then it is as many elements. Shaders compute addresses up to one loop step beyond the end
 * of a buffer, without accessing them, so the limit leaves some space below 2^32. */
#define SCAN_MAX_BUFFER (UINT64_C(0xFFFFFFFF) - 65535)

struct gpu_scanner {
    gpu_device *device;
    gpu_scan_options options;
    scan_shaders shaders;
    scan_memory memory;
    scan_commands commands;
};

typedef struct scan_job {
    gpu_scanner *scanner;
    scan_commands *commands;
    const cumsum_problem *problem;
    const cumsum_numerics *numerics;
    const void *input;
    void *output;
    bool in_place;
    scan_origin origin;  /* of the tensors in their buffers: behind the guard band */
    uint64_t max_buffer; /* bytes of one buffer, guard bands included */
    bool started;        /* every allocation succeeded; `output` may be written from here on */
} scan_job;

/* scan_job.c */

/* Prepares a job that executes, and resets the scanner's counters. Allocates nothing. */
void cumsum_scan_job_init(scan_job *job, gpu_scanner *scanner, const cumsum_problem *problem,
                          const cumsum_numerics *numerics, const void *input, void *output);

/* Sets flags and element type of the job's shaders. The caller sets layout and buffers. */
void cumsum_scan_pass_init(const scan_job *job, scan_pass *pass);

/* True if the lines are computed with the blocked order's shaders. */
bool cumsum_scan_is_blocked(const scan_job *job, const scan_layout *layout);

/* Bytes of the work buffer that the pass's lines need; may be 0. */
uint64_t cumsum_scan_work(const scan_job *job, const scan_pass *pass);

/* Gives the pass the scanner's buffers. Needed again after each cumsum_scan_reserve. */
void cumsum_scan_bind(const scan_job *job, scan_pass *pass);

/* Appends the dispatches of all lines of the pass. */
gpu_status cumsum_scan_lines(const scan_job *job, scan_pass *pass, gpu_failure *why);

/* scan_whole.c */

/* True if each tensor fits into one buffer. The functions below require it. */
bool cumsum_scan_fits_whole(const scan_job *job);
/* Begins the pass and sets its layout. */
void cumsum_scan_pass_init_whole(const scan_job *job, scan_pass *pass);
/* Appends the dispatches of all lines, and submits them. */
gpu_status cumsum_scan_compute(const scan_job *job, scan_pass *pass, gpu_failure *why);
/* Uploads the tensors, computes, checks the guard bands and downloads the output. */
gpu_status cumsum_scan_whole(scan_job *job, gpu_failure *why);

/* scan_pieces.c: scans a tensor of any size, as much of it at a time as a buffer holds. */
gpu_status cumsum_scan_in_pieces(scan_job *job, gpu_failure *why);

#endif
