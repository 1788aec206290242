/* SPDX-License-Identifier: MIT */
/*
 * The decisions of a scan that do not depend on where its data comes from: which order's shaders
 * run, with which flags, and how large the work buffer is.
 *
 * Invariant: for FLOAT32 and FLOAT16 the order of additions is the one that the caller chose, since
 * it decides the bits. Integer addition is associative modulo 2^32 and 2^64, so integers may take
 * whichever order is faster.
 */
#include "scan_job.h"

/* Integer scans of this many lines occupy a GPU with one thread per line. Below it, long lines are
 * split into tiles. */
#define ENOUGH_LINES 16384

/* The same for a processor that stands in for a GPU, and the thread groups that keep it busy: each
 * of its threads computes one group at a time. */
#define ENOUGH_PROCESSOR_LINES  256
#define ENOUGH_PROCESSOR_GROUPS 16
/* A processor computes so many lanes of a wave at a time, at most; GPUs have longer waves. */
#define MOST_PROCESSOR_LANES 8

static uint64_t buffer_limit(const gpu_scanner *scanner, uint32_t element_size) {
    const uint64_t device = scanner->device->info.max_buffer_in_bytes;
    const uint64_t asked = scanner->options.max_buffer;
    const uint64_t limit = asked && asked < device ? asked : device;
    const uint64_t most =
        SCAN_MAX_BUFFER * (scanner->device->driver->wide_addresses ? element_size : 1);
    return limit < most ? limit : most;
}

void cumsum_scan_job_init(scan_job *job, gpu_scanner *scanner, const cumsum_problem *problem,
                          const cumsum_numerics *numerics, const void *input, void *output) {
    const uint32_t origin = (uint32_t)(SCAN_GUARD / problem->element_size);
    *job = (scan_job){.scanner = scanner,
                      .commands = &scanner->commands,
                      .problem = problem,
                      .numerics = numerics,
                      .input = input,
                      .output = output,
                      .in_place = input == output,
                      .origin = {origin, origin},
                      .max_buffer = buffer_limit(scanner, problem->element_size)};
    scanner->commands = (scan_commands){.device = scanner->device};
}

/* Flushing exists for FLOAT32 only: the sums of binary16 numbers are never binary32 subnormals. */
static uint32_t numerics_flags(const scan_job *job) {
    const cumsum_numerics *numerics = job->numerics;
    uint32_t flags = 0;
    if (job->problem->type == CUMSUM_DATA_TYPE_FLOAT32 &&
        numerics->denormals == CUMSUM_DENORMALS_FLUSH)
        flags |= SCAN_FLAG_FLUSH;
    if (numerics->half_store == CUMSUM_HALF_STORE_TOWARD_ZERO)
        flags |= SCAN_FLAG_TRUNCATE;
    if (numerics->half_store == CUMSUM_HALF_STORE_IEEE)
        flags |= SCAN_FLAG_IEEE_OVERFLOW;
    return flags;
}

/* Wine gives a software device the name of a GPU, but not the length of its waves. */
static bool is_processor(const gpu_scanner *scanner) {
    const cumsum_d3d12_device_info *info = &scanner->device->info;
    if (scanner->options.groups)
        return false;
    return info->adapter.software ||
           (0 < info->wave_lanes_max && info->wave_lanes_max <= MOST_PROCESSOR_LANES);
}

void cumsum_scan_pass_init(const scan_job *job, scan_pass *pass) {
    *pass = (scan_pass){.commands = job->commands,
                        .shaders = &job->scanner->shaders,
                        .flags = numerics_flags(job),
                        .chunk = job->scanner->options.chunk,
                        .groups = job->scanner->options.groups,
                        .direct = is_processor(job->scanner)};
    if (pass->direct)
        pass->groups = ENOUGH_PROCESSOR_GROUPS;
    pass->element = cumsum_scan_element(job->problem->type, job->numerics->half_accumulator);
    if (job->problem->exclusive)
        pass->flags |= SCAN_FLAG_EXCLUSIVE;
    if (job->in_place)
        pass->flags |= SCAN_FLAG_IN_PLACE;
}

/* In place the output buffer stands in both slots. The shaders then read and write it through the
 * output slot alone, which keeps a thread's reads and writes in order. */
void cumsum_scan_bind(const scan_job *job, scan_pass *pass) {
    gpu_buffer *const *buffer = job->scanner->memory.buffer;
    const bool in_place = (pass->flags & (uint32_t)SCAN_FLAG_IN_PLACE) != 0;
    pass->buffers.input.buffer = buffer[in_place ? SCAN_OUTPUT : SCAN_INPUT];
    pass->buffers.output.buffer = buffer[SCAN_OUTPUT];
    pass->buffers.work.buffer = buffer[SCAN_WORK];
}

bool cumsum_scan_is_blocked(const scan_job *job, const scan_layout *layout) {
    const cumsum_data_type type = job->problem->type;
    if (type == CUMSUM_DATA_TYPE_FLOAT32 || type == CUMSUM_DATA_TYPE_FLOAT16)
        return job->numerics->order == CUMSUM_ORDER_BLOCKED;
    const uint32_t enough = is_processor(job->scanner) ? ENOUGH_PROCESSOR_LINES : ENOUGH_LINES;
    return layout->lines < enough && layout->length > SCAN_TILE;
}

uint64_t cumsum_scan_work(const scan_job *job, const scan_pass *pass) {
    if (cumsum_scan_is_blocked(job, &pass->layout))
        return cumsum_scan_blocked_work(pass);
    return cumsum_scan_sequential_work(pass);
}

gpu_status cumsum_scan_lines(const scan_job *job, scan_pass *pass, gpu_failure *why) {
    if (cumsum_scan_is_blocked(job, &pass->layout))
        return cumsum_scan_blocked(pass, why);
    return cumsum_scan_sequential(pass, 0, pass->layout.length, why);
}
