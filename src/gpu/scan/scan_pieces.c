/* SPDX-License-Identifier: MIT */
/*
 * Tensors that no buffer holds. The host packs as many whole lines as there is room for, or a part
 * of one line, in traversal order; the GPU scans them in place; the host puts them where they
 * belong. Between the parts of a line the tallies stay on the GPU: the sequential order's carry, or
 * the records of the blocked order's tiles, for which the line is packed twice.
 */
#include "scan_elements.h"
#include "scanner.h"

#include <stdlib.h>

/* Pieces are no larger than this: they are in the host's memory too. */
#define MOST_ROOM (UINT64_C(1) << 28)
/* A tile of the longest element type between guard bands. */
#define LEAST_ROOM (2 * SCAN_GUARD + UINT64_C(8) * SCAN_TILE)

typedef struct piece_work {
    const scan_job *job;
    scan_pass pass;
    unsigned char *image; /* the piece in host memory */
    uint64_t capacity;    /* elements that it has room for: a multiple of SCAN_TILE */
} piece_work;

static uint64_t piece_bytes(const piece_work *work, const scan_piece *piece) {
    return scan_round_up(
        UINT64_C(1) * piece->lines * piece->count * work->job->problem->element_size, 4);
}

/* Element k = 0 would lie `first` elements before the piece. */
static void describe_piece(piece_work *work, const scan_piece *piece) {
    const uint32_t origin = (uint32_t)(SCAN_GUARD / work->job->problem->element_size);
    cumsum_scan_layout_packed(&work->pass.layout, piece->lines,
                              (uint32_t)work->job->problem->line_length, origin - piece->first);
}

static gpu_status bring(piece_work *work, const scan_piece *piece, gpu_failure *why) {
    gpu_device *device = work->job->scanner->device;
    scan_memory *memory = &work->job->scanner->memory;
    const uint64_t bytes = piece_bytes(work, piece);
    cumsum_scan_pack(work->job->problem, piece, work->job->input, work->image);
    describe_piece(work, piece);
    const gpu_status status = cumsum_scan_set_guards(memory, bytes, why);
    if (status != GPU_OK)
        return status;
    return device->driver->upload(device, memory->buffer[SCAN_OUTPUT], SCAN_GUARD, work->image,
                                  bytes, why);
}

static gpu_status fetch(piece_work *work, const scan_piece *piece, gpu_failure *why) {
    gpu_device *device = work->job->scanner->device;
    scan_memory *memory = &work->job->scanner->memory;
    const uint64_t bytes = piece_bytes(work, piece);
    gpu_status status = cumsum_scan_submit(work->pass.commands, why);
    if (status == GPU_OK)
        status = cumsum_scan_check_guards(memory, bytes, why);
    if (status == GPU_OK)
        status = device->driver->download(device, memory->buffer[SCAN_OUTPUT], SCAN_GUARD,
                                          work->image, bytes, why);
    if (status == GPU_OK)
        cumsum_scan_unpack(work->job->problem, piece, work->image, work->job->output);
    return status;
}

/* Whole lines. Where lines share elements, one at a time: in place the next one reads what this one
 * wrote. */
static gpu_status scan_whole_lines(piece_work *work, gpu_failure *why) {
    const cumsum_problem *problem = work->job->problem;
    const uint64_t most = problem->output_may_overlap ? 1 : work->capacity / problem->line_length;
    gpu_status status = GPU_OK;
    for (uint64_t line = 0; line < problem->lines && status == GPU_OK;) {
        const uint64_t left = problem->lines - line;
        const scan_piece piece = {line, (uint32_t)(left < most ? left : most), 0,
                                  (uint32_t)problem->line_length};
        status = bring(work, &piece, why);
        if (status == GPU_OK)
            status = cumsum_scan_lines(work->job, &work->pass, why);
        if (status == GPU_OK)
            status = fetch(work, &piece, why);
        line += piece.lines;
    }
    return status;
}

typedef gpu_status part_function(piece_work *work, const scan_piece *piece, gpu_failure *why);

static gpu_status sum_part(piece_work *work, const scan_piece *piece, gpu_failure *why) {
    const gpu_status status = cumsum_scan_sequential(&work->pass, piece->first, piece->count, why);
    return status == GPU_OK ? fetch(work, piece, why) : status;
}

static gpu_status total_part(piece_work *work, const scan_piece *piece, gpu_failure *why) {
    const gpu_status status = cumsum_scan_tile_totals(&work->pass, piece->first / SCAN_TILE,
                                                      scan_tiles(piece->count), why);
    return status == GPU_OK ? cumsum_scan_submit(work->pass.commands, why) : status;
}

static gpu_status output_part(piece_work *work, const scan_piece *piece, gpu_failure *why) {
    const gpu_status status =
        cumsum_scan_outputs(&work->pass, piece->first / SCAN_TILE, scan_tiles(piece->count), why);
    return status == GPU_OK ? fetch(work, piece, why) : status;
}

static gpu_status for_each_part(piece_work *work, uint64_t line, part_function *function,
                                gpu_failure *why) {
    const uint64_t length = work->job->problem->line_length;
    gpu_status status = GPU_OK;
    for (uint64_t first = 0; first < length && status == GPU_OK; first += work->capacity) {
        const uint64_t left = length - first;
        const uint64_t count = left < work->capacity ? left : work->capacity;
        const scan_piece piece = {line, 1, (uint32_t)first, (uint32_t)count};
        status = bring(work, &piece, why);
        if (status == GPU_OK)
            status = function(work, &piece, why);
    }
    return status;
}

static gpu_status scan_long_lines(piece_work *work, gpu_failure *why) {
    const bool blocked = cumsum_scan_is_blocked(work->job, &work->pass.layout);
    gpu_status status = GPU_OK;
    for (uint64_t line = 0; line < work->job->problem->lines && status == GPU_OK; line++) {
        if (!blocked) {
            status = for_each_part(work, line, sum_part, why);
            continue;
        }
        status = for_each_part(work, line, total_part, why);
        if (status == GPU_OK)
            status = cumsum_scan_levels(&work->pass, why);
        if (status == GPU_OK)
            status = for_each_part(work, line, output_part, why);
    }
    return status;
}

/* Buffers for the largest piece there will be. */
static gpu_status reserve(piece_work *work, bool long_lines, gpu_failure *why) {
    const cumsum_problem *problem = work->job->problem;
    scan_memory *memory = &work->job->scanner->memory;
    const uint64_t lines = long_lines ? 1 : work->capacity / problem->line_length;
    const scan_piece largest = {0, (uint32_t)(lines < problem->lines ? lines : problem->lines), 0,
                                (uint32_t)problem->line_length};
    describe_piece(work, &largest);
    const uint64_t bytes = work->capacity * problem->element_size + 2 * SCAN_GUARD;
    const uint64_t needed = cumsum_scan_work(work->job, &work->pass);
    gpu_status status = cumsum_scan_reserve(memory, SCAN_OUTPUT, bytes, why);
    if (status == GPU_OK)
        status = cumsum_scan_reserve(memory, SCAN_WORK, needed ? needed : 4, why);
    cumsum_scan_bind(work->job, &work->pass);
    return status;
}

gpu_status cumsum_scan_in_pieces(scan_job *job, gpu_failure *why) {
    const uint64_t most = job->room < MOST_ROOM ? job->room : MOST_ROOM;
    const uint64_t room = most > LEAST_ROOM ? most : LEAST_ROOM;
    piece_work work = {.job = job};
    work.capacity = (room - 2 * SCAN_GUARD) / job->problem->element_size / SCAN_TILE * SCAN_TILE;
    const bool long_lines = job->problem->line_length > work.capacity;
    cumsum_scan_begin_pass(job, &work.pass);
    work.pass.flags |= SCAN_FLAG_IN_PLACE;
    gpu_status status = reserve(&work, long_lines, why);
    if (status != GPU_OK)
        return status;
    work.image = malloc(work.capacity * job->problem->element_size);
    if (!work.image) {
        *why = (gpu_failure){GPU_OUT_OF_MEMORY, 0, "no memory to pack a piece of the tensor"};
        return GPU_OUT_OF_MEMORY;
    }
    job->started = true;
    status = long_lines ? scan_long_lines(&work, why) : scan_whole_lines(&work, why);
    free(work.image);
    return status;
}
