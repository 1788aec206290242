/* SPDX-License-Identifier: MIT */
/*
 * Groups of cases that need a GPU's shaders rather than a processor's kernels: several tiles,
 * several levels, more groups of threads than a row of the grid has, enough interleaved lines for
 * the kernels without staging, few lines that are long enough for groups inside of
 * them. And a group that a planner needs every kernel for.
 */
#include "scan_groups.h"

#include "case_group.h"

enum {
    TYPES = 6,
    PLANNED_SHAPES = 5
};

/* One line or up to 140, of several tiles, in every form. */
static void make_tiles(kernel_case *c, uint64_t index, uint64_t *random) {
    choose_all(c, random);
    c->type = choose_type(take_digit(&index, TYPES));
    const line_form input = (line_form)take_digit(&index, FORM_INPUTS);
    const line_form output = (line_form)take_digit(&index, FORM_OUTPUTS);
    const uint32_t lines =
        random_once_in(random, 3) ? random_between(random, 1, 8) : random_between(random, 30, 140);
    const uint32_t length = random_between(random, 900, lines > 8 ? 3300 : 12000);
    choose_lines(c, lines, length, input, output, random);
    c->in_place = random_once_in(random, 6);
}

const case_group group_tiles = {"tiles", "lines of several tiles, few or many, in every form",
                                UINT64_C(1) * TYPES *FORM_INPUTS *FORM_OUTPUTS * 20, make_tiles};

/* Three levels of the blocked order, and hundreds of dispatches of the sequential one. */
static void make_levels(kernel_case *c, uint64_t index, uint64_t *random) {
    static const uint32_t lengths[4] = {(1u << 20) - 1, (1u << 20) + 1, (1u << 20) + 1025,
                                        (2u << 20) + 77777};
    choose_all(c, random);
    c->type = choose_type(take_digit(&index, TYPES));
    c->exclusive = take_digit(&index, 2);
    const uint32_t length = lengths[take_digit(&index, 4)];
    const bool columns = take_digit(&index, 2);
    const line_form form = columns ? FORM_COLUMNS : FORM_ROWS;
    choose_lines(c, columns ? 2 : 1, length, form, form, random);
    c->in_place = random_once_in(random, 3);
}

const case_group group_levels = {"levels", "lines of more than 2^20 elements",
                                 UINT64_C(1) * TYPES * 2 * 4 * 2, make_levels};

/* Interleaved lines of more tiles than a block of the level above has. */
static void make_columns(kernel_case *c, uint64_t index, uint64_t *random) {
    choose_all(c, random);
    c->type = choose_type(take_digit(&index, TYPES));
    c->exclusive = take_digit(&index, 2);
    const line_form form = random_once_in(random, 2) ? FORM_COLUMNS : FORM_PADDED_COLUMNS;
    choose_lines(c, random_between(random, 32, 48), random_between(random, 5 * 1024, 36 * 1024),
                 form, form, random);
    c->in_place = random_once_in(random, 3);
}

const case_group group_columns = {"columns", "32 and more interleaved lines of many tiles",
                                  UINT64_C(1) * TYPES * 2 * 50, make_columns};

/* More groups of threads than one row of the grid has. */
static void make_grids(kernel_case *c, uint64_t index, uint64_t *random) {
    choose_all(c, random);
    const bool tiles = take_digit(&index, 2);
    c->exclusive = take_digit(&index, 2);
    c->type = tiles ? CUMSUM_DATA_TYPE_FLOAT16 : choose_type(take_digit(&index, TYPES));
    const bool columns = take_digit(&index, 2);
    const line_form form = columns ? FORM_COLUMNS : FORM_ROWS;
    choose_lines(c, tiles ? 33000 : 2200000, tiles ? 515 : 2, form, form, random);
}

const case_group group_grids = {"grids", "more groups of threads than a row has",
                                UINT64_C(1) * 2 * 2 * TYPES * 2, make_grids};

/* Enough interleaved lines for a thread each, without staging. */
static void make_wide(kernel_case *c, uint64_t index, uint64_t *random) {
    choose_all(c, random);
    c->type = choose_type(take_digit(&index, TYPES));
    c->exclusive = take_digit(&index, 2);
    const line_form input = random_once_in(random, 2) ? FORM_COLUMNS : FORM_PADDED_COLUMNS;
    const line_form output = random_once_in(random, 2) ? FORM_COLUMNS : FORM_PADDED_COLUMNS;
    choose_lines(c, random_between(random, 64, 3000), random_between(random, 5, 50), input, output,
                 random);
    c->in_place = random_once_in(random, 4);
}

const case_group group_wide = {"wide", "64 and more interleaved lines",
                               UINT64_C(1) * TYPES * 2 * 50, make_wide};

/* FLOAT32 in the sequential order, whose segments of 1024 elements have groups of their own. */
static void make_segments(kernel_case *c, uint64_t index, uint64_t *random) {
    choose_all(c, random);
    c->type = CUMSUM_DATA_TYPE_FLOAT32;
    c->pattern = (data_pattern)take_digit(&index, PATTERN_COUNT);
    c->exclusive = take_digit(&index, 2);
    const line_form input = (line_form)take_digit(&index, FORM_INPUTS);
    const line_form output = (line_form)take_digit(&index, FORM_OUTPUTS);
    const uint32_t lines =
        random_once_in(random, 8) ? random_between(random, 60, 66) : random_between(random, 1, 4);
    const uint32_t segments = random_between(random, 16, lines > 4 ? 18 : 50);
    const uint32_t rest = random_once_in(random, 2) ? 0 : random_between(random, 0, 1023);
    choose_lines(c, lines, 1024 * segments + rest, input, output, random);
    c->in_place = random_once_in(random, 4);
}

const case_group group_line_segments = {
    "segments", "few lines of FLOAT32 that have segments",
    UINT64_C(1) * PATTERN_COUNT * 2 * FORM_INPUTS *FORM_OUTPUTS * 20, make_segments};

/* Tiles whose terms and sums are subnormal, or nearly, kept or flushed. */
static void make_subnormals(kernel_case *c, uint64_t index, uint64_t *random) {
    choose_all(c, random);
    c->type = CUMSUM_DATA_TYPE_FLOAT32;
    c->numerics.denormals = (cumsum_denormals)take_digit(&index, 2);
    c->pattern = take_digit(&index, 2) ? PATTERN_SUBNORMAL : PATTERN_NEAR_SUBNORMAL;
    c->exclusive = take_digit(&index, 2);
    choose_lines(c, random_between(random, 1, 4), random_between(random, 1024, 5000), FORM_ROWS,
                 FORM_ROWS, random);
}

const case_group group_subnormals = {"subnormals", "lines of FLOAT32 that a device may flush",
                                     UINT64_C(1) * 2 * 2 * 2 * 3, make_subnormals};

/* What decides which kernels scan a case: rows or columns, few or many, of a tile or of more, short
 * or long; and so many columns that 64 groups are busy with a thread for each. FLOAT16 has a digit
 * for each accumulator. */
static void make_planned(kernel_case *c, uint64_t index, uint64_t *random) {
    const struct {
        line_form form;
        uint32_t lines;
        uint32_t length;
    } shapes[] = {{FORM_ROWS, 70, 600},
                  {FORM_COLUMNS, 16 * 64, 40},
                  {FORM_ROWS, 3, 20000},
                  {FORM_COLUMNS, 40, 3000},
                  {FORM_COLUMNS, 8, 2100}};
    choose_all(c, random);
    const uint32_t type = take_digit(&index, TYPES + 1);
    c->type = type < TYPES ? choose_type(type) : CUMSUM_DATA_TYPE_FLOAT16;
    c->numerics.half_accumulator =
        type < TYPES ? CUMSUM_HALF_ACCUMULATOR_FLOAT32 : CUMSUM_HALF_ACCUMULATOR_FLOAT16;
    const uint32_t shape = take_digit(&index, PLANNED_SHAPES);
    choose_lines(c, shapes[shape].lines, shapes[shape].length, shapes[shape].form,
                 shapes[shape].form, random);
}

const case_group group_planned = {"planned", "a case for each kernel that a planner can choose",
                                  UINT64_C(1) * (TYPES + 1) * PLANNED_SHAPES, make_planned};
