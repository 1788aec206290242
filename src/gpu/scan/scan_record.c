/* SPDX-License-Identifier: MIT */
/*
 * Scans for a command list of the caller's. The dispatches are those of an execution, over buffers
 * without guard bands. They are made anew for each recording: that takes microseconds, and nothing
 * has to be kept.
 *
 * Invariant: after cumsum_scan_plan, a recording creates no shader. So it changes nothing of the
 * scanner, and several threads may record with one at a time.
 */
#include "scan.h"

#include "scan_job.h"

static void begin_recording(scan_job *job, scan_pass *pass, gpu_scanner *scanner,
                            scan_commands *commands, const cumsum_problem *problem,
                            const cumsum_numerics *numerics) {
    job->scanner = scanner;
    job->commands = commands;
    job->problem = problem;
    job->numerics = numerics;
    cumsum_scan_pass_init_whole(job, pass);
}

/* Creates the shaders of one kind of recording, and updates its limits. */
static gpu_status count(gpu_scanner *scanner, const cumsum_problem *problem,
                        const cumsum_numerics *numerics, bool in_place, scan_plan *plan,
                        gpu_failure *why) {
    scan_commands commands = {.device = scanner->device, .mode = SCAN_COUNTS};
    scan_job job = {.in_place = in_place};
    scan_pass pass;
    begin_recording(&job, &pass, scanner, &commands, problem, numerics);
    const uint64_t work = cumsum_scan_work(&job, &pass);
    const gpu_status status = cumsum_scan_compute(&job, &pass, why);
    plan->work = work > plan->work ? work : plan->work;
    plan->too_long |= commands.dispatches > SCAN_MOST_RECORDED;
    return status;
}

gpu_status cumsum_scan_plan(gpu_scanner *scanner, const cumsum_problem *problem,
                            const cumsum_numerics *numerics, scan_plan *plan, gpu_failure *why) {
    *plan = (scan_plan){0};
    const gpu_status status = count(scanner, problem, numerics, false, plan, why);
    if (status != GPU_OK || !problem->same_layout)
        return status;
    return count(scanner, problem, numerics, true, plan, why);
}

/* Splits an offset into one for the binding and the rest in elements. */
static uint32_t split_offset(gpu_binding *binding, uint32_t alignment, uint32_t element_size) {
    const uint64_t rest = binding->offset % alignment;
    binding->offset -= rest;
    return (uint32_t)(rest / element_size);
}

gpu_status cumsum_scan_record(gpu_scanner *scanner, const cumsum_problem *problem,
                              const cumsum_numerics *numerics, const scan_buffers *buffers,
                              bool in_place, void *command_list, gpu_failure *why) {
    scan_commands commands = {
        .device = scanner->device, .mode = SCAN_RECORDS, .target = command_list};
    scan_buffers aligned = *buffers;
    scan_job job = {.in_place = in_place};
    scan_pass pass;
    const uint32_t alignment = scanner->device->driver->record_alignment;
    job.origin.input = split_offset(&aligned.input, alignment, problem->element_size);
    job.origin.output = split_offset(&aligned.output, alignment, problem->element_size);
    begin_recording(&job, &pass, scanner, &commands, problem, numerics);
    pass.buffers = aligned;
    return cumsum_scan_compute(&job, &pass, why);
}
