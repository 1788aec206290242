/* SPDX-License-Identifier: MIT */
/*
 * The blocked order in parallel, without one group ever waiting for another: the totals of a
 * level's tiles are the line of the level above, in place in the tiles' records. Totals are made
 * from the bottom up, sums of the tiles before from the top down.
 */
#include "scan_pass.h"

/* So many lines side by side are worth a thread for each tile of each. */
#define ENOUGH_LINES 32

typedef struct scan_level {
    uint32_t length;
    uint32_t tiles;
    uint32_t records; /* where they begin, in tallies */
} scan_level;

/* Answers the number of levels; *end receives where the last level's records end. */
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

static scan_kernel choose_kernel(const scan_layout *layout) {
    /* By the output: stores of neighbours are what memory can least do without. */
    const bool side_by_side =
        (cumsum_scan_output_across(layout) || layout->length == 1) && layout->lines >= ENOUGH_LINES;
    return side_by_side ? SCAN_BLOCKED_LINE : SCAN_BLOCKED_TILE;
}

/* log2 of the blocks that a line takes in a group: all 64 where it has more than half a tile. */
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

/* Tiles first to first + count - 1 of a level that `layout` describes. */
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

/* The totals in the records of the level below, as lines of this one: scanned in place. */
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
