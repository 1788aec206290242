/* SPDX-License-Identifier: MIT */
/* Bugs of lines that threads divide into segments: short lines are right. A segment has 16384
 * elements here, and a level of the blocked order 2^20, as many tiles as a tile has elements. */
#include "mutant.h"

#include <math.h>
#include <string.h>

enum {
    SEGMENT = 16384,
    DIVIDED = 90000, /* longer lines are divided */
    LEVEL = 1 << 20,
    PART = 512 /* of a line in the sequential order, in mutants of any long line */
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

/* Parts of the sequential order: FLOAT32 encodings, and the last place of a number. */

static uint32_t encoding(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static double last_place(float value) {
    int exponent;
    (void)frexpf(value, &exponent);
    return ldexp(1, exponent - 24);
}

static bool is_scanned(float running) {
    return isfinite(running) && fabsf(running) >= 0x1p-100f;
}

/* Sums are rounded in the binade of the running sum before the part, though they leave it. */
static void scan_guess_kept(float *v, uint32_t n) {
    float running = 0, start = 0;
    for (uint32_t k = 0; k < n; k++) {
        if (k % PART == 0)
            start = running;
        const float sum = running + v[k];
        const double exact = (double)running + (double)v[k];
        volatile double rounder = 0x1.8p52 * last_place(start);
        const bool small =
            k >= PART && is_scanned(start) && fabs(exact) < 0x1p20 * fabs((double)start);
        running = small ? (float)(exact + rounder - rounder) : sum;
        v[k] = running;
    }
}

/* The first tie of a part is that of an even running sum, whatever the running sum is. */
static void scan_parity_guessed(float *v, uint32_t n) {
    float running = 0, start = 0;
    bool tied = false;
    for (uint32_t k = 0; k < n; k++) {
        if (k % PART == 0) {
            start = running;
            tied = false;
        }
        const float sum = running + v[k];
        const double rest = (double)running + (double)v[k] - (double)sum;
        if (k >= PART && is_scanned(running) && !tied && fabs(rest) == last_place(sum) / 2) {
            tied = true;
            running = encoding(start) % 2 ? (float)((double)sum + 2 * rest) : sum;
        } else {
            running = sum;
        }
        v[k] = running;
    }
}

/* What a part adds lacks its last element. */
static void scan_part_short(float *v, uint32_t n) {
    float running = 0;
    for (uint32_t k = 0; k < n; k++) {
        const float sum = running + v[k];
        v[k] = sum;
        if (k % PART != PART - 1)
            running = sum;
    }
}

/* A part whose guess failed is scanned again from the guess: the running sum two parts before. */
static void scan_redone_stale(float *v, uint32_t n) {
    float running = 0, starts[3] = {0, 0, 0};
    for (uint32_t k = 0; k < n; k++) {
        if (k % PART == 0) {
            starts[0] = starts[1];
            starts[1] = starts[2];
            starts[2] = running;
            if (k >= 3 * PART && encoding(starts[0]) >> 23 != encoding(running) >> 23)
                running = starts[0];
        }
        v[k] = running = running + v[k];
    }
}

#define PART_BUG(bug)                                                                              \
    static void line_##bug(mutant_line *line) {                                                    \
        mutant_scan_as(line, CUMSUM_ORDER_SEQUENTIAL, scan_##bug);                                 \
    }
PART_BUG(guess_kept)
PART_BUG(parity_guessed)
PART_BUG(part_short)
PART_BUG(redone_stale)

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
    {"part-guess-kept", "sums of a part are rounded in the binade before it",
     .scan = line_guess_kept, .scope = MUTANT_KERNELS_ONLY},
    {"part-parity-guessed", "the first tie of a part takes the running sum for even",
     .scan = line_parity_guessed, .scope = MUTANT_KERNELS_ONLY},
    {"part-short", "the sum of a part lacks its last element", .scan = line_part_short,
     .scope = MUTANT_KERNELS_ONLY},
    {"part-redone-stale", "a part that left its binade is scanned again from a guess",
     .scan = line_redone_stale, .scope = MUTANT_KERNELS_ONLY},
    {.name = NULL}};
