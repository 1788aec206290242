/* SPDX-License-Identifier: MIT */
/*
 * The blocked order (docs/numerics.md) in parallel, in one of two ways. Lines are cut into tiles.
 *
 * In a single pass a group takes a tile: it reads the tile, publishes its total in the work buffer,
 * waits for those of the tiles before, and stores the outputs. No progress of waiting groups is
 * assumed: a tile whose group has waited too long is left to a later dispatch, where no group
 * waits.
 *
 * In passes, the totals of a line's tiles are the line of the next level, which is cut into tiles
 * again, until a level has one tile. This is a reduce-then-scan with one dispatch per level and
 * direction: totals from the bottom up, then from the top down each level's exclusive scan of the
 * totals, in place in the records of the level below, and at last the outputs. (Blelloch, "Prefix
 * Sums and Their Applications", 1990, describes the two sweeps; the tree here is the one of the
 * blocked order.) Passes serve interleaved lines, whose threads take a tile each, and lines in
 * pieces.
 *
 * Invariant: the records of different levels do not overlap in the work buffer.
 */
#include "scan_pass.h"

/* With this many interleaved lines, a thread takes a whole tile; with fewer, a group does. */
#define ENOUGH_LINES 32
/* Tiles of a line that a single pass can add. */
#define SINGLE_TILES (UINT32_C(1) << 20)
/* How often a thread of a single pass looks at what it waits for. */
#define SINGLE_LOOKS 4096u

typedef struct scan_level {
    uint32_t length; /* of each line of the level */
    uint32_t tiles;
    uint32_t records; /* where the tiles' records begin, in running sums */
} scan_level;

/* Returns the number of levels. *end receives the place behind the last level's records. */
static unsigned make_levels(const scan_pass *pass, scan_level levels[SCAN_LEVELS], uint64_t *end) {
    uint32_t length = pass->layout.length;
    uint64_t place = 0;
    for (unsigned depth = 0;; depth++) {
        const uint32_t tiles = scan_tiles(length);
        levels[depth] = (scan_level){length, tiles, (uint32_t)place};
        if (tiles == 1) {
            *end = place;
            return depth + 1;
        }
        place += UINT64_C(1) * SCAN_RECORD * tiles * pass->layout.lines;
        length = tiles;
    }
}

/* Words of a single pass: the same number is in shaders/scan_publish.hlsli. */
static uint64_t single_words(const scan_pass *pass) {
    const uint64_t tiles = scan_tiles(pass->layout.length);
    const uint64_t sums = tiles + (tiles >> 4) + (tiles >> 10) + (tiles >> 14);
    const uint64_t words = pass->element == SCAN_INTEGER64   ? 4 * sums
                           : pass->element == SCAN_INTEGER32 ? 2 * sums
                                                             : sums + tiles;
    return 2 + (words + sums) * pass->layout.lines;
}

uint64_t cumsum_scan_blocked_work(const scan_pass *pass) {
    scan_level levels[SCAN_LEVELS];
    uint64_t records = 0;
    make_levels(pass, levels, &records);
    if (scan_tiles(pass->layout.length) == 1)
        return 0;
    const uint64_t passes = records * cumsum_scan_sum_bytes(pass->element);
    const uint64_t single = sizeof(uint32_t) * single_words(pass);
    return passes > single ? passes : single;
}

/* log2 of the blocks of a line that a group takes: all of its 64 for a line of more than half a
 * tile. Shorter lines share a group. */
static uint32_t tile_shift(uint32_t length) {
    uint32_t shift = 0;
    while (shift < 6 && (UINT32_C(16) << shift) < length)
        shift++;
    return shift;
}

/* The output's layout decides: scattered stores cost more than scattered loads. */
static bool has_interleaved_lines(const scan_layout *layout) {
    return layout->lines >= ENOUGH_LINES &&
           (cumsum_scan_output_is_interleaved(layout) || layout->length == 1);
}

/* On a processor nothing is gained by threads that share a tile. */
static scan_assignment assign_tiles(const scan_pass *pass, const scan_layout *layout) {
    return pass->direct || has_interleaved_lines(layout)
               ? (scan_assignment){SCAN_BLOCKED_LINE, 0, 0}
               : (scan_assignment){SCAN_BLOCKED_TILE, 0, tile_shift(layout->length)};
}

static uint64_t count_groups(const scan_assignment *assigned, const scan_layout *layout,
                             uint64_t tiles) {
    if (assigned->kernel == SCAN_BLOCKED_LINE)
        return (layout->lines * tiles + SCAN_GROUP - 1) / SCAN_GROUP;
    return scan_line_groups(layout, assigned->shift) * tiles;
}

/* Appends a dispatch over the tiles that `constants` names, of a level with this layout. */
static gpu_status append_tiles(scan_pass *pass, const scan_layout *layout, scan_element element,
                               const scan_level *level, scan_constants *constants,
                               const scan_buffers *buffers, gpu_failure *why) {
    const scan_assignment assigned = assign_tiles(pass, layout);
    constants->tiles_per_line = level->tiles;
    constants->record_base = level->records;
    constants->line_shift = assigned.shift;
    return cumsum_scan_append(pass, assigned.kernel, element, buffers, constants,
                              count_groups(&assigned, layout, constants->tile_count),
                              UINT64_C(1) * SCAN_TILE * layout->lines * constants->tile_count, why);
}

/* The lowest level, whose lines are the tensor's. */
static gpu_status append_line_tiles(scan_pass *pass, uint32_t first_tile, uint32_t tiles,
                                    uint32_t flags, gpu_failure *why) {
    scan_level levels[SCAN_LEVELS];
    uint64_t end = 0;
    scan_constants constants;
    make_levels(pass, levels, &end);
    cumsum_scan_fill_constants(&constants, &pass->layout);
    constants.flags |= pass->flags | flags;
    constants.first_tile = first_tile;
    constants.tile_count = tiles;
    return append_tiles(pass, &pass->layout, pass->element, &levels[0], &constants, &pass->buffers,
                        why);
}

gpu_status cumsum_scan_tile_totals(scan_pass *pass, uint32_t first_tile, uint32_t tiles,
                                   gpu_failure *why) {
    if (scan_tiles(pass->layout.length) == 1)
        return GPU_OK;
    return append_line_tiles(pass, first_tile, tiles, SCAN_FLAG_TOTALS, why);
}

gpu_status cumsum_scan_outputs(scan_pass *pass, uint32_t first_tile, uint32_t tiles,
                               gpu_failure *why) {
    return append_line_tiles(pass, first_tile, tiles, 0, why);
}

/* The lines of a level above the lowest: the first running sum of each record of the level below.
 * They are scanned in place. */
static scan_layout level_layout(const scan_pass *pass, const scan_level *below) {
    scan_layout layout = {.lines = pass->layout.lines,
                          .length = below->tiles,
                          .input_base = below->records,
                          .output_base = below->records,
                          .input_step = SCAN_RECORD,
                          .output_step = SCAN_RECORD};
    if (layout.lines > 1) {
        const uint32_t stride = SCAN_RECORD * below->tiles;
        layout.rank = 1;
        layout.outer[0] = (scan_dimension){layout.lines, stride, stride};
    }
    return layout;
}

/* Totals, or the exclusive scan, of a level above the lowest. Its elements are running sums, so the
 * stores of FLOAT16 do not apply to them; flushing does, to each sum. */
static gpu_status append_level(scan_pass *pass, const scan_level *level, uint32_t totals,
                               gpu_failure *why) {
    const scan_layout layout = level_layout(pass, level - 1);
    const scan_buffers buffers = {pass->buffers.work, pass->buffers.work, pass->buffers.work};
    scan_constants constants;
    cumsum_scan_fill_constants(&constants, &layout);
    constants.flags |= (pass->flags & (uint32_t)SCAN_FLAG_FLUSH) | totals;
    constants.flags |= (uint32_t)SCAN_FLAG_IN_PLACE | (uint32_t)SCAN_FLAG_EXCLUSIVE;
    constants.tile_count = level->tiles;
    return append_tiles(pass, &layout, cumsum_scan_sum_element(pass->element), level, &constants,
                        &buffers, why);
}

gpu_status cumsum_scan_levels(scan_pass *pass, gpu_failure *why) {
    scan_level levels[SCAN_LEVELS];
    uint64_t end = 0;
    const unsigned count = make_levels(pass, levels, &end);
    gpu_status status = GPU_OK;
    for (unsigned depth = 1; depth + 1 < count && status == GPU_OK; depth++)
        status = append_level(pass, &levels[depth], SCAN_FLAG_TOTALS, why);
    for (unsigned depth = count - 1; depth > 0 && status == GPU_OK; depth--)
        status = append_level(pass, &levels[depth], 0, why);
    return status;
}

/* Lines whose tiles have a group each, but for those of more levels than the shader adds. */
bool cumsum_scan_is_single(const scan_pass *pass) {
    const uint32_t tiles = scan_tiles(pass->layout.length);
    return tiles > 1 && tiles <= SINGLE_TILES &&
           assign_tiles(pass, &pass->layout).kernel == SCAN_BLOCKED_TILE;
}

/* Rounded up. A divisor of 0 is 1. */
static uint64_t quotient(uint64_t number, uint32_t divisor) {
    return divisor > 1 ? (number + divisor - 1) / divisor : number;
}

/* Clears the words, scans, and scans again what waited too long; in exclusive scans of floats once
 * more (shaders/blocked_single.hlsl). */
static gpu_status append_single(scan_pass *pass, uint32_t tiles, gpu_failure *why) {
    const uint64_t all = UINT64_C(1) * pass->layout.lines * tiles;
    const scan_taken taken = pass->shaders->bytecodes->taken[pass->element];
    const uint64_t groups[] = {(single_words(pass) + 1023) / 1024,
                               quotient(pass->layout.lines, taken.lines) *
                                   quotient(tiles, taken.tiles),
                               (all + SCAN_GROUP - 1) / SCAN_GROUP};
    const bool integers = pass->element == SCAN_INTEGER32 || pass->element == SCAN_INTEGER64;
    const bool exclusive = (pass->flags & (uint32_t)SCAN_FLAG_EXCLUSIVE) != 0;
    const uint32_t dispatches = exclusive && !integers ? 4 : 3;
    scan_constants constants;
    gpu_status status = GPU_OK;
    cumsum_scan_fill_constants(&constants, &pass->layout);
    constants.flags |= pass->flags;
    constants.tiles_per_line = tiles;
    constants.line_shift = 6;
    for (uint32_t i = 0; i < dispatches && status == GPU_OK; i++) {
        scan_constants now = constants;
        now.flags |= i > 0 ? (uint32_t)SCAN_FLAG_CONTINUES : 0;
        now.flags |= i == 1 ? (uint32_t)SCAN_FLAG_CONTINUED : 0;
        now.first_tile = i > 1 ? 1u : pass->chunk ? pass->chunk / SCAN_TILE : SINGLE_LOOKS;
        status = cumsum_scan_append(pass, SCAN_BLOCKED_SINGLE, pass->element, &pass->buffers, &now,
                                    groups[i < 2 ? i : 2], i == 1 ? SCAN_TILE * all : 0, why);
    }
    return status;
}

gpu_status cumsum_scan_blocked(scan_pass *pass, gpu_failure *why) {
    const uint32_t tiles = scan_tiles(pass->layout.length);
    if (cumsum_scan_is_single(pass))
        return append_single(pass, tiles, why);
    gpu_status status = cumsum_scan_tile_totals(pass, 0, tiles, why);
    if (status == GPU_OK)
        status = cumsum_scan_levels(pass, why);
    return status == GPU_OK ? cumsum_scan_outputs(pass, 0, tiles, why) : status;
}
