/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_GPU_SCANNER_H
#define CUMSUM_GPU_SCANNER_H

/* What is behind gpu_scanner, and the two ways to run a scan. */

#include "scan.h"
#include "scan_memory.h"
#include "scan_pass.h"

struct gpu_scanner {
    gpu_device *device;
    gpu_scan_options options;
    scan_shaders shaders;
    scan_memory memory;
    scan_commands commands;
};

/* A scan under way. */
typedef struct scan_job {
    gpu_scanner *scanner;
    const cumsum_problem *problem;
    const cumsum_numerics *numerics;
    const void *input;
    void *output;
    bool in_place;
    uint64_t room; /* bytes that one buffer may have, guard bands included */
    bool started;  /* there is memory for all that follows */
} scan_job;

/* A scan that has not done anything yet; the scanner's counts start at zero. */
void cumsum_scan_begin(scan_job *job, gpu_scanner *scanner, const cumsum_problem *problem,
                       const cumsum_numerics *numerics, const void *input, void *output);

/* Flags and element of the job's shaders; layout and buffers are left to be filled in. */
void cumsum_scan_begin_pass(const scan_job *job, scan_pass *pass);

/* Float sums must keep the order; of integers every order has the same bits, and few long lines are
 * done in parallel. */
bool cumsum_scan_is_blocked(const scan_job *job, const scan_layout *layout);

/* Bytes of the work buffer that the pass's lines need; 0 where they need none. */
uint64_t cumsum_scan_work(const scan_job *job, const scan_pass *pass);

/* Gives the pass the scanner's buffers, as they are now. */
void cumsum_scan_bind(const scan_job *job, scan_pass *pass);

/* All of the pass's lines. */
gpu_status cumsum_scan_lines(const scan_job *job, scan_pass *pass, gpu_failure *why);

/* Both tensors as they are, each in one buffer; only where cumsum_scan_fits_whole. */
bool cumsum_scan_fits_whole(const scan_job *job);
gpu_status cumsum_scan_whole(scan_job *job, gpu_failure *why);
/* Two parts of it: both tensors into the scanner's buffers, and the sums there. */
gpu_status cumsum_scan_place(scan_job *job, scan_pass *pass, gpu_failure *why);
gpu_status cumsum_scan_compute(const scan_job *job, scan_pass *pass, gpu_failure *why);

/* Packed by the host, as much at a time as a buffer holds. */
gpu_status cumsum_scan_in_pieces(scan_job *job, gpu_failure *why);

#endif
