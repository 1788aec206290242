/* SPDX-License-Identifier: MIT */
/* Bugs of whole lines, whatever the type: direction, exclusivity, carries between segments, tails,
 * scans in place. */
#include <string.h>

#include "mutant.h"

static void always_increasing(mutant_view *v) {
    v->decreasing = false;
}

static void always_inclusive(mutant_view *v) {
    v->exclusive = false;
}

static void always_exclusive(mutant_view *v) {
    v->exclusive = true;
}

/* A reversed line is written as it comes. */
static void moved(mutant_line *line) {
    mutant_scan(line);
    for (uint64_t k = 0; line->decreasing && k < line->n / 2; k++) {
        uint64_t y = line->y[k];
        line->y[k] = line->y[line->n - 1 - k];
        line->y[line->n - 1 - k] = y;
    }
}

static void exclusive_of_one(mutant_line *line) {
    mutant_scan(line);
    if (line->n == 1)
        line->y[0] = line->x[0];
}

/* At an edge the carry-in has the first element after it in it already. */
static void exclusive_at_edges(mutant_line *line) {
    mutant_scan_inclusive(line);
    if (!line->exclusive)
        return;
    for (uint64_t k = line->n - 1; k > 0; k--)
        line->y[k] = k % line->edge ? line->y[k - 1] : line->y[k];
    line->y[0] = 0;
}

/* Each output at an edge is that of the element before it: its own element is not added yet. */
static void stale_at_edges(mutant_line *line) {
    mutant_scan(line);
    for (uint64_t k = (line->n - 1) / line->edge * line->edge; k > 0; k -= line->edge)
        line->y[k] = line->y[k - 1];
}

/* Scans the segments between the edges of a line, each from 0. */
static void carry_lost(mutant_line *line) {
    mutant_line segment = *line;
    for (uint64_t k = 0; k < line->n; k += line->edge) {
        segment.x = line->x + k;
        segment.y = line->y + k;
        segment.n = line->n - k < line->edge ? line->n - k : line->edge;
        mutant_scan(&segment);
    }
}

/* The carry-out of the first tile of 1024 lacks the tile's last element. */
static void carry_short(mutant_line *line) {
    if (line->n > 1023)
        line->x[1023] = 0;
    mutant_scan(line);
}

/* The running sum goes on into the next line. */
static uint64_t sum_left;

static void sum_not_cleared(mutant_line *line) {
    uint64_t first = line->x[0];
    sum_left = line->number ? sum_left : 0;
    if (!mutant_is_float(line))
        line->x[0] += sum_left;
    else if (line->number)
        line->x[0] = mutant_bits(line, mutant_value(line, first) + mutant_value(line, sum_left));
    mutant_scan(line);
    sum_left = line->y[line->n - 1];
}

/* Whole vectors of lines or of elements are scanned, the tails are not. */
static void last_lines(mutant_line *line) {
    mutant_scan(line);
    if (line->number >= line->lines / 4 * 4 && line->lines > 4)
        memcpy(line->y, line->x, line->n * sizeof *line->y);
}

static void last_elements(mutant_line *line) {
    mutant_scan(line);
    for (uint64_t k = line->n / 8 * 8; line->n > 8 && k < line->n; k++)
        line->y[k] = line->x[k];
}

static void last_element_of_odd(mutant_line *line) {
    mutant_scan(line);
    if (line->n % 2 && line->n > 2)
        line->y[line->n - 1] = line->y[line->n - 2];
}

static void longer_than_1024(mutant_line *line) {
    mutant_scan(line);
    if (line->n > 1024)
        memcpy(line->y + 1024, line->x + 1024, (line->n - 1024) * sizeof *line->y);
}

/* The 17th, 33rd, ... line, which is the tail of vectors of 16 lines, is left out. */
static void line_left_out(mutant_line *line) {
    mutant_scan(line);
    line->unwritten = line->lines % 16 == 1 && line->lines > 16 && line->number == line->lines - 1;
}

/* The last exclusive output is the inclusive one. */
static void exclusive_last(mutant_line *line) {
    mutant_scan_inclusive(line);
    const uint64_t last = line->y[line->n - 1];
    mutant_scan(line);
    line->y[line->n - 1] = last;
}

/* An element is read when the output before it has been written over it. */
static void alias_hazard(mutant_line *line) {
    if (line->in_place && line->exclusive) {
        for (uint64_t k = line->n - 1; k > 0; k--)
            line->x[k] = line->x[k - 1];
        line->x[0] = 0;
    }
    mutant_scan(line);
}

/* The same at the middle of each block of 16 alone, inclusive or not. */
static void alias_hazard_in_blocks(mutant_line *line) {
    mutant_scan(line);
    for (uint64_t k = 8; line->in_place && k < line->n; k += 16)
        line->x[k] = line->y[k - 1];
    mutant_scan(line);
}

static void in_place_left_alone(mutant_line *line) {
    mutant_scan(line);
    if (line->in_place && line->number == line->lines - 1)
        memcpy(line->y, line->x, line->n * sizeof *line->y);
}

static void lines_from_256_on(mutant_line *line) {
    mutant_scan(line);
    if (line->number >= 256)
        memcpy(line->y, line->x, line->n * sizeof *line->y);
}

const mutant mutants_lines[] = {
    {"always-increasing", "the direction is ignored", .misread = always_increasing},
    {"always-inclusive", "HasExclusiveSum is ignored", .misread = always_inclusive},
    {"always-exclusive", "HasExclusiveSum is taken as true", .misread = always_exclusive},
    {"moved", "DECREASING writes from the first index on", .scan = moved},
    {"exclusive-of-one", "an exclusive sum of one element is that element",
     .scan = exclusive_of_one},
    {"exclusive-edge-64", "exclusive is inclusive at multiples of 64", .scan = exclusive_at_edges,
     .edge = 64},
    {"exclusive-edge-1024", "exclusive is inclusive at multiples of 1024",
     .scan = exclusive_at_edges, .edge = 1024},
    {"carry-lost-64", "each 64 elements start from 0", .scan = carry_lost, .edge = 64},
    {"carry-lost-256", "each 256 elements start from 0", .scan = carry_lost, .edge = 256},
    {"carry-lost-1024", "each 1024 elements start from 0", .scan = carry_lost, .edge = 1024},
    {"carry-lost-4096", "each 4096 elements start from 0", .scan = carry_lost, .edge = 4096},
    {"carry-lost-65536", "each 65536 elements start from 0", .scan = carry_lost, .edge = 65536},
    {"sum-not-cleared", "a line starts with the sum of the one before", .scan = sum_not_cleared},
    {"last-lines", "lines behind the last whole four are copied", .scan = last_lines},
    {"last-elements", "elements behind the last whole eight are copied", .scan = last_elements},
    {"last-element-of-odd", "the last element of an odd line is not added",
     .scan = last_element_of_odd},
    {"longer-than-1024", "elements from 1024 on are copied", .scan = longer_than_1024},
    {"lines-from-256-on", "lines from 256 on are copied", .scan = lines_from_256_on},
    {"alias-hazard", "in place, an exclusive sum reads what it has written", .scan = alias_hazard},
    {"in-place-left-alone", "in place, the last line is not written back",
     .scan = in_place_left_alone},
    {"exclusive-last", "the last exclusive output is the inclusive one", .scan = exclusive_last},
    {"stale-edge-16", "at multiples of 16 the element is not added yet", .scan = stale_at_edges,
     .edge = 16},
    {"stale-edge-256", "the same at 256", .scan = stale_at_edges, .edge = 256},
    {"stale-edge-1024", "the same at 1024", .scan = stale_at_edges, .edge = 1024},
    {"stale-edge-4096", "the same at 4096", .scan = stale_at_edges, .edge = 4096},
    {"stale-edge-16384", "the same at 16384", .scan = stale_at_edges, .edge = 16384},
    {"stale-edge-65536", "the same at 65536", .scan = stale_at_edges, .edge = 65536},
    {"carry-short", "the carry of the first 1024 elements lacks the last", .scan = carry_short},
    {"line-left-out", "a 17th, 33rd, ... line is not written", .scan = line_left_out},
    {"alias-hazard-in-blocks", "in place, an element is read after it was written",
     .scan = alias_hazard_in_blocks},
    {.name = NULL}};
