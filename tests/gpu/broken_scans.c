/* SPDX-License-Identifier: MIT */
/* The table of shaders with planted defects: each replaces one shader of the library. Those of
 * "flushing" have none: they compute as on a device that flushes subnormals. */
#include "broken_scans.h"

#include "shader_file.h"

#include <stdio.h>
#include <string.h>

typedef struct broken_scan {
    const char *name;
    scan_kernel kernel;
    scan_element element;
    const char *file; /* in broken_shaders/ */
} broken_scan;

static const broken_scan scans[] = {
    {"boundary", SCAN_BLOCKED_TILE, SCAN_FLOAT32, "broken_boundary_float32"},
    {"carry", SCAN_BLOCKED_SINGLE, SCAN_INTEGER64, "broken_carry_integer64"},
    {"chunks", SCAN_SEQUENTIAL_STAGED, SCAN_FLOAT32, "broken_chunks_float32"},
    {"coarse", SCAN_SEQUENTIAL_DIRECT, SCAN_FLOAT32, "broken_coarse_float32"},
    {"denormals", SCAN_SEQUENTIAL_STAGED, SCAN_FLOAT32, "broken_denormals_float32"},
    {"flushing", SCAN_SEQUENTIAL_DIRECT, SCAN_FLOAT32, "flushing_direct_float32"},
    {"flushing", SCAN_SEQUENTIAL_STAGED, SCAN_FLOAT32, "flushing_staged_float32"},
    {"flushing", SCAN_BLOCKED_LINE, SCAN_FLOAT32, "flushing_line_float32"},
    {"flushing", SCAN_BLOCKED_TILE, SCAN_FLOAT32, "flushing_tile_float32"},
    {"gaps", SCAN_SEQUENTIAL_DIRECT, SCAN_FLOAT32, "broken_gaps_float32"},
    {"halves", SCAN_SEQUENTIAL_DIRECT, SCAN_FLOAT16, "broken_halves_float16"},
    {"infinity", SCAN_SEQUENTIAL_SEGMENT, SCAN_FLOAT32, "broken_infinity_float32"},
    {"network", SCAN_BLOCKED_TILE, SCAN_FLOAT32, "broken_network_float32"},
    {"parity", SCAN_SEQUENTIAL_SEGMENT, SCAN_FLOAT32, "broken_parity_float32"},
    {"place", SCAN_SEQUENTIAL_DIRECT, SCAN_FLOAT32, "broken_place_float32"},
    {"range", SCAN_SEQUENTIAL_SEGMENT, SCAN_FLOAT32, "broken_range_float32"},
    {"rounding", SCAN_SEQUENTIAL_STAGED, SCAN_FLOAT16_HALF, "broken_rounding_float16_half"},
    {"sign", SCAN_BLOCKED_LINE, SCAN_FLOAT32, "broken_sign_float32"},
    {"single-first", SCAN_BLOCKED_SINGLE, SCAN_FLOAT32, "broken_single_first_float32"},
    {"single-level", SCAN_BLOCKED_SINGLE, SCAN_FLOAT32, "broken_single_level_float32"},
    {"single-tree", SCAN_BLOCKED_SINGLE, SCAN_FLOAT32, "broken_single_tree_float32"},
    {"single-repair", SCAN_BLOCKED_SINGLE, SCAN_FLOAT32, "broken_single_repair_float32"},
    {"single-stale", SCAN_BLOCKED_SINGLE, SCAN_FLOAT32, "broken_single_stale_float32"},
    {"ties", SCAN_SEQUENTIAL_SEGMENT, SCAN_FLOAT32, "broken_ties_float32"},
    {"tiles", SCAN_BLOCKED_LINE, SCAN_FLOAT32, "broken_tiles_float32"},
    {"walk-state", SCAN_BLOCKED_WALK, SCAN_FLOAT32, "broken_walk_state_float32"},
    {"walk-tree", SCAN_BLOCKED_WALK, SCAN_FLOAT32, "broken_walk_tree_float32"},
    {"zero", SCAN_SEQUENTIAL_DIRECT, SCAN_FLOAT32, "broken_zero_float32"}};

bool broken_scan_bytecodes(const char *name, scan_bytecodes *bytecodes) {
    char file[128];
    bool found = false;
    *bytecodes = cumsum_scan_bytecodes;
    for (size_t i = 0; i < sizeof scans / sizeof scans[0]; i++) {
        if (strcmp(scans[i].name, name) == 0) {
            snprintf(file, sizeof file, "broken_shaders/%s", scans[i].file);
            bytecodes->of[scans[i].kernel][scans[i].element] = shader_file_read(file);
            found = true;
        }
    }
    return found;
}
