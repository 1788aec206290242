/* SPDX-License-Identifier: MIT */
/* Wrong lines: direction, exclusivity, carries, remainders, what leaks. */
#include <string.h>

#include "mutant.h"

static void always_increasing(mutant_view *v) {
    v->spec.decreasing = false;
}

static void always_inclusive(mutant_view *v) {
    v->spec.exclusive = false;
}

static void always_exclusive(mutant_view *v) {
    v->spec.exclusive = true;
}

/* A reversed line is written as it comes. */
static void moved(mutant_line *line) {
    mutant_sum(line);
    for (uint64_t k = 0; line->spec->decreasing && k < line->n / 2; k++) {
        uint64_t y = line->y[k];
        line->y[k] = line->y[line->n - 1 - k];
        line->y[line->n - 1 - k] = y;
    }
}

static void exclusive_of_one(mutant_line *line) {
    mutant_sum(line);
    if (line->n == 1)
        line->y[0] = line->x[0];
}

/* At a tile's edge the carry has the tile's first element in it already. */
static void exclusive_at_edges(mutant_line *line, uint64_t tile) {
    const case_spec *spec = line->spec;
    case_spec inclusive = *spec;
    if (!spec->exclusive) {
        mutant_sum(line);
        return;
    }
    inclusive.exclusive = false;
    line->spec = &inclusive;
    mutant_sum(line);
    line->spec = spec;
    for (uint64_t k = line->n - 1; k > 0; k--)
        line->y[k] = k % tile ? line->y[k - 1] : line->y[k];
    line->y[0] = 0;
}

static void exclusive_edge_64(mutant_line *line) {
    exclusive_at_edges(line, 64);
}

static void exclusive_edge_1024(mutant_line *line) {
    exclusive_at_edges(line, 1024);
}

/* Sums the parts of a line, each from 0. */
static void sum_parts(mutant_line *line, uint64_t part) {
    mutant_line rest = *line;
    for (uint64_t k = 0; k < line->n; k += part) {
        rest.x = line->x + k;
        rest.y = line->y + k;
        rest.n = line->n - k < part ? line->n - k : part;
        mutant_sum(&rest);
    }
}

static void carry_lost_64(mutant_line *line) {
    sum_parts(line, 64);
}

static void carry_lost_256(mutant_line *line) {
    sum_parts(line, 256);
}

static void carry_lost_1024(mutant_line *line) {
    sum_parts(line, 1024);
}

static void carry_lost_4096(mutant_line *line) {
    sum_parts(line, 4096);
}

static void carry_lost_65536(mutant_line *line) {
    sum_parts(line, 65536);
}

/* The tally goes on into the next line. */
static uint64_t tally_left;

static void tally_not_cleared(mutant_line *line) {
    uint64_t first = line->x[0];
    tally_left = line->number ? tally_left : 0;
    if (!mutant_is_float(line))
        line->x[0] += tally_left;
    else if (line->number)
        line->x[0] = mutant_bits(line, mutant_value(line, first) + mutant_value(line, tally_left));
    mutant_sum(line);
    tally_left = line->y[line->n - 1];
}

/* Whole vectors of lines or elements only. */
static void last_lines(mutant_line *line) {
    mutant_sum(line);
    if (line->number >= line->lines / 4 * 4 && line->lines > 4)
        memcpy(line->y, line->x, line->n * sizeof *line->y);
}

static void last_elements(mutant_line *line) {
    mutant_sum(line);
    for (uint64_t k = line->n / 8 * 8; line->n > 8 && k < line->n; k++)
        line->y[k] = line->x[k];
}

static void last_element_of_odd(mutant_line *line) {
    mutant_sum(line);
    if (line->n % 2 && line->n > 2)
        line->y[line->n - 1] = line->y[line->n - 2];
}

static void longer_than_1024(mutant_line *line) {
    mutant_sum(line);
    if (line->n > 1024)
        memcpy(line->y + 1024, line->x + 1024, (line->n - 1024) * sizeof *line->y);
}

/* An element is read when its sum has been written over it. */
static void alias_hazard(mutant_line *line) {
    if (line->spec->in_place && line->spec->exclusive) {
        for (uint64_t k = line->n - 1; k > 0; k--)
            line->x[k] = line->x[k - 1];
        line->x[0] = 0;
    }
    mutant_sum(line);
}

static void in_place_left_alone(mutant_line *line) {
    mutant_sum(line);
    if (line->spec->in_place && line->number == line->lines - 1)
        memcpy(line->y, line->x, line->n * sizeof *line->y);
}

static void lines_from_256_on(mutant_line *line) {
    mutant_sum(line);
    if (line->number >= 256)
        memcpy(line->y, line->x, line->n * sizeof *line->y);
}

const mutant mutants_lines[] = {
    {"always-increasing", "the direction is ignored", always_increasing, NULL, NULL},
    {"always-inclusive", "HasExclusiveSum is ignored", always_inclusive, NULL, NULL},
    {"always-exclusive", "HasExclusiveSum is taken as true", always_exclusive, NULL, NULL},
    {"moved", "DECREASING writes from the first index on", NULL, moved, NULL},
    {"exclusive-of-one", "an exclusive sum of one element is that element", NULL, exclusive_of_one,
     NULL},
    {"exclusive-edge-64", "exclusive is inclusive at multiples of 64", NULL, exclusive_edge_64,
     NULL},
    {"exclusive-edge-1024", "exclusive is inclusive at multiples of 1024", NULL,
     exclusive_edge_1024, NULL},
    {"carry-lost-64", "each 64 elements start from 0", NULL, carry_lost_64, NULL},
    {"carry-lost-256", "each 256 elements start from 0", NULL, carry_lost_256, NULL},
    {"carry-lost-1024", "each 1024 elements start from 0", NULL, carry_lost_1024, NULL},
    {"carry-lost-4096", "each 4096 elements start from 0", NULL, carry_lost_4096, NULL},
    {"carry-lost-65536", "each 65536 elements start from 0", NULL, carry_lost_65536, NULL},
    {"tally-not-cleared", "a line starts with the sum of the one before", NULL, tally_not_cleared,
     NULL},
    {"last-lines", "lines behind the last whole four are copied", NULL, last_lines, NULL},
    {"last-elements", "elements behind the last whole eight are copied", NULL, last_elements, NULL},
    {"last-element-of-odd", "the last element of an odd line is not added", NULL,
     last_element_of_odd, NULL},
    {"longer-than-1024", "elements from 1024 on are copied", NULL, longer_than_1024, NULL},
    {"lines-from-256-on", "lines from 256 on are copied", NULL, lines_from_256_on, NULL},
    {"alias-hazard", "in place, an exclusive sum reads what it has written", NULL, alias_hazard,
     NULL},
    {"in-place-left-alone", "in place, the last line is not written back", NULL,
     in_place_left_alone, NULL},
    {.name = NULL}};
