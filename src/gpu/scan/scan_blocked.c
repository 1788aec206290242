/* SPDX-License-Identifier: MIT */
/*
 * The blocked order (docs/numerics.md) in parallel. A line is cut into tiles; the totals of its
 * tiles are the line of the next level, which is cut into tiles again, until a level has one tile.
 *
 * This is a reduce-then-scan with one dispatch per level and direction: totals from the bottom up,
 * then from the top down each level's exclusive scan of the totals, in place in the records of the
 * level below, and at last the outputs. (Blelloch, "Prefix Sums and Their Applications", 1990,
 * describes the two sweeps; the tree here is the one of the blocked order.) No group ever waits for
 * another, so no assumption is made about how a device schedules groups.
 *
 * Invariant: the records of different levels do not overlap in the work buffer.
 */
#include "scan_pass.h"

/* With this many interleaved lines a thread takes a whole tile; with fewer, a group does. */
#define ENOUGH_LINES 32

typedef struct scan_level {
    uint32_t length; /* of each line of the level */
    uint32_t tiles;
    uint32_t records; /* where the tiles' records begin, in tallies */
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

uint64_t cumsum_scan_blocked_work(const scan_pass *pass) {
    scan_level levels[SCAN_LEVELS];
    uint64_t end = 0;
    make_levels(pass, levels, &end);
    return end * cumsum_scan_tally_bytes(pass->element);
}

/* The output's layout decides: scattered stores cost more than scattered loads. */
static scan_kernel choose_kernel(const scan_layout *layout) {
    const bool interleaved = cumsum_scan_output_is_interleaved(layout) || layout->length == 1;
    return interleaved && layout->lines >= ENOUGH_LINES ? SCAN_BLOCKED_LINE : SCAN_BLOCKED_TILE;
}

/* log2 of the blocks that a line takes of a group's 64: all of them for a line of more than half a
 * tile. Shorter lines share a group. */
static uint32_t line_shift(uint32_t length) {
    uint32_t shift = 0;
    while (shift < 6 && (UINT32_C(16) << shift) < length)
        shift++;
    return shift;
}

static uint64_t count_groups(scan_kernel kernel, const scan_constants *constants) {
    const uint64_t tiles = constants->tile_count;
    if (kernel == SCAN_BLOCKED_LINE)
        return (constants->line_count * tiles + SCAN_GROUP - 1) / SCAN_GROUP;
    const uint32_t lines = UINT32_C(64) >> constants->line_shift;
    return (constants->line_count + UINT64_C(1) * lines - 1) / lines * tiles;
}

/* Appends a dispatch over the tiles that `constants` names, of a level with this layout. */
static gpu_status append_tiles(scan_pass *pass, const scan_layout *layout, scan_element element,
                               const scan_level *level, scan_constants *constants,
                               const scan_buffers *buffers, gpu_failure *why) {
    const scan_kernel kernel = choose_kernel(layout);
    const gpu_shader *shader = NULL;
    const gpu_status status = cumsum_scan_shader(pass->shaders, kernel, element, &shader, why);
    if (status != GPU_OK)
        return status;
    constants->tiles_per_line = level->tiles;
    constants->record_base = level->records;
    constants->line_shift = line_shift(level->length);
    return cumsum_scan_append(pass->commands, shader, buffers, constants,
                              count_groups(kernel, constants),
                              UINT64_C(1) * SCAN_TILE * layout->lines * constants->tile_count, why);
}

/* The lowest level, whose lines are the tensor's. `totals` is SCAN_FLAG_TOTALS or 0. */
static gpu_status append_line_tiles(scan_pass *pass, uint32_t first_tile, uint32_t tiles,
                                    uint32_t totals, gpu_failure *why) {
    scan_level levels[SCAN_LEVELS];
    uint64_t end = 0;
    scan_constants constants;
    make_levels(pass, levels, &end);
    cumsum_scan_fill_constants(&constants, &pass->layout);
    constants.flags |= pass->flags | totals;
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

/* The lines of a level above the lowest: the first tally of each record of the level below. They
 * are scanned in place. */
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

/* Totals, or the exclusive scan, of a level above the lowest. Its elements are tallies, so the
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
    return append_tiles(pass, &layout, cumsum_scan_tally_element(pass->element), level, &constants,
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
