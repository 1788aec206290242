/* SPDX-License-Identifier: MIT */
/*
 * Scans of tensors that are larger than a buffer. The host packs a piece, the GPU scans it in
 * place, and the host unpacks the results. A piece is either several whole lines or a part of one
 * line, packed in traversal order.
 *
 * Between the pieces of a line the running values stay on the GPU, in the work buffer. In the
 * sequential order they are the line's carry. In the blocked order they are the records of the
 * line's tiles; the line is packed twice, once for the tiles' totals and once for the outputs.
 *
 * Invariants: a piece of a line begins at a multiple of SCAN_TILE, so no tile spans two. Lines
 * that share output elements are scanned one at a time, since in place a line reads what the one
 * before it wrote.
 */
#include "scan_elements.h"
#include "scan_job.h"

#include <stdlib.h>

/* Largest piece: it also occupies host memory. */
#define MAX_PIECE_BYTES (UINT64_C(1) << 28)
/* Smallest: one tile of the widest element type, between guard bands. */
#define MIN_PIECE_BYTES (2 * SCAN_GUARD + UINT64_C(8) * SCAN_TILE)

typedef struct piece_work {
    const scan_job *job;
    scan_pass pass;
    unsigned char *image; /* the piece in host memory */
    uint64_t capacity;    /* of the image, in elements: a multiple of SCAN_TILE */
} piece_work;

static uint64_t piece_bytes(const piece_work *work, const scan_piece *piece) {
    return UINT64_C(1) * piece->lines * piece->count * work->job->problem->element_size;
}

/* Sets the layout to whole packed lines. For a piece of a line, the line's first element lies
 * `first` elements before the buffer's data; places are modulo 2^32, so that works out. */
static void set_layout(piece_work *work, const scan_piece *piece) {
    const uint32_t origin = (uint32_t)(SCAN_GUARD / work->job->problem->element_size);
    cumsum_scan_layout_packed(&work->pass.layout, piece->lines,
                              (uint32_t)work->job->problem->line_length, origin - piece->first);
}

static gpu_status upload_piece(piece_work *work, const scan_piece *piece, gpu_failure *why) {
    cumsum_scan_pack(work->job->problem, piece, work->job->input, work->image);
    set_layout(work, piece);
    return cumsum_scan_upload(&work->job->scanner->memory, SCAN_OUTPUT, work->image,
                              piece_bytes(work, piece), why);
}

/* Executes the dispatches of the piece and unpacks its results into the caller's output. */
static gpu_status finish_piece(piece_work *work, const scan_piece *piece, gpu_failure *why) {
    gpu_status status = cumsum_scan_submit(work->pass.commands, why);
    if (status == GPU_OK)
        status = cumsum_scan_get_output(&work->job->scanner->memory, work->image,
                                        piece_bytes(work, piece), why);
    if (status == GPU_OK)
        cumsum_scan_unpack(work->job->problem, piece, work->image, work->job->output);
    return status;
}

static gpu_status scan_whole_lines(piece_work *work, gpu_failure *why) {
    const cumsum_problem *problem = work->job->problem;
    const uint64_t most = problem->output_may_overlap ? 1 : work->capacity / problem->line_length;
    gpu_status status = GPU_OK;
    for (uint64_t line = 0; line < problem->lines && status == GPU_OK;) {
        const uint64_t left = problem->lines - line;
        const scan_piece piece = {line, (uint32_t)(left < most ? left : most), 0,
                                  (uint32_t)problem->line_length};
        status = upload_piece(work, &piece, why);
        if (status == GPU_OK)
            status = cumsum_scan_lines(work->job, &work->pass, why);
        if (status == GPU_OK)
            status = finish_piece(work, &piece, why);
        line += piece.lines;
    }
    return status;
}

/* What is done to each piece of a line, once it is uploaded. */
typedef gpu_status piece_function(piece_work *work, const scan_piece *piece, gpu_failure *why);

static gpu_status scan_piece_of_line(piece_work *work, const scan_piece *piece, gpu_failure *why) {
    const gpu_status status = cumsum_scan_sequential(&work->pass, piece->first, piece->count, why);
    return status == GPU_OK ? finish_piece(work, piece, why) : status;
}

/* Blocked order, first pass: leaves the tiles' totals on the GPU, and no output. */
static gpu_status total_piece_of_line(piece_work *work, const scan_piece *piece, gpu_failure *why) {
    const gpu_status status = cumsum_scan_tile_totals(&work->pass, piece->first / SCAN_TILE,
                                                      scan_tiles(piece->count), why);
    return status == GPU_OK ? cumsum_scan_submit(work->pass.commands, why) : status;
}

/* Blocked order, second pass. */
static gpu_status output_piece_of_line(piece_work *work, const scan_piece *piece,
                                       gpu_failure *why) {
    const gpu_status status =
        cumsum_scan_outputs(&work->pass, piece->first / SCAN_TILE, scan_tiles(piece->count), why);
    return status == GPU_OK ? finish_piece(work, piece, why) : status;
}

static gpu_status for_each_piece_of_line(piece_work *work, uint64_t line, piece_function *function,
                                         gpu_failure *why) {
    const uint64_t length = work->job->problem->line_length;
    gpu_status status = GPU_OK;
    for (uint64_t first = 0; first < length && status == GPU_OK; first += work->capacity) {
        const uint64_t left = length - first;
        const uint64_t count = left < work->capacity ? left : work->capacity;
        const scan_piece piece = {line, 1, (uint32_t)first, (uint32_t)count};
        status = upload_piece(work, &piece, why);
        if (status == GPU_OK)
            status = function(work, &piece, why);
    }
    return status;
}

/* Lines that are longer than a piece, one at a time. */
static gpu_status scan_long_lines(piece_work *work, gpu_failure *why) {
    const bool blocked = cumsum_scan_is_blocked(work->job, &work->pass.layout);
    gpu_status status = GPU_OK;
    for (uint64_t line = 0; line < work->job->problem->lines && status == GPU_OK; line++) {
        if (!blocked) {
            status = for_each_piece_of_line(work, line, scan_piece_of_line, why);
            continue;
        }
        status = for_each_piece_of_line(work, line, total_piece_of_line, why);
        if (status == GPU_OK)
            status = cumsum_scan_levels(&work->pass, why);
        if (status == GPU_OK)
            status = for_each_piece_of_line(work, line, output_piece_of_line, why);
    }
    return status;
}

/* Makes the buffers for the largest piece of the job, so that no later piece can run out of memory.
 */
static gpu_status reserve_piece(piece_work *work, bool long_lines, gpu_failure *why) {
    const cumsum_problem *problem = work->job->problem;
    scan_memory *memory = &work->job->scanner->memory;
    const uint64_t lines = long_lines ? 1 : work->capacity / problem->line_length;
    const scan_piece largest = {0, (uint32_t)(lines < problem->lines ? lines : problem->lines), 0,
                                (uint32_t)problem->line_length};
    set_layout(work, &largest);
    const uint64_t bytes = work->capacity * problem->element_size + 2 * SCAN_GUARD;
    const uint64_t needed = cumsum_scan_work(work->job, &work->pass);
    gpu_status status = cumsum_scan_reserve(memory, SCAN_OUTPUT, bytes, why);
    if (status == GPU_OK)
        status = cumsum_scan_reserve(memory, SCAN_WORK, needed ? needed : 4, why);
    cumsum_scan_bind(work->job, &work->pass);
    return status;
}

gpu_status cumsum_scan_in_pieces(scan_job *job, gpu_failure *why) {
    const uint64_t most = job->max_buffer < MAX_PIECE_BYTES ? job->max_buffer : MAX_PIECE_BYTES;
    const uint64_t bytes = most > MIN_PIECE_BYTES ? most : MIN_PIECE_BYTES;
    piece_work work = {.job = job};
    work.capacity = (bytes - 2 * SCAN_GUARD) / job->problem->element_size / SCAN_TILE * SCAN_TILE;
    const bool long_lines = job->problem->line_length > work.capacity;
    cumsum_scan_pass_init(job, &work.pass);
    work.pass.flags |= SCAN_FLAG_IN_PLACE;
    gpu_status status = reserve_piece(&work, long_lines, why);
    if (status != GPU_OK)
        return status;
    work.image = malloc(work.capacity * job->problem->element_size);
    if (!work.image)
        return cumsum_gpu_refuse(why, GPU_OUT_OF_MEMORY, "no memory to pack a piece of the tensor");
    job->started = true;
    status = long_lines ? scan_long_lines(&work, why) : scan_whole_lines(&work, why);
    free(work.image);
    return status;
}
