/* SPDX-License-Identifier: MIT */
/* The table of shaders with planted defects: each replaces one shader of the library. Those of
 * "flushing" have none: they compute as on a device that flushes subnormals. */
#include "broken_scans.h"

#include "broken_shaders/broken_boundary.dxbc.h"
#include "broken_shaders/broken_carry.dxbc.h"
#include "broken_shaders/broken_chunks.dxbc.h"
#include "broken_shaders/broken_coarse.dxbc.h"
#include "broken_shaders/broken_denormals.dxbc.h"
#include "broken_shaders/broken_gaps.dxbc.h"
#include "broken_shaders/broken_halves.dxbc.h"
#include "broken_shaders/broken_infinity.dxbc.h"
#include "broken_shaders/broken_network.dxbc.h"
#include "broken_shaders/broken_parity.dxbc.h"
#include "broken_shaders/broken_place.dxbc.h"
#include "broken_shaders/broken_range.dxbc.h"
#include "broken_shaders/broken_rounding.dxbc.h"
#include "broken_shaders/broken_sign.dxbc.h"
#include "broken_shaders/broken_single_first.dxbc.h"
#include "broken_shaders/broken_single_level.dxbc.h"
#include "broken_shaders/broken_single_repair.dxbc.h"
#include "broken_shaders/broken_single_stale.dxbc.h"
#include "broken_shaders/broken_single_tree.dxbc.h"
#include "broken_shaders/broken_ties.dxbc.h"
#include "broken_shaders/broken_tiles.dxbc.h"
#include "broken_shaders/broken_walk_state.dxbc.h"
#include "broken_shaders/broken_walk_tree.dxbc.h"
#include "broken_shaders/broken_zero.dxbc.h"
#include "broken_shaders/flushing_direct.dxbc.h"
#include "broken_shaders/flushing_line.dxbc.h"
#include "broken_shaders/flushing_staged.dxbc.h"
#include "broken_shaders/flushing_tile.dxbc.h"

#include <string.h>

typedef struct broken_scan {
    const char *name;
    scan_kernel kernel;
    scan_element element;
    scan_bytecode code;
} broken_scan;

#define CODE(array)                                                                                \
    { (array), sizeof(array) }

static const broken_scan scans[] = {
    {"boundary", SCAN_BLOCKED_TILE, SCAN_FLOAT32, CODE(broken_boundary_float32)},
    {"carry", SCAN_BLOCKED_SINGLE, SCAN_INTEGER64, CODE(broken_carry_integer64)},
    {"chunks", SCAN_SEQUENTIAL_STAGED, SCAN_FLOAT32, CODE(broken_chunks_float32)},
    {"coarse", SCAN_SEQUENTIAL_DIRECT, SCAN_FLOAT32, CODE(broken_coarse_float32)},
    {"denormals", SCAN_SEQUENTIAL_STAGED, SCAN_FLOAT32, CODE(broken_denormals_float32)},
    {"flushing", SCAN_SEQUENTIAL_DIRECT, SCAN_FLOAT32, CODE(flushing_direct_float32)},
    {"flushing", SCAN_SEQUENTIAL_STAGED, SCAN_FLOAT32, CODE(flushing_staged_float32)},
    {"flushing", SCAN_BLOCKED_LINE, SCAN_FLOAT32, CODE(flushing_line_float32)},
    {"flushing", SCAN_BLOCKED_TILE, SCAN_FLOAT32, CODE(flushing_tile_float32)},
    {"gaps", SCAN_SEQUENTIAL_DIRECT, SCAN_FLOAT32, CODE(broken_gaps_float32)},
    {"halves", SCAN_SEQUENTIAL_DIRECT, SCAN_FLOAT16, CODE(broken_halves_float16)},
    {"infinity", SCAN_SEQUENTIAL_PART, SCAN_FLOAT32, CODE(broken_infinity_float32)},
    {"network", SCAN_BLOCKED_TILE, SCAN_FLOAT32, CODE(broken_network_float32)},
    {"parity", SCAN_SEQUENTIAL_PART, SCAN_FLOAT32, CODE(broken_parity_float32)},
    {"place", SCAN_SEQUENTIAL_DIRECT, SCAN_FLOAT32, CODE(broken_place_float32)},
    {"range", SCAN_SEQUENTIAL_PART, SCAN_FLOAT32, CODE(broken_range_float32)},
    {"rounding", SCAN_SEQUENTIAL_STAGED, SCAN_FLOAT16_HALF, CODE(broken_rounding_float16_half)},
    {"sign", SCAN_BLOCKED_LINE, SCAN_FLOAT32, CODE(broken_sign_float32)},
    {"single-first", SCAN_BLOCKED_SINGLE, SCAN_FLOAT32, CODE(broken_single_first_float32)},
    {"single-level", SCAN_BLOCKED_SINGLE, SCAN_FLOAT32, CODE(broken_single_level_float32)},
    {"single-tree", SCAN_BLOCKED_SINGLE, SCAN_FLOAT32, CODE(broken_single_tree_float32)},
    {"single-repair", SCAN_BLOCKED_SINGLE, SCAN_FLOAT32, CODE(broken_single_repair_float32)},
    {"single-stale", SCAN_BLOCKED_SINGLE, SCAN_FLOAT32, CODE(broken_single_stale_float32)},
    {"ties", SCAN_SEQUENTIAL_PART, SCAN_FLOAT32, CODE(broken_ties_float32)},
    {"tiles", SCAN_BLOCKED_LINE, SCAN_FLOAT32, CODE(broken_tiles_float32)},
    {"walk-state", SCAN_WALK_DIRECT, SCAN_FLOAT32, CODE(broken_walk_state_float32)},
    {"walk-tree", SCAN_WALK_STAGED, SCAN_FLOAT32, CODE(broken_walk_tree_float32)},
    {"zero", SCAN_SEQUENTIAL_DIRECT, SCAN_FLOAT32, CODE(broken_zero_float32)}};

bool broken_scan_bytecodes(const char *name, scan_bytecodes *bytecodes) {
    bool found = false;
    *bytecodes = cumsum_scan_bytecodes;
    for (size_t i = 0; i < sizeof scans / sizeof scans[0]; i++) {
        if (strcmp(scans[i].name, name) == 0) {
            bytecodes->of[scans[i].kernel][scans[i].element] = scans[i].code;
            found = true;
        }
    }
    return found;
}
