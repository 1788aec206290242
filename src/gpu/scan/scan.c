/* SPDX-License-Identifier: MIT */
#include "scan.h"

#include "scanner.h"

#include <stdlib.h>

/* Places in a buffer are 32-bit numbers of bytes; some room above for what loops add at the end. */
#define MOST_BYTES (UINT64_C(0xFFFFFFFF) - 65535)
/* Less than this is not tried when memory is short. */
#define LEAST_BYTES (UINT64_C(1) << 24)

gpu_status cumsum_scan_create(gpu_device *device, const gpu_scan_options *options,
                              gpu_scanner **scanner, gpu_failure *why) {
    *scanner = calloc(1, sizeof **scanner);
    if (!*scanner) {
        *why = (gpu_failure){GPU_OUT_OF_MEMORY, 0, "no memory for a scanner"};
        return GPU_OUT_OF_MEMORY;
    }
    if (options)
        (*scanner)->options = *options;
    (*scanner)->device = device;
    (*scanner)->memory.device = device;
    (*scanner)->commands.device = device;
    (*scanner)->shaders.device = device;
    (*scanner)->shaders.bytecodes =
        options && options->bytecodes ? options->bytecodes : &cumsum_scan_bytecodes;
    return GPU_OK;
}

void cumsum_scan_destroy(gpu_scanner *scanner) {
    if (!scanner)
        return;
    cumsum_scan_release(&scanner->memory);
    cumsum_scan_shaders_destroy(&scanner->shaders);
    free(scanner);
}

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

void cumsum_scan_begin_pass(const scan_job *job, scan_pass *pass) {
    *pass = (scan_pass){.commands = &job->scanner->commands,
                        .shaders = &job->scanner->shaders,
                        .flags = numerics_flags(job),
                        .chunk = job->scanner->options.chunk};
    pass->element = cumsum_scan_element(job->problem->type, job->numerics->half_accumulator);
    if (job->problem->exclusive)
        pass->flags |= SCAN_FLAG_EXCLUSIVE;
    if (job->in_place)
        pass->flags |= SCAN_FLAG_IN_PLACE;
}

void cumsum_scan_bind(const scan_job *job, scan_pass *pass) {
    gpu_buffer *const *buffer = job->scanner->memory.buffer;
    const bool in_place = (pass->flags & (uint32_t)SCAN_FLAG_IN_PLACE) != 0;
    pass->buffers.input = buffer[in_place ? SCAN_OUTPUT : SCAN_INPUT];
    pass->buffers.output = buffer[SCAN_OUTPUT];
    pass->buffers.work = buffer[SCAN_WORK];
}

/* So many lines keep a GPU busy with a thread each. */
#define MANY_LINES 16384

bool cumsum_scan_is_blocked(const scan_job *job, const scan_layout *layout) {
    const cumsum_data_type type = job->problem->type;
    if (type == CUMSUM_DATA_TYPE_FLOAT32 || type == CUMSUM_DATA_TYPE_FLOAT16)
        return job->numerics->order == CUMSUM_ORDER_BLOCKED;
    return layout->lines < MANY_LINES && layout->length > SCAN_TILE;
}

uint64_t cumsum_scan_work(const scan_job *job, const scan_pass *pass) {
    if (cumsum_scan_is_blocked(job, &pass->layout))
        return cumsum_scan_blocked_work(pass);
    return cumsum_scan_sequential_work(pass);
}

gpu_status cumsum_scan_lines(const scan_job *job, scan_pass *pass, gpu_failure *why) {
    const uint32_t tiles = scan_tiles(pass->layout.length);
    if (!cumsum_scan_is_blocked(job, &pass->layout))
        return cumsum_scan_sequential(pass, 0, pass->layout.length, why);
    gpu_status status = cumsum_scan_tile_totals(pass, 0, tiles, why);
    if (status == GPU_OK)
        status = cumsum_scan_levels(pass, why);
    return status == GPU_OK ? cumsum_scan_outputs(pass, 0, tiles, why) : status;
}

static uint64_t room_of(const gpu_scanner *scanner) {
    const uint64_t device = scanner->device->driver->info(scanner->device)->max_buffer;
    const uint64_t asked = scanner->options.max_buffer;
    const uint64_t room = asked && asked < device ? asked : device;
    return room < MOST_BYTES ? room : MOST_BYTES;
}

void cumsum_scan_begin(scan_job *job, gpu_scanner *scanner, const cumsum_problem *problem,
                       const cumsum_numerics *numerics, const void *input, void *output) {
    *job = (scan_job){.scanner = scanner,
                      .problem = problem,
                      .numerics = numerics,
                      .input = input,
                      .output = output,
                      .in_place = input == output,
                      .room = room_of(scanner)};
    scanner->commands.ticks = 0;
    scanner->commands.dispatches = 0;
    scanner->commands.count = 0;
    scanner->commands.elements = 0;
}

/* Where there is no memory for all of it at a time, in pieces, and then in smaller ones; but not
 * once anything may have been written to the caller's memory, which may be the input too. */
static gpu_status run(scan_job *job, gpu_failure *why) {
    gpu_status status = GPU_OUT_OF_MEMORY;
    if (cumsum_scan_fits_whole(job))
        status = cumsum_scan_whole(job, why);
    else
        status = cumsum_scan_in_pieces(job, why);
    while (status == GPU_OUT_OF_MEMORY && !job->started && job->room > LEAST_BYTES) {
        cumsum_scan_release(&job->scanner->memory);
        job->room = job->room < MOST_BYTES / 8 ? job->room / 4 : MOST_BYTES / 16;
        status = cumsum_scan_in_pieces(job, why);
    }
    return status;
}

gpu_status cumsum_scan_run(gpu_scanner *scanner, const cumsum_problem *problem,
                           const cumsum_numerics *numerics, const void *input, void *output,
                           gpu_scan_timing *timing, gpu_failure *why) {
    if (numerics->order == CUMSUM_ORDER_EXACT) {
        *why = (gpu_failure){GPU_REJECTED, 0, "the exact order is computed on the CPU alone"};
        return GPU_REJECTED;
    }
    scan_job job;
    cumsum_scan_begin(&job, scanner, problem, numerics, input, output);
    const gpu_status status = run(&job, why);
    if (timing)
        *timing = (gpu_scan_timing){scanner->commands.ticks, scanner->commands.dispatches};
    return status;
}
