/* SPDX-License-Identifier: MIT */
/* Bugs of the blocked order: blocks, tiles or carries other than those of docs/numerics.md. Only
 * lines whose additions are plain binary32 are scanned here; others are right. */
#include "mutant.h"

#define BLOCKED(function, ...)                                                                     \
    static void function##_floats(textbook_addition *add, double *v, uint32_t n) {                 \
        scan_blocked_shape(&(const blocked_shape){__VA_ARGS__}, add, v, n);                        \
    }                                                                                              \
    static void function(mutant_line *line) {                                                      \
        mutant_scan_as(line, CUMSUM_ORDER_BLOCKED, function##_floats);                             \
    }
BLOCKED(blocks_of_8, .block = 8, .tile = 1024)
BLOCKED(blocks_of_32, .block = 32, .tile = 1024)
BLOCKED(tiles_of_512, .block = 16, .tile = 512)
BLOCKED(tiles_of_2048, .block = 16, .tile = 2048)
BLOCKED(flat_tiles, .block = 16, .tile = 1024, .flat_tiles = true)
BLOCKED(tile_carry_last, .block = 16, .tile = 1024, .tile_carry_last = true)
BLOCKED(as_documented, .block = 16, .tile = 1024)

const mutant mutant_right_blocked = {.name = "right", .bug = "none", .scan = as_documented};

const mutant mutants_blocks[] = {
    {"blocks-of-8", "blocks have 8 elements", .scan = blocks_of_8},
    {"blocks-of-32", "blocks have 32 elements", .scan = blocks_of_32},
    {"tiles-of-512", "tiles have 512 elements", .scan = tiles_of_512},
    {"tiles-of-2048", "tiles have 2048 elements", .scan = tiles_of_2048},
    {"flat-tiles", "the totals of tiles are summed one after the other", .scan = flat_tiles},
    {"carries-together", "a tile's carry is added last", .scan = tile_carry_last},
    {.name = NULL}};
