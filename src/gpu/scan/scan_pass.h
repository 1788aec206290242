/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_GPU_SCAN_PASS_H
#define CUMSUM_GPU_SCAN_PASS_H

/* One scan of lines that lie in GPU buffers, as dispatches. */

#include "scan_commands.h"
#include "scan_layout.h"
#include "scan_shaders.h"

enum {
    SCAN_TILE = 1024,
    SCAN_RECORD = 3, /* tallies that a tile leaves: shaders/scan_blocked.hlsli */
    SCAN_LEVELS = 4, /* 1024^4 is more than any line has */
    SCAN_GROUP = 64  /* threads */
};

/* Elements of a line that one dispatch of the sequential order does. Some software devices stop a
 * thread silently after 65,535 rounds of all its loops together; 8192 elements take at most
 * 8192 / 16 * (4 + 4 + 16 + 1). */
#define SCAN_CHUNK 8192u

typedef struct scan_pass {
    scan_commands *commands;
    scan_shaders *shaders;
    scan_buffers buffers;
    scan_layout layout;
    scan_element element;
    uint32_t flags; /* all but DIMENSIONS, CONTINUES, CONTINUED and TOTALS */
    uint32_t chunk; /* 0: SCAN_CHUNK */
} scan_pass;

/* The sequential order of elements first to first + count - 1 of every line. Where that is not the
 * whole line, the tallies are kept in the work buffer from call to call. */
gpu_status cumsum_scan_sequential(scan_pass *pass, uint32_t first, uint32_t count,
                                  gpu_failure *why);
/* Bytes of the work buffer. */
uint64_t cumsum_scan_sequential_work(const scan_pass *pass);

/* The blocked order: the totals of all tiles, then the levels above, then all outputs. Totals and
 * outputs may be done a range of tiles at a time. A line of one tile needs only the outputs. */
gpu_status cumsum_scan_tile_totals(scan_pass *pass, uint32_t first_tile, uint32_t tiles,
                                   gpu_failure *why);
gpu_status cumsum_scan_levels(scan_pass *pass, gpu_failure *why);
gpu_status cumsum_scan_outputs(scan_pass *pass, uint32_t first_tile, uint32_t tiles,
                               gpu_failure *why);
uint64_t cumsum_scan_blocked_work(const scan_pass *pass);

static inline uint32_t scan_tiles(uint32_t length) {
    return length / SCAN_TILE + (length % SCAN_TILE != 0);
}

#endif
