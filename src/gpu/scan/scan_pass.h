/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_GPU_SCAN_PASS_H
#define CUMSUM_GPU_SCAN_PASS_H

/*
 * The two orders of addition, as dispatches over lines that lie in GPU buffers. A pass names the
 * lines, the buffers and the shaders; the functions append dispatches to the pass's queue.
 */

#include "scan_commands.h"
#include "scan_layout.h"
#include "scan_shaders.h"

/* Constants of the blocked order (docs/shaders.md), the same in shaders/scan_blocked.hlsli. */
enum {
    SCAN_TILE = 1024,
    SCAN_RECORD = 3, /* running sums of a tile's record */
    SCAN_LEVELS = 4, /* enough for any line: 1024^4 elements exceed what a tensor can have */
    SCAN_GROUP = 64  /* threads */
};

/* Elements of a line that one dispatch of the sequential order scans. Some software devices
 * silently stop a thread after 65,535 rounds of all its loops together. 8192 elements take at most
 * 8192 / 16 * (1 + 16 + 1) rounds: per 16 elements one of adding, sixteen of storing and one of the
 * outer loop. */
#define SCAN_CHUNK 8192u

/* A GPU is busy with this many groups: one moves 8 KiB at a time, which takes some microseconds
 * (docs/shaders.md). */
#define SCAN_BUSY_GROUPS 1024u

typedef struct scan_pass {
    scan_commands *commands;
    scan_shaders *shaders;
    scan_buffers buffers;
    scan_layout layout;
    scan_element element;
    uint32_t flags;  /* all but DIMENSIONS, CONTINUES, CONTINUED and TOTALS */
    uint32_t chunk;  /* elements of a line per dispatch; 0: SCAN_CHUNK */
    uint32_t groups; /* with this many a device is busy; 0: SCAN_BUSY_GROUPS */
    bool direct; /* a processor computes: no groupshared memory, whose barriers are slow there */
} scan_pass;

/* The kernel of a dispatch, and how its groups take lines: SCAN_GROUP >> shift each. */
typedef struct scan_assignment {
    scan_kernel kernel;
    uint32_t flags;
    uint32_t shift;
} scan_assignment;

static inline uint64_t scan_line_groups(const scan_layout *layout, uint32_t shift) {
    const uint32_t lines = (uint32_t)SCAN_GROUP >> shift;
    return (layout->lines + UINT64_C(1) * lines - 1) / lines;
}

/* Appends a dispatch of `groups` thread groups, at most 2^31, folded into a two-dimensional grid.
 * `elements` is how many elements it reads. Submits the dispatches appended before if this one
 * would exceed a limit. In scan_commands.c. */
gpu_status cumsum_scan_append(scan_pass *pass, scan_kernel kernel, scan_element element,
                              const scan_buffers *buffers, const scan_constants *constants,
                              uint64_t groups, uint64_t elements, gpu_failure *why);

/* The sequential order, of elements first to first + count - 1 of every line. If that is not the
 * whole line, the lines' carries stay in the work buffer from one call to the next. */
gpu_status cumsum_scan_sequential(scan_pass *pass, uint32_t first, uint32_t count,
                                  gpu_failure *why);
/* Bytes of the work buffer that it needs. */
uint64_t cumsum_scan_sequential_work(const scan_pass *pass);

/* The blocked order, of whole lines. */
gpu_status cumsum_scan_blocked(scan_pass *pass, gpu_failure *why);
/* True if that is a single pass. The word at the place SCAN_LEFT of the work buffer then counts the
 * tiles that it left. */
#define SCAN_LEFT 4
bool cumsum_scan_is_single(const scan_pass *pass);

/*
 * The same in three steps: the totals of all tiles, the levels above, the outputs.
 * The first and the last step may be called for one range of tiles at a time. A line of one tile
 * needs the last step only, and the others do nothing.
 */
gpu_status cumsum_scan_tile_totals(scan_pass *pass, uint32_t first_tile, uint32_t tiles,
                                   gpu_failure *why);
gpu_status cumsum_scan_levels(scan_pass *pass, gpu_failure *why);
gpu_status cumsum_scan_outputs(scan_pass *pass, uint32_t first_tile, uint32_t tiles,
                               gpu_failure *why);
/* Bytes of the work buffer that it needs. */
uint64_t cumsum_scan_blocked_work(const scan_pass *pass);

/* Tiles of a line. */
static inline uint32_t scan_tiles(uint32_t length) {
    return length / SCAN_TILE + (length % SCAN_TILE != 0);
}

#endif
