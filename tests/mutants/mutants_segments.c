/* SPDX-License-Identifier: MIT */
/* Bugs of lines that threads divide into segments: short lines are right. A segment has 16384
 * elements here, and a level of the blocked order 2^20, as many tiles as a tile has elements. */
#include "mutant.h"

enum {
    SEGMENT = 16384,
    DIVIDED = 90000, /* longer lines are divided */
    LEVEL = 1 << 20
};

static bool is_divided(const mutant_line *line) {
    return line->n > DIVIDED;
}

static void total_short(mutant_line *line) {
    if (is_divided(line))
        line->x[4 * SEGMENT - 1] = 0;
    mutant_scan(line);
}

static void level_lost(mutant_line *line) {
    for (uint64_t k = LEVEL - 1024; k < LEVEL && k < line->n; k++)
        line->x[k] = 0;
    mutant_scan(line);
}

static void beginning_stale(mutant_line *line) {
    mutant_scan(line);
    for (uint64_t k = (line->n - 1) / SEGMENT * SEGMENT;
         is_divided(line) && line->exclusive && k > 0; k -= SEGMENT)
        line->y[k] = line->y[k - 1];
}

static void segment_missing(mutant_line *line) {
    mutant_scan(line);
    for (uint64_t k = 3 * SEGMENT; is_divided(line) && k < 4 * SEGMENT; k++)
        line->y[k] = 0;
}

static void exact_rounded(mutant_line *line) {
    if (line->n > DIVIDED / 3 && line->numerics.order == CUMSUM_ORDER_EXACT)
        line->numerics.order = CUMSUM_ORDER_BLOCKED;
    mutant_scan(line);
}

static void totals_chained(mutant_line *line) {
    if (is_divided(line) && line->numerics.order == CUMSUM_ORDER_BLOCKED)
        line->numerics.order = CUMSUM_ORDER_SEQUENTIAL;
    mutant_scan(line);
}

const mutant mutants_segments[] = {
    {"segment-total-short", "a segment's total lacks its last element", .scan = total_short},
    {"segment-level-lost", "a tile's total is lost between two levels", .scan = level_lost},
    {"segment-beginning-stale", "an exclusive segment begins one output late",
     .scan = beginning_stale},
    {"segment-missing", "a segment that no thread took", .scan = segment_missing},
    {"segment-exact-rounded", "exact sums are rounded from segment to segment",
     .scan = exact_rounded},
    {"segment-totals-chained", "the totals of segments are summed in another order",
     .scan = totals_chained},
    {.name = NULL}};
