/* SPDX-License-Identifier: MIT */
/* Bugs of scans that are taken from another scan by subtraction: right modulo 2^k, and right in
 * floating point as long as nothing rounds, overflows or is NaN. So integers are left right. Each
 * bug is also there in one quadrant of direction and kind alone, which another quadrant's cases do
 * not show. */
#include "mutant.h"

/* exclusive = inclusive - x. */
static void exclusive(mutant_line *line) {
    if (!mutant_is_float(line) || !line->exclusive) {
        mutant_scan(line);
        return;
    }
    mutant_scan_inclusive(line);
    for (uint64_t k = 0; k < line->n; k++)
        line->y[k] =
            mutant_bits(line, mutant_value(line, line->y[k]) - mutant_value(line, line->x[k]));
}

static void turn(uint64_t *bits, uint64_t n) {
    for (uint64_t k = 0; k < n / 2; k++) {
        const uint64_t first = bits[k];
        bits[k] = bits[n - 1 - k];
        bits[n - 1 - k] = first;
    }
}

/* DECREASING = the line's total - the increasing sum + x; exclusive: the same without x. */
static void decreasing(mutant_line *line) {
    if (!mutant_is_float(line) || !line->decreasing) {
        mutant_scan(line);
        return;
    }
    turn(line->x, line->n);
    mutant_scan_inclusive(line);
    turn(line->x, line->n);
    turn(line->y, line->n);
    const float total = (float)mutant_value(line, line->y[0]);
    for (uint64_t k = 0; k < line->n; k++) {
        const float rest = total - (float)mutant_value(line, line->y[k]);
        const float x = line->exclusive ? 0 : (float)mutant_value(line, line->x[k]);
        line->y[k] = mutant_bits(line, (double)(rest + x));
    }
}

/* The bug for lines that satisfy the condition. */
#define ONLY(function, bug, condition)                                                             \
    static void function(mutant_line *line) {                                                      \
        if (condition)                                                                             \
            bug(line);                                                                             \
        else                                                                                       \
            mutant_scan(line);                                                                     \
    }
ONLY(exclusive_increasing, exclusive, !line->decreasing)
ONLY(exclusive_decreasing, exclusive, line->decreasing)
ONLY(decreasing_inclusive, decreasing, !line->exclusive)
ONLY(decreasing_exclusive, decreasing, line->exclusive)

const mutant mutants_subtraction[] = {
    {"exclusive-by-subtraction", "exclusive is inclusive less the element", .scan = exclusive},
    {"exclusive-by-subtraction-increasing", "the same, INCREASING only",
     .scan = exclusive_increasing},
    {"exclusive-by-subtraction-decreasing", "the same, DECREASING only",
     .scan = exclusive_decreasing},
    {"decreasing-by-subtraction", "DECREASING is the total less the increasing sum",
     .scan = decreasing},
    {"decreasing-by-subtraction-inclusive", "the same, inclusive only",
     .scan = decreasing_inclusive},
    {"decreasing-by-subtraction-exclusive", "the same, exclusive only",
     .scan = decreasing_exclusive},
    {.name = NULL}};
