/* SPDX-License-Identifier: MIT */
/*
 * The table of compiled shaders, filled from the headers that the build makes. It is compiled once
 * for each kind of code, with the folder of its headers and the name SHADER_TABLE.
 */
#include "scan_shaders.h"

#include "blocked_line.code.h"
#include "blocked_single.code.h"
#include "blocked_tile.code.h"
#include "device_copy.code.h"
#include "device_probe.code.h"
#include "sequential_carry.code.h"
#include "sequential_direct.code.h"
#include "sequential_segment.code.h"
#include "sequential_staged.code.h"

/* Such a header has one array for each element type: NAME_float32, NAME_float16, ... */
#define CODE(array)                                                                                \
    { (array), sizeof(array) }
#define CODES(kernel)                                                                              \
    [SCAN_FLOAT32] = CODE(kernel##_float32), [SCAN_FLOAT16] = CODE(kernel##_float16),              \
    [SCAN_FLOAT16_HALF] = CODE(kernel##_float16_half),                                             \
    [SCAN_INTEGER32] = CODE(kernel##_integer32), [SCAN_INTEGER64] = CODE(kernel##_integer64)

const scan_bytecodes SHADER_TABLE = {
    .of = {[SCAN_SEQUENTIAL_DIRECT] = {CODES(sequential_direct)},
           [SCAN_SEQUENTIAL_STAGED] = {CODES(sequential_staged)},
           [SCAN_SEQUENTIAL_CARRY] = {[SCAN_FLOAT32] = CODE(sequential_carry_float32)},
           [SCAN_SEQUENTIAL_SEGMENT] = {[SCAN_FLOAT32] = CODE(sequential_segment_float32)},
           [SCAN_BLOCKED_LINE] = {CODES(blocked_line), [SCAN_HALF_SUMS] =
                                                           CODE(blocked_line_half_sums)},
           [SCAN_BLOCKED_TILE] = {CODES(blocked_tile), [SCAN_HALF_SUMS] =
                                                           CODE(blocked_tile_half_sums)},
           [SCAN_BLOCKED_SINGLE] = {CODES(blocked_single)}},
    .probe = CODE(device_probe),
    .copy = CODE(device_copy)};
